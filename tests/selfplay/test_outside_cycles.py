"""Cycles for an engine that takes the step itself: the same as those of a run here, and gone on with."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path
from typing import Any

import pytest
from worlds import config, learning, policy, remembered_checks, sometimes

from spade_envs.adapters.collecting import Collecting
from spade_envs.bulk import Checkers
from spade_envs.selfplay.conflicts import rid_of_unused
from spade_envs.selfplay.failures import ConfigError
from spade_envs.selfplay.outside import OutsideCycles
from spade_envs.selfplay.runs import train
from spade_envs.selfplay.scripted import ByteRenderer, ScriptedLearner, ScriptedSampler
from spade_envs.selfplay.steps import StepBatch, Update
from spade_envs.types import Trajectory

KNOWN: dict[Any, Any] = {}
SCRIPT = policy(learning, sometimes)


@pytest.fixture(autouse=True)
def one_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each source is really checked once, for all runs here."""
    monkeypatch.setattr(Checkers, "submit", remembered_checks(KNOWN))


def external(folder: Path) -> Any:
    made = config(folder)
    return rid_of_unused(dataclasses.replace(made, engine=dataclasses.replace(made.engine, engine="external")))


async def steps(folder: Path, count: int, learner: ScriptedLearner, *, resume: bool = False) -> list[list[Trajectory]]:
    """Steps that an engine takes: it only counts them."""
    found = []
    sampler = ScriptedSampler(SCRIPT, learner)
    async with OutsideCycles(external(folder), sampler, ByteRenderer(), lockstep=True, resume=resume) as cycles:
        for _ in range(count):
            found.append(list(await cycles.collect()))
            learner.policy_version += 1
    return found


def test_they_are_those_of_a_run_here_and_are_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here: list[StepBatch] = []
    real = ScriptedLearner.update

    def update(self: ScriptedLearner, batch: StepBatch) -> Update:
        here.append(batch)
        return real(self, batch)

    with monkeypatch.context() as patch:
        patch.setattr(ScriptedLearner, "update", update)
        train(config(tmp_path / "here" / "run"), script=SCRIPT)
    (tmp_path / "there").mkdir(exist_ok=True)
    learner = ScriptedLearner(0)
    there = asyncio.run(steps(tmp_path / "there" / "run", 2, learner))
    there += asyncio.run(steps(tmp_path / "there" / "run", 2, learner, resume=True))
    assert there == [list(batch.trajectories) for batch in here]


def test_a_folder_with_a_run_is_not_begun_anew(tmp_path: Path) -> None:
    asyncio.run(steps(tmp_path / "run", 1, ScriptedLearner(0)))
    with pytest.raises(ConfigError, match="go on with it"):
        asyncio.run(steps(tmp_path / "run", 1, ScriptedLearner(0)))


def test_an_adapter_takes_them(tmp_path: Path) -> None:
    learner = ScriptedLearner(0)
    cycles = OutsideCycles(external(tmp_path / "run"), ScriptedSampler(SCRIPT, learner), ByteRenderer(), lockstep=True)
    collecting = Collecting(cycles)
    asyncio.run_coroutine_threadsafe(cycles.__aenter__(), collecting._loop).result()
    try:
        got = collecting.collect()
    finally:
        asyncio.run_coroutine_threadsafe(cycles.__aexit__(None, None, None), collecting._loop).result()
        collecting.close()
    assert {one.role for one in got} == {"agent", "designer"} and all(one.advantage is not None for one in got)
