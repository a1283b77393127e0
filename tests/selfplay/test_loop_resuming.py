"""A run that is killed at any stage of a cycle and taken up again ends in the same bits."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from worlds import config, learning, policy, remembered_checks, sometimes

from spade_envs.bulk import Checkers
from spade_envs.memory import SqliteMemory
from spade_envs.selfplay import checkpoint, collect, gatekeeper, loop, remember, scripted
from spade_envs.selfplay.failures import ConfigError, TrainingError
from spade_envs.selfplay.runs import train

SCRIPT = policy(learning, sometimes)
KNOWN: dict[Any, Any] = {}


class Killed(BaseException):
    """Nobody catches it: what a kill leaves is what there is."""


@pytest.fixture(autouse=True)
def one_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each source is really checked once, for all runs here."""
    monkeypatch.setattr(Checkers, "submit", remembered_checks(KNOWN))


def left(folder: Path) -> dict[str, Any]:
    """Everything that a run leaves, less what a clock wrote."""
    newest = sorted((folder / "checkpoints").iterdir())[-1]
    with SqliteMemory(folder / "memory.db") as memory:
        sources = [sha256 for (sha256,) in memory.db.run("SELECT hex(sha256) FROM sources ORDER BY id")]
        reports = {one: len(memory.reports(one.lower())) for one in sources}
        probes = {one: [dataclasses.replace(probe, date="") for probe in memory.probes(one.lower())] for one in sources}
        episodes = {one: memory.episodes(one.lower()) for one in sources}
        draws = memory.db.run("SELECT skill, run, slot, seed FROM draws ORDER BY id")
        drawn = memory.db.run("SELECT draw, place, source, role FROM drawn ORDER BY draw, place")
    return {
        "name": newest.name,
        "state": json.loads((newest / "state.json").read_bytes()),
        "weights": (newest / "learner" / "weights.json").read_bytes(),
        "metrics": (folder / "metrics.jsonl").read_bytes(),
        "memory": (sources, reports, probes, episodes, draws, drawn),
    }


def same_name(tmp_path: Path, number: int) -> Path:
    """A folder of the name that all runs share: it goes into seeds and labels."""
    return tmp_path / str(number) / "run"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What an uninterrupted run leaves."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Checkers, "submit", remembered_checks(KNOWN))
        train(config(folder), script=SCRIPT)
    return left(folder)


STAGES = {
    "while it designs": (gatekeeper.Gatekeeper, "check", 4, "before"),
    "while it plays": (collect.Collector, "_one", 30, "after"),
    "before its draws are written": (checkpoint.Checkpoints, "write_draws", 2, "before"),
    "after its draws are written": (checkpoint.Checkpoints, "write_draws", 2, "after"),
    "before the update": (scripted.ScriptedLearner, "update", 2, "before"),
    "after the update": (scripted.ScriptedLearner, "update", 2, "after"),
    "after publishing": (scripted.NoSync, "publish", 3, "after"),
    "before it remembers": (remember.Rememberer, "remember", 2, "before"),
    "between a source and its report": (remember.Rememberer, "_report", 4, "before"),
    "between two environments": (remember.Rememberer, "_played", 4, "after"),
    "between two draws": (remember.Rememberer, "_showing", 4, "after"),
    "after it has remembered": (remember.Rememberer, "remember", 2, "after"),
    "before its numbers": (loop.SelfPlay, "_log", 2, "before"),
    "after its numbers": (loop.SelfPlay, "_log", 2, "after"),
    "before the weights are in the checkpoint": (scripted.ScriptedLearner, "save", 3, "before"),
    "before the checkpoint has its name": (checkpoint, "_to_disk", 3, "after"),
    "after the checkpoint": (checkpoint.Checkpoints, "save", 3, "after"),
}
"""Where it is killed: a function, which call of it, and on which side."""


def killing(real: Callable[..., Any], call: int, side: str) -> Callable[..., Any]:
    """The function, killed at its ``call``-th call."""
    calls = 0

    def told() -> bool:
        nonlocal calls
        calls += 1
        return calls == call

    def plain(*args: Any, **named: Any) -> Any:
        now = told()
        if now and side == "before":
            raise Killed
        result = real(*args, **named)
        if now:
            raise Killed
        return result

    async def awaited(*args: Any, **named: Any) -> Any:
        now = told()
        if now and side == "before":
            raise Killed
        result = await real(*args, **named)
        if now:
            raise Killed
        return result

    return awaited if hasattr(real, "__code__") and real.__code__.co_flags & 0x80 else plain


@pytest.mark.parametrize("stage", STAGES)
def test_killed_and_resumed_it_ends_in_the_same_bits(stage: str, whole: dict[str, Any], tmp_path: Path) -> None:
    holder, name, call, side = STAGES[stage]
    folder = tmp_path / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(holder, name, killing(getattr(holder, name), call, side))
        with pytest.raises(Killed):
            train(config(folder), script=SCRIPT)
    assert train(config(folder), script=SCRIPT, resume=True).stopped == "done"
    assert left(folder) == whole


def test_a_run_whose_last_checkpoint_is_some_cycles_old_draws_nothing_twice(
    whole: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    drawn: list[str] = []

    def heard(conversation: Any, draw: Any, version: int) -> Any:
        drawn.append(draw.key)
        return SCRIPT(conversation, draw, version)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop.SelfPlay, "_log", killing(loop.SelfPlay._log, 3, "before"))
        with pytest.raises(Killed):
            train(config(folder, checkpoint_every=10), script=heard)
    train(config(folder, checkpoint_every=10), script=heard, resume=True)
    assert len(drawn) == len(set(drawn))
    found = left(folder)
    assert (found["state"], found["weights"], found["memory"]) == (whole["state"], whole["weights"], whole["memory"])


def test_a_folder_with_a_run_is_not_begun_anew(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    train(config(folder, cycles=1), script=SCRIPT)
    before = left(folder)
    with pytest.raises(ConfigError, match="go on with it"):
        train(config(folder, cycles=1), script=SCRIPT)
    assert left(folder) == before


def test_a_damaged_checkpoint_is_told_of_and_the_older_one_goes_on(whole: dict[str, Any], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    train(config(folder), script=SCRIPT)
    (folder / "checkpoints" / "000004" / "state.json").write_text("{")
    with pytest.raises(TrainingError, match="remove it to go on from 000003"):
        train(config(folder), script=SCRIPT, resume=True)
    (folder / "checkpoints" / "000004" / "state.json").unlink()
    train(config(folder), script=SCRIPT, resume=True)
    assert left(folder) == whole


PROGRAM = """
    import os, signal, sys
    from pathlib import Path
    from worlds import config, learning, policy, sometimes
    from spade_envs.selfplay.runs import train
    left = int(sys.argv[2])
    def say(conversation, draw, version):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return policy(learning, sometimes)(conversation, draw, version)
    train(config(Path(sys.argv[1])), script=say, resume=len(sys.argv) > 3)
"""


@pytest.mark.slow
def test_a_process_that_is_really_killed_goes_on(whole: dict[str, Any], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    for number, calls in enumerate((20, 35, 10, 1_000_000)):
        more = ["resume"] if number else []
        command = [sys.executable, "-c", textwrap.dedent(PROGRAM), str(folder), str(calls), *more]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == (0 if calls == 1_000_000 else -signal.SIGKILL), done.stderr
    assert left(folder) == whole
