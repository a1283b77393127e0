"""Self-play with a real model on the processor: gate, box, memory, sampler and learner together, to the same bits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spade_envs.memory import SqliteMemory
from spade_envs.selfplay import runs
from spade_envs.selfplay.config import Config
from spade_envs.selfplay.conflicts import rid_of_unused
from spade_envs.selfplay.events import CycleEnded, Event
from spade_envs.selfplay.presets import preset

CYCLES = 3


def tiny(folder: Path, designer: str = "uniform") -> Config:
    """The preset, much shortened; replies of a model so little warmed up are mostly none."""
    made = preset("tiny-cpu")
    run = replace(made.run, folder=str(folder), cycles=CYCLES, jobs=1, evaluate_every=2, evaluate_seeds=1, samples=1)
    shortened = replace(
        made,
        run=run,
        design=replace(made.design, slots=4, designer=designer),
        play=replace(made.play, plain=6, hinted=2),
        engine=replace(made.engine, warm_up=40),
    )
    return rid_of_unused(shortened)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    assert runs.train(tiny(folder)).stopped == "done"
    return folder


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def weights(folder: Path) -> dict[str, bytes]:
    newest = sorted((folder / "checkpoints").iterdir())[-1]
    return {path.name: path.read_bytes() for path in sorted((newest / "learner").iterdir())}


def test_it_designs_plays_learns_and_remembers(whole: Path) -> None:
    rows = lines(whole)
    assert [row["step"] for row in rows] == list(range(CYCLES))
    assert rows[-1]["policy_version"] >= 1 and all(row["gap/max"] < 1e-4 for row in rows if "gap/max" in row)
    assert any(row["designs/admitted"] > 0 for row in rows) and any("regret" in row for row in rows)
    assert [("held_out/outcome" in row) for row in rows] == [True, False, True]
    with SqliteMemory(whole / "memory.db") as memory:
        assert memory.last > 0
        probed = memory.db.run("SELECT hex(sha256) FROM sources WHERE probes > 0")
        assert probed and memory.episodes(probed[0][0].lower())


def test_the_same_seed_gives_the_same_bits_and_so_does_a_resumed_run(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(event: Event) -> None:
        if isinstance(event, CycleEnded) and event.cycle == 0:
            raise KeyboardInterrupt

    folder = tmp_path / "run"
    assert runs.train(tiny(folder), watch=interrupt).stopped == "interrupted"
    monkeypatch.delattr("spade_envs.selfplay.learner.HfLearner.warm_up")  # its checkpoint is warm
    assert runs.train(tiny(folder), resume=True).stopped == "done"
    assert lines(folder) == lines(whole) and weights(folder) == weights(whole)


def test_a_designer_that_writes_nothing_of_use_is_trained_by_refusals(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    config = tiny(folder, "trained")
    result = runs.train(replace(config, run=replace(config.run, cycles=1)))
    (row,) = lines(folder)
    assert result.stopped == "done" and row["designer/trajectories"] == 4
    assert -1.0 <= row["designer/reward"] <= 1.0
