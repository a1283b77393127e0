"""A run folder that somebody tampered with, a sampler that answers garbage, and environments that fail late."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from worlds import adding, config, fenced, learning, policy, remembered_checks, sometimes

from spade_envs.admission import card_of
from spade_envs.bulk import Checkers
from spade_envs.errors import StoreError
from spade_envs.memory import SqliteMemory
from spade_envs.selfplay.checkpoint import Checkpoints
from spade_envs.selfplay.conflicts import rid_of_unused
from spade_envs.selfplay.failures import TrainingError
from spade_envs.selfplay.loop import beginning
from spade_envs.selfplay.metrics import MetricsLog
from spade_envs.selfplay.outside import OutsideCycles
from spade_envs.selfplay.rewards import FAULT_PENALTY
from spade_envs.selfplay.run_folder import CONFIG_FILE, kept_config
from spade_envs.selfplay.runs import alone, train
from spade_envs.selfplay.sampling import Drawn
from spade_envs.selfplay.scripted import ByteRenderer, ScriptedLearner, ScriptedSampler
from spade_envs.shelf import Shelf
from spade_envs.types import EnvSource, Report

KNOWN: dict[Any, Any] = {}
SCRIPT = policy(learning, sometimes)
BROKEN = adding(0).replace(
    "        won = ", "        if action != self.solution()[0]: raise KeyError(1)\n        won = "
)


@pytest.fixture(autouse=True)
def one_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each source is really checked once, for all runs here."""
    monkeypatch.setattr(Checkers, "submit", remembered_checks(KNOWN))


def passing(text: str) -> Report:
    """Have the gate let a source pass that it would refuse."""
    source = EnvSource(text)
    report = Report(source.sha256, contract="answer", max_turns=4)
    for contract in ("", "answer"):
        KNOWN[(text, contract, "", ())] = report
    return report


