"""No faulty environment, dead server, straggler or full disk ends a run without a word and a checkpoint."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from worlds import adding, config, fenced, learning, policy, remembered_checks, sometimes

from spade_envs.admission import card_of
from spade_envs.bulk import Checkers
from spade_envs.memory import SqliteMemory
from spade_envs.selfplay import checkpoint, gatekeeper, loop, metrics
from spade_envs.selfplay.config import Config
from spade_envs.selfplay.conflicts import rid_of_unused
from spade_envs.selfplay.events import CycleEnded, Event, Saved, Trouble
from spade_envs.selfplay.failures import ConfigError, TrainingError
from spade_envs.selfplay.runs import train
from spade_envs.selfplay.scripted import ScriptedSampler
from spade_envs.shelf import Shelf
from spade_envs.types import EnvSource, Finding, Report, Severity, Stop, StopReason

KNOWN: dict[Any, Any] = {}
BROKEN = adding(0).replace(
    "        won = ", "        if action != self.solution()[0]: raise KeyError(self.a)\n        won = "
)
HANGING = adding(0).replace("        won = ", "        while action != self.solution()[0]: pass\n        won = ")


@pytest.fixture(autouse=True)
def one_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each source is really checked once, for all runs here."""
    monkeypatch.setattr(Checkers, "submit", remembered_checks(KNOWN))


def passing(text: str) -> None:
    """Have the gate let a source pass that it would refuse: what fails only later is to be seen."""
    source = EnvSource(text)
    for contract in ("", "answer"):
        report = Report(source.sha256, contract="answer", max_turns=4)
        KNOWN[(text, contract, "", ())] = report


