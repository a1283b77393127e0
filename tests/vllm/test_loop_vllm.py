"""The whole loop with engine ``vllm``: a real server draws designs and episodes from the adapters that it is given."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from real_server import MARKS, serve

from spade_envs.admission import card_of
from spade_envs.selfplay.config import Config, DesignSection, EngineSection, PlaySection, RunSection, TrainSection
from spade_envs.selfplay.conflicts import rid_of_unused
from spade_envs.selfplay.failures import TrainingError
from spade_envs.selfplay.runs import train
from spade_envs.shelf import Shelf
from spade_envs.types import EnvSource, Report

pytestmark = MARKS


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model of bytes, whose probabilities an adapter can move."""
    from spade_envs.selfplay.tiny_model import TinyShape, byte_model

    model, tokenizer = byte_model(seed=0, shape=TinyShape(hidden=64, layers=2, intermediate=128, sharp=True))
    folder = tmp_path_factory.mktemp("model")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def url(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Base URL of vLLM."""
    with serve(checkpoint, "tiny", tmp_path_factory.mktemp("log") / "vllm.log") as url:
        yield url


def config(folder: Path, checkpoint: Path, url: str, designer: str, pool: str = "") -> Config:
    """Three cycles of compact specifications."""
    return rid_of_unused(
        Config(
            run=RunSection(folder=str(folder), cycles=3, jobs=1, samples=1),
            design=DesignSection(
                designer=designer,
                pool=pool,
                task="specs",
                slots=3,
                memory_seeds=0,
                memory_negatives=0,
                novelty="off",
                corpus="",
                max_tokens=8,
            ),
            play=PlaySection(plain=16, hinted=2, max_tokens=96, context=512, episode_seconds=120.0),
            train=TrainSection(lr=1e-3, weight_decay=0.0, max_staleness=1),
            engine=EngineSection(
                engine="vllm",
                model=str(checkpoint),
                device="cpu",
                dtype="float32",
                lora_rank=8,
                lora_alpha=16,
                servers=(url,),
            ),
        )
    )


SHARE = """
class ShareEnv:
    def reset(self, seed=None):
        return "Say letters.", {}

    def step(self, action):
        return "Thanks.", sum(letter.isalpha() for letter in action) / max(1, len(action)) / 2, True, False, {}
"""
"""Pays half the share of letters, so that no two replies of a random model earn the same."""


def test_a_pool_is_learnt_through_a_server(url: str, checkpoint: Path, tmp_path: Path) -> None:
    shelf = Shelf.create(tmp_path / "pool", "mine", 1)
    source = EnvSource(SHARE, hint="Letters only.", contract="interactive")
    shelf.add(source, card_of(source, Report(source.sha256, contract="interactive", max_turns=4)))
    folder = tmp_path / "loop-pool"
    made = config(folder, checkpoint, url, "pool", pool=str(tmp_path / "pool"))
    result = train(made)
    assert (result.stopped, result.cycles) == ("done", 3), result
    rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    assert [row["policy_version"] for row in rows] == [1, 2, 3]
    assert all(row["gap/max"] < 1e-4 and row["sync/probe_gap"] < 1e-4 for row in rows)
    assert not [path for path in (folder / "adapters").iterdir() if path.is_dir()], "adapters are let go of at the end"


def test_designs_come_from_a_server(url: str, checkpoint: Path, tmp_path: Path) -> None:
    folder = tmp_path / "loop-trained"
    result = train(config(folder, checkpoint, url, "trained"))
    assert (result.stopped, result.cycles) == ("done", 3), result
    rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    assert all(row["designs/static"] == 1 and row["designer/reward"] == -1 for row in rows)
    assert [row["policy_version"] for row in rows] == [0, 0, 0], "what all earn alike teaches nothing"


def test_a_server_that_is_not_there_is_told_with_how_to_start_one(checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"vllm serve .* --enable-lora"):
        train(config(tmp_path / "run", checkpoint, "http://127.0.0.1:9", "trained"))