def numbers(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


# -- samplers --------------------------------------------------------------------------------------------------

GARBAGE: dict[str, Callable[[Drawn], Drawn]] = {
    "nan": lambda one: dataclasses.replace(one, logprobs=(math.nan,) * len(one.tokens)),
    "endless": lambda one: dataclasses.replace(one, logprobs=(-math.inf,) * len(one.tokens)),
    "positive": lambda one: dataclasses.replace(one, logprobs=(0.5,) * len(one.tokens)),
    "short": lambda one: dataclasses.replace(one, logprobs=one.logprobs[:-1]),
    "nothing": lambda one: dataclasses.replace(one, tokens=(), logprobs=()),
    "more": lambda one: dataclasses.replace(one, tokens=one.tokens * 4000, logprobs=one.logprobs * 4000),
    "negative": lambda one: dataclasses.replace(one, tokens=(-5, *one.tokens[1:])),
    "later": lambda one: dataclasses.replace(one, policy_version=7),
    "earlier": lambda one: dataclasses.replace(one, policy_version=-1),
}


@pytest.mark.parametrize("what", GARBAGE)
def test_an_answer_that_is_garbage_costs_one_episode(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = ScriptedSampler.draw

    async def draw(self: ScriptedSampler, wanted: Any) -> Any:
        drawn = await real(self, wanted)
        return GARBAGE[what](drawn) if isinstance(drawn, Drawn) and "plain:00001" in wanted.key else drawn

    monkeypatch.setattr(ScriptedSampler, "draw", draw)
    made = config(tmp_path / "run", cycles=1, slots=1)
    result = train(made, script=policy(lambda draw: fenced(adding(1)), sometimes))
    assert (result.stopped, result.troubles) == ("done", {"episode.server_error": 1})
    assert numbers(tmp_path / "run")[0]["agent/trajectories"] == 3


# -- cycles without anything to train on -----------------------------------------------------------------------


@pytest.mark.parametrize(("interval", "delay", "until"), [(4, 0, 1), (1, 4, 5), (4, 4, 1)])
def test_a_cycle_without_an_admitted_design_is_no_reason_to_stop(
    interval: int, delay: int, until: int, tmp_path: Path
) -> None:
    def design(draw: Any) -> str:
        return fenced("import socket\n") if int(draw.key.split(":")[1]) < until else learning(draw)

    made = config(tmp_path / "run", cycles=9, interval=interval, delay=delay)
    assert train(made, script=policy(design, sometimes)).stopped == "done"


# -- environments that fail late -------------------------------------------------------------------------------


def test_an_environment_that_fails_when_it_is_played_again_is_paid_as_such(tmp_path: Path) -> None:
    passing(BROKEN + "\n")
    paid: list[tuple[str, float]] = []
    real = ScriptedLearner.update

    def update(self: ScriptedLearner, batch: Any) -> Any:
        paid.extend((one.episode_id, one.reward) for one in batch.trajectories if one.role == "designer")
        return real(self, batch)

    script = policy(
        lambda draw: fenced(BROKEN if draw.key == "design:0:0:0:0" else adding(draw.seed % 9)),
        lambda hinted, draw, version: draw.key.startswith("0:") or version == 0,
    )
    made = config(tmp_path / "run", cycles=5, interval=2, delay=2, slots=2, novelty="off")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScriptedLearner, "update", update)
        train(made, script=script)
    assert numbers(tmp_path / "run")[1]["trouble/episode.env_raised"] >= 1
    assert dict(paid)["design:0:0:0"] == FAULT_PENALTY


def test_the_memory_knows_when_an_environment_of_the_pool_failed(tmp_path: Path) -> None:
    report = passing(BROKEN)
    Shelf.create(tmp_path / "shelf", "mine", 1).add(EnvSource(BROKEN), card_of(EnvSource(BROKEN), report))
    made = config(tmp_path / "run", cycles=1, designer="pool", pool=str(tmp_path / "shelf"))
    train(rid_of_unused(made), script=policy(learning, lambda *_: False))
    with SqliteMemory(tmp_path / "run" / "memory.db") as memory:
        (fault,) = memory.reports(EnvSource(BROKEN).sha256)
    assert fault.findings[0].rule == "probe.fault"


# -- the folder ------------------------------------------------------------------------------------------------


def test_the_newest_checkpoint_is_that_of_the_largest_cycle(tmp_path: Path) -> None:
    checkpoints, state, learner = Checkpoints(tmp_path, 2), beginning(config(tmp_path)), ScriptedLearner(0)
    for cycle in (999_998, 999_999, 1_000_000):
        checkpoints.save(dataclasses.replace(state, cycle=cycle), learner)
    newest = checkpoints.newest()
    assert newest is not None and newest.name == "1000000"
    assert len(list((tmp_path / "checkpoints").iterdir())) == 2


@pytest.mark.parametrize("before", ["it has its name", "the old one is gone"])
def test_killed_while_a_checkpoint_takes_the_place_of_its_like_there_still_is_one(before: str, tmp_path: Path) -> None:
    state, learner = beginning(config(tmp_path)), ScriptedLearner(0)
    checkpoints = Checkpoints(tmp_path, 1)
    checkpoints.save(state, learner)
    real = Path.rename

    def rename(self: Path, target: Any) -> Any:
        if before == "it has its name" and self.name.startswith(".tmp-"):
            os._exit(9)
        done = real(self, target)
        if before == "the old one is gone" and self.name.startswith(".tmp-"):
            os._exit(9)
        return done

    child = os.fork()
    if not child:
        Path.rename = rename  # type: ignore[assignment,method-assign]
        checkpoints.save(state, learner)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    again = Checkpoints(tmp_path, 1)
    newest = again.newest()
    assert newest is not None and again.load(newest, learner) == state
    assert [one.name for one in (tmp_path / "checkpoints").iterdir()] == ["000000"]


def test_a_checkpoint_of_another_cycle_or_other_weights_is_not_taken_up(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    train(config(folder, cycles=2), script=SCRIPT)
    path = folder / "checkpoints" / "000002" / "state.json"
    said = json.loads(path.read_text())
    for name, value, message in (
        ("cycle", 10**30, "it is of cycle 1000"),
        ("policy_version", 99, "says policy version"),
    ):
        path.write_text(json.dumps({**said, "state": {**said["state"], name: value}}))
        with pytest.raises(TrainingError, match=message):
            train(config(folder, cycles=4), script=SCRIPT, resume=True)


def test_a_run_without_its_checkpoints_is_not_silently_begun_anew(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    train(config(folder, cycles=1), script=SCRIPT)
    before = numbers(folder)
    (folder / "checkpoints").rename(tmp_path / "elsewhere")
    with pytest.raises(TrainingError, match="no checkpoint to go on from"):
        train(config(folder, cycles=2), script=SCRIPT, resume=True)
    assert numbers(folder) == before


@pytest.mark.parametrize("what", ["nested", "huge", "pipe"])
def test_draws_that_are_damaged_are_told_of(what: str, tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, 1)
    path = tmp_path / "draws" / "000000.json.zst"
    if what == "nested":
        path.write_bytes(zstandard.compress(b"[" * 200_000))
    elif what == "huge":  # a frame that says it holds a tebibyte
        path.write_bytes(b"\x28\xb5\x2f\xfd\xe0" + (2**40).to_bytes(8, "little") + b"\x01\x00\x00")
    else:
        os.mkfifo(path)
    with pytest.raises(StoreError, match="remove it, and the cycle is drawn anew"):
        checkpoints.draws(0)


def test_foreign_files_beside_draws_end_nothing_and_what_a_kill_left_is_cleared(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, 1)
    (tmp_path / "draws" / "copy of 000000.json.zst").touch()
    (tmp_path / "draws" / ".tmp-0.000001.json.zst-1").touch()
    checkpoints.save(beginning(config(tmp_path)), ScriptedLearner(0))
    Checkpoints(tmp_path, 1)
    assert [one.name for one in (tmp_path / "draws").iterdir()] == ["copy of 000000.json.zst"]


def test_numbers_that_are_no_numbers_end_nothing(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_text('{"step": 0, "loss": 1.0}\n' + "[" * 200_000 + "\n")
    MetricsLog(path, resume_at=5)
    assert path.read_text() == '{"step": 0, "loss": 1.0}\n'
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(StoreError, match="no regular file"):
        MetricsLog(path, resume_at=5)


def test_the_settings_of_a_run_that_goes_on_are_not_changed_by_who_may_not_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    train(config(folder, cycles=1), script=SCRIPT)
    with alone(folder), pytest.raises(TrainingError, match="another run holds"):
        train(config(folder, cycles=7), script=SCRIPT, resume=True)
    assert kept_config(folder).run.cycles == 1
    train(config(folder, cycles=2), script=SCRIPT, resume=True)
    assert kept_config(folder).run.cycles == 2


def test_a_run_that_cannot_begin_leaves_the_folder_to_the_next_try(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with pytest.raises(StoreError):
        train(config(folder, corpus=str(tmp_path / "nowhere")), script=SCRIPT)
    assert not (folder / CONFIG_FILE).exists()
    assert train(config(folder, cycles=1), script=SCRIPT).stopped == "done"


def test_cycles_that_cannot_begin_let_go_of_the_folder(tmp_path: Path) -> None:
    made = config(tmp_path / "run", corpus=str(tmp_path / "nowhere"))
    made = rid_of_unused(dataclasses.replace(made, engine=dataclasses.replace(made.engine, engine="external")))

    async def begin() -> OutsideCycles:
        cycles = OutsideCycles(made, ScriptedSampler(SCRIPT, ScriptedLearner(0)), ByteRenderer())
        with pytest.raises(StoreError):
            await cycles.__aenter__()
        return cycles

    kept = asyncio.run(begin())
    with alone(tmp_path / "run"):
        assert kept.config is made