def numbers(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(("text", "step", "stop"), [(BROKEN, "faulty", "env_raised"), (HANGING, "hung", "env_hung")])
def test_an_environment_that_fails_costs_its_designer_and_nobody_else(
    text: str, step: str, stop: str, tmp_path: Path
) -> None:
    passing(text + "\n")
    played = policy(lambda draw: fenced(text if draw.key.startswith("design:0:0:") else adding(3)), sometimes)
    made = config(tmp_path / "run", cycles=2, slots=2, novelty="off", plain=6, hinted=6)
    result = train(made, script=played)
    assert result.stopped == "done" and result.policy_version == 2
    first, second = numbers(tmp_path / "run")
    assert first[f"designs/{step}"] == 0.5 and second[f"designs/{step}"] == 0
    assert first[f"trouble/episode.{stop}"] >= 1 and result.troubles[f"episode.{stop}"] >= 1
    assert first["agent/trajectories"] == 6, "episodes of the failed one are trained on by nobody"
    assert first["designer/trajectories"] == 2
    with SqliteMemory(tmp_path / "run" / "memory.db") as memory:
        (report, fault) = memory.reports(EnvSource(text + "\n").sha256)
    assert (report.findings, fault.findings[0].rule) == ((), "probe.fault")


def test_an_environment_that_failed_is_not_played_again(tmp_path: Path) -> None:
    passing(BROKEN + "\n")
    drawn: list[str] = []

    def wins(hinted: bool, draw: Any, version: int) -> bool:
        drawn.append(draw.key)
        return sometimes(hinted, draw, version)

    def design(draw: Any) -> str:
        return fenced(BROKEN if draw.key.startswith("design:0:0:") else adding(3))

    made = config(tmp_path / "run", cycles=2, slots=2, interval=2, novelty="off", plain=6, hinted=6)
    train(made, script=policy(design, wins))
    played = [{key.split(":")[1] for key in drawn if key.startswith(f"{cycle}:")} for cycle in range(2)]
    assert played == [{"0.0.0", "0.1.0"}, {"0.1.0"}]


def test_a_server_that_is_gone_for_a_cycle_costs_that_cycle(tmp_path: Path) -> None:
    def design(draw: Any) -> Any:
        return (
            Stop(StopReason.SERVER_ERROR, "connection refused") if draw.key.startswith("design:1:") else learning(draw)
        )

    told: list[Event] = []
    result = train(config(tmp_path / "run"), script=policy(design, sometimes), watch=told.append)
    assert (result.stopped, result.cycles, result.policy_version) == ("done", 4, 3)
    assert result.troubles["design.request.failed"] == 3
    assert [one for one in told if isinstance(one, Trouble) and one.cycle == 1]
    assert numbers(tmp_path / "run")[1]["designs/undecided"] == 1.0


def test_a_server_that_stays_away_stops_the_run_with_a_checkpoint(tmp_path: Path) -> None:
    def design(draw: Any) -> Any:
        late = int(draw.key.split(":")[1]) >= 1
        return Stop(StopReason.SERVER_ERROR, "connection refused") if late else learning(draw)

    made = config(tmp_path / "run", cycles=40, checkpoint_every=20)
    stopped = train(made, script=policy(design, sometimes)).stopped
    assert re.search(r"3 cycles in a row .*design.request.failed 9.*--resume", stopped), stopped
    assert (tmp_path / "run" / "checkpoints" / "000004").is_dir()
    result = train(config(tmp_path / "run", cycles=5), script=policy(learning, sometimes), resume=True)
    assert result.cycles == 5 and result.policy_version == 2


def test_a_straggler_is_missing_and_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = ScriptedSampler.draw

    async def draw(self: ScriptedSampler, wanted: Any) -> Any:
        if "plain:00001" in wanted.key:
            await asyncio.Event().wait()
        return await real(self, wanted)

    monkeypatch.setattr(ScriptedSampler, "draw", draw)
    made = config(tmp_path / "run", cycles=1, slots=1, episode_seconds=0.5)
    result = train(made, script=policy(lambda draw: fenced(adding(1)), sometimes))
    assert result.troubles == {"episode.deadline": 1} and result.policy_version == 1
    assert numbers(tmp_path / "run")[0]["agent/trajectories"] == 3


def test_a_full_disk_loses_numbers_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(metrics, "_append", full)
    told: list[Event] = []
    result = train(config(tmp_path / "run", cycles=2), script=policy(learning, sometimes), watch=told.append)
    assert result.cycles == 2 and sum(isinstance(one, CycleEnded) for one in told) == 2
    assert ["No space left" in one.what for one in told if isinstance(one, Trouble)] == [True, True]


@pytest.mark.parametrize("what", ["write_draws", "save", "remember"])
def test_a_full_disk_stops_the_run_where_something_would_be_lost(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def full(real: Any) -> Any:
        def write(*given: Any, **named: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == 3:
                raise OSError(errno.ENOSPC, "No space left on device")
            return real(*given, **named)

        return write

    place = {"write_draws": (checkpoint, "write_atomic"), "save": (checkpoint, "_to_disk"), "remember": (None, "")}[
        what
    ]
    with monkeypatch.context() as patch:
        if place[0] is not None:
            patch.setattr(place[0], place[1], full(getattr(place[0], place[1])))
        else:
            patch.setattr(SqliteMemory, "add_report", full(SqliteMemory.add_report))
        assert "No space left" in train(config(tmp_path / "run"), script=policy(learning, sometimes)).stopped
    result = train(config(tmp_path / "run"), script=policy(learning, sometimes), resume=True)
    assert (result.stopped, result.cycles) == ("done", 4)


def test_a_check_that_fails_itself_is_no_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def undecided(self: Any, source: EnvSource, known: Any) -> Report:
        return Report(source.sha256, (Finding("gate.error", Severity.UNDECIDED, "the check ended"),))

    monkeypatch.setattr(gatekeeper.Gatekeeper, "_checked", undecided)
    assert "nothing to train on" in train(config(tmp_path / "run"), script=policy(learning, sometimes)).stopped
    assert all(one["designs/undecided"] + one["designs/static"] == 1 for one in numbers(tmp_path / "run"))


def test_an_interrupted_run_writes_a_checkpoint_and_goes_on(tmp_path: Path) -> None:
    def interrupt(event: Event) -> None:
        if isinstance(event, CycleEnded) and event.cycle == 1:
            raise KeyboardInterrupt

    made = config(tmp_path / "run", checkpoint_every=10)
    result = train(made, script=policy(learning, sometimes), watch=interrupt)
    assert (result.stopped, result.cycles) == ("interrupted", 2)
    assert (tmp_path / "run" / "checkpoints" / "000002").is_dir()
    assert train(made, script=policy(learning, sometimes), resume=True).stopped == "done"


def test_two_processes_do_not_run_in_one_folder(tmp_path: Path) -> None:
    made = config(tmp_path / "run", cycles=1)

    def again(event: Event) -> None:
        if isinstance(event, Saved):
            with pytest.raises(TrainingError, match="another run holds the folder"):
                train(made, script=policy(learning, sometimes), resume=True)

    train(made, script=policy(learning, sometimes), watch=again)


# -- pools -----------------------------------------------------------------------------------------------------


def hashes(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def pooled(folder: Path, **changed: Any) -> Config:
    """A run that plays the shelf in ``folder / "pool"``."""
    return rid_of_unused(config(folder / "run", designer="pool", pool=str(folder / "pool"), **changed))


def test_a_pool_is_played_in_turn_and_never_changed(tmp_path: Path) -> None:
    shelf = Shelf.create(tmp_path / "pool", "mine", 1)
    for number in range(5):
        source = EnvSource(adding(number), skill="optimization", contract="answer")
        shelf.add(source, card_of(source, Report(source.sha256, contract="answer", max_turns=4)))
    before = hashes(tmp_path / "pool")
    drawn: list[str] = []

    def wins(hinted: bool, draw: Any, version: int) -> bool:
        drawn.append(draw.key)
        return sometimes(hinted, draw, version)

    made = pooled(tmp_path, slots=2, cycles=5, hinted=2)
    result = train(made, script=policy(learning, wins))
    assert result.policy_version == 5 and hashes(tmp_path / "pool") == before
    played = [sorted({key.split(":")[1] for key in drawn if key.startswith(f"{cycle}:")}) for cycle in range(5)]
    assert all(len(one) == 2 for one in played)
    assert {name: sum(name in one for one in played) for name in {n for one in played for n in one}} == {
        f"pool.env-{number:04d}": 2 for number in range(1, 6)
    }


def test_an_empty_pool_is_an_error(tmp_path: Path) -> None:
    Shelf.create(tmp_path / "pool", "mine", 1)
    made = pooled(tmp_path)
    with pytest.raises(ConfigError, match="holds no environment"):
        train(made, script=policy(learning, sometimes))


def test_idle_is_counted_over_cycles_in_a_row(tmp_path: Path) -> None:
    def design(draw: Any) -> Any:
        odd = int(draw.key.split(":")[1]) % 2
        return Stop(StopReason.SERVER_ERROR, "gone") if odd else learning(draw)

    result = train(config(tmp_path / "run", cycles=6), script=policy(design, sometimes))
    assert (result.cycles, result.policy_version) == (6, 3) and loop.MOST_IDLE == 3
