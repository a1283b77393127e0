"""An import from pool to memory and shelf: order, provenance, what is not done twice, and what a kill leaves."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from pooling import SKILLS, broken, good, put, put_lines, put_run, row_of

from spade_envs.bulk import Checkers
from spade_envs.importing import Census, ImportPlan, Judged, Pool, PoolImport, Problem, census_of
from spade_envs.importing import run as run_module
from spade_envs.importing.census import census, pools
from spade_envs.memory import SqliteMemory
from spade_envs.shelf import Shelf
from spade_envs.store import bundled_path
from spade_envs.types import EnvSource, Isolation, Neighbour, Report

UNDECIDED = good(500).replace("def solution", "def notes")


class Once:
    """Checkers that really check each text once in this file; after that they answer the same."""

    def __init__(self, checkers: Checkers) -> None:
        self._checkers, self.jobs = checkers, checkers.jobs
        self._answers: dict[object, Future[Report]] = {}

    def submit(self, source: EnvSource, known: Sequence[Neighbour] = ()) -> Future[Report]:
        key = source.sha256, source.hint, source.contract, tuple(known)
        if key not in self._answers:
            self._answers[key] = self._checkers.submit(source, known)
        return self._answers[key]


@pytest.fixture(scope="module")
def checkers() -> Iterator[Any]:
    with Checkers(2) as made:
        yield Once(made)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[SqliteMemory]:
    with SqliteMemory(tmp_path / "memory.db") as opened:
        yield opened


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf.create(tmp_path / "shelf", "lab", 1)


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    """Two that pass, one that is refused, one that is undecided."""
    texts = {(0, 0): good(0), (0, 1): broken(1), (30, 0): UNDECIDED, (60, 2): good(2)}
    put_run(tmp_path / "a-pool", texts, model="some-model", wandb_run_name="run-7")
    return tmp_path / "a-pool"


class Watched:
    """Checkers that tell what they were asked."""

    def __init__(self, checkers: Checkers) -> None:
        self._checkers, self.jobs = checkers, checkers.jobs
        self.asked: list[str] = []

    def submit(self, source: EnvSource, known: Sequence[Neighbour] = ()) -> Future[Report]:
        self.asked.append(source.text)
        return self._checkers.submit(source, known)


def go(
    path: Path, memory: SqliteMemory, checkers: Any, shelf: Shelf | None = None, **plan: Any
) -> tuple[list[Judged], Census]:
    """Run an import; what became of each, and the census."""
    run = PoolImport(Pool(path), memory, checkers, shelf=shelf, plan=ImportPlan(**plan))
    judged = [event for event in run if isinstance(event, Judged)]
    return judged, run.census()


def verdicts(judged: Sequence[Judged]) -> list[str]:
    return [one.report.verdict.value for one in judged]


def test_what_passes_is_on_the_shelf_with_its_provenance(
    pool: Path, memory: SqliteMemory, checkers: Checkers, shelf: Shelf
) -> None:
    judged, _ = go(pool, memory, checkers, shelf)
    assert verdicts(judged) == ["admit", "refuse", "undecided", "admit"]
    assert [one.env_id for one in judged] == ["lab/env-0001", "", "", "lab/env-0002"]
    assert [one.rule for one in judged] == ["", "static.import", "feasibility.no_witness", ""]
    source = judged[3].candidate.source
    card = shelf.read_card("env-0002")
    assert card.origin == source.origin and card.made_by == "some-model" and card.skill == SKILLS[2]
    assert (card.origin.pool, card.origin.run, card.origin.step) == ("a-pool", "run-7", 60)
    assert card.origin.path == f"games/gen_0003/game_00060_002_{SKILLS[2]}.py"
    assert '"n_plays": 16' in card.origin.claimed
    assert shelf.read_source("env-0002") == dataclasses.replace(source, contract="answer")
    for one in judged:
        assert memory.source(one.candidate.source.sha256) == one.candidate.source
        assert memory.reports(one.candidate.source.sha256) == (one.report,)


def test_the_census_is_that_of_the_memory(pool: Path, memory: SqliteMemory, checkers: Checkers, shelf: Shelf) -> None:
    put(pool, "z-blank.py", "")
    _, counted = go(pool, memory, checkers, shelf)
    total = counted.total
    assert (total.admitted, total.refused, total.undecided, total.unchecked) == (2, 1, 1, 0)
    assert [(one.rule, one.refused, one.undecided) for one in counted.rules] == [
        ("feasibility.no_witness", 0, 1),
        ("static.import", 1, 0),
    ]
    assert [(one.value, one.admitted, one.sources) for one in counted.skills] == [
        (SKILLS[1], 0, 1),
        (SKILLS[0], 1, 2),
        (SKILLS[2], 1, 1),
    ]
    assert [(one.value, one.sources) for one in counted.models] == [("some-model", 4)]
    assert [(one.first, one.tally.sources) for one in counted.steps] == [(0, 2), (30, 1), (60, 1)]
    assert [(one.kind, one.count) for one in counted.problems] == [("no code", 1)]
    assert counted.shelved == 2
    assert dataclasses.replace(counted, problems=()) == census(memory, "a-pool")
    assert pools(memory) == ("a-pool",)
    unchecked = census_of(Pool(pool))
    assert (unchecked.total.unchecked, unchecked.total.sources) == (4, 4)
    assert unchecked.problems == counted.problems


def test_a_second_run_checks_nothing(pool: Path, memory: SqliteMemory, checkers: Checkers, shelf: Shelf) -> None:
    first, before = go(pool, memory, checkers, shelf)
    watched = Watched(checkers)
    second, after = go(pool, memory, watched, shelf)
    assert watched.asked == []
    assert [(one.report, one.env_id) for one in second] == [(one.report, one.env_id) for one in first]
    assert all(one.known for one in second) and not any(one.known for one in first)
    assert after == before
    assert [len(memory.reports(one.candidate.source.sha256)) for one in second] == [1] * 4
    assert len(shelf.entries()) == 2


def test_what_is_checked_again(
    pool: Path, memory: SqliteMemory, checkers: Checkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(pool, memory, checkers)
    for plan, expected in (({"undecided": True}, 1), ({"recheck": True}, 4), ({"isolation": Isolation.SECCOMP}, 0)):
        watched = Watched(checkers)
        go(pool, memory, watched, **plan)
        assert len(watched.asked) == expected, plan
    monkeypatch.setattr(run_module, "__version__", "9.9.9")
    watched = Watched(checkers)
    go(pool, memory, watched)
    assert len(watched.asked) == 4


def test_a_report_under_weaker_isolation_does_not_count(
    tmp_path: Path, memory: SqliteMemory, checkers: Checkers
) -> None:
    put(tmp_path / "p", "a.py", good(1))
    (judged,), _ = go(tmp_path / "p", memory, checkers)
    source = judged.candidate.source
    memory.add_report(dataclasses.replace(judged.report, isolation=Isolation.PROCESS))
    watched = Watched(checkers)
    go(tmp_path / "p", memory, watched, isolation=Isolation.PROCESS)
    assert watched.asked == []
    go(tmp_path / "p", memory, watched)
    assert watched.asked == [source.text]


def test_another_hint_is_judged_anew(tmp_path: Path, memory: SqliteMemory, checkers: Checkers, shelf: Shelf) -> None:
    source = EnvSource(good(1))
    memory.add_source(source)
    memory.add_report(checkers.submit(source).result())
    rows = put_lines(tmp_path, "rows.jsonl", [row_of(1, good(1), hint="Add the two numbers.")])
    watched = Watched(checkers)
    (judged,), _ = go(rows, memory, watched, shelf)
    assert watched.asked == [source.text]
    assert shelf.read_card("env-0001").hint == judged.candidate.source.hint == "Add the two numbers."


@pytest.mark.parametrize("shelved", [True, False])
def test_the_same_code_passes_once(
    tmp_path: Path, memory: SqliteMemory, checkers: Checkers, shelf: Shelf, shelved: bool
) -> None:
    """Both are checked at the same time, and the first in the pool is the one that stays, also without a shelf."""
    put(tmp_path / "p", "a.py", good(1))
    put(tmp_path / "p", "b.py", f"{good(1)}# again\n")
    target = shelf if shelved else None
    judged, _ = go(tmp_path / "p", memory, checkers, target)
    assert verdicts(judged) == ["admit", "refuse"]
    assert judged[1].rule == "duplicates.exact"
    assert ("lab/env-0001" if shelved else "a.py") in judged[1].report.findings[0].message
    assert memory.reports(judged[1].candidate.source.sha256) == (judged[1].report,)
    again, _ = go(tmp_path / "p", memory, Watched(checkers), target)
    assert verdicts(again) == ["admit", "refuse"] and all(one.known for one in again)


def test_what_other_shelves_hold_keeps_its_id(
    tmp_path: Path, memory: SqliteMemory, checkers: Checkers, shelf: Shelf
) -> None:
    text = (bundled_path() / "env-0001" / "env.py").read_text("utf-8")
    put(tmp_path / "p", "a.py", text)
    put(tmp_path / "p", "b.py", f"{text}# again\n")
    run = PoolImport(Pool(tmp_path / "p"), memory, checkers, shelf=shelf, others=[Shelf(bundled_path())])
    judged = [event for event in run if isinstance(event, Judged)]
    assert [(one.env_id, one.known) for one in judged] == [("spade/env-0001", True), ("", False)]
    assert judged[1].rule == "duplicates.exact"
    assert not shelf.entries()
    assert len(memory.reports(judged[0].candidate.source.sha256)) == 1


def test_nothing_goes_on_a_shelf_without_one(
    pool: Path, memory: SqliteMemory, checkers: Checkers, shelf: Shelf
) -> None:
    judged, counted = go(pool, memory, checkers)
    assert verdicts(judged) == ["admit", "refuse", "undecided", "admit"]
    assert counted.shelved == 0 and not any(one.env_id for one in judged)
    watched = Watched(checkers)
    judged, counted = go(pool, memory, watched, shelf)
    assert watched.asked == [] and counted.shelved == 2
    assert census(memory, "a-pool").shelved == 2


def test_only_what_is_wanted(pool: Path, memory: SqliteMemory, checkers: Checkers) -> None:
    judged, _ = go(pool, memory, checkers, limit=2)
    assert verdicts(judged) == ["admit", "refuse"]
    judged, counted = go(pool, memory, checkers, skill=SKILLS[0])
    assert [one.candidate.source.skill for one in judged] == [SKILLS[0]] * 2
    assert counted.total.sources == 2
    judged, _ = go(pool, memory, checkers, skill=SKILLS[0], limit=1)
    assert len(judged) == 1
    with pytest.raises(ValueError, match="limit is -1"):
        ImportPlan(limit=-1)


class Stop(Exception):
    """In place of a kill."""


@pytest.mark.parametrize("method", ["add_source", "add_report", "add", "shelve"])
@pytest.mark.parametrize("after", [True, False])
def test_stopped_at_any_write_it_goes_on(
    pool: Path, tmp_path: Path, checkers: Checkers, monkeypatch: pytest.MonkeyPatch, method: str, after: bool
) -> None:
    owner: Any = Shelf if method == "add" else SqliteMemory
    real = getattr(owner, method)

    def stopping(*arguments: Any) -> Any:
        if after:
            real(*arguments)
        raise Stop

    shelf = Shelf.create(tmp_path / "stopped", "lab", 1)
    with SqliteMemory(tmp_path / "stopped.db") as memory:
        with monkeypatch.context() as patched, pytest.raises(Stop):
            patched.setattr(owner, method, stopping)
            go(pool, memory, checkers, shelf)
        judged, counted = go(pool, memory, checkers, shelf)
        assert [one.env_id for one in judged] == ["lab/env-0001", "", "", "lab/env-0002"]
        assert [len(memory.reports(one.candidate.source.sha256)) for one in judged] == [1] * 4
        assert len(shelf.entries()) == counted.shelved == census(memory, "a-pool").shelved == 2


def test_what_fits_on_no_card_stops_nothing(
    pool: Path, memory: SqliteMemory, checkers: Checkers, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = run_module.card_of

    def long(source: EnvSource, report: Report) -> Any:
        card = real(source, report)
        return dataclasses.replace(card, document="x" * 5000) if source.text == good(0) else card

    monkeypatch.setattr(run_module, "card_of", long)
    run = PoolImport(Pool(pool), memory, checkers, shelf=shelf)
    events = list(run)
    problems = [event for event in events if isinstance(event, Problem)]
    assert [problem.kind.value for problem in problems] == ["no card"]
    assert len(shelf.entries()) == 1 and run.census().total.admitted == 2
    assert run.census().total == census(memory, "a-pool").total


def test_little_is_read_ahead(tmp_path: Path, memory: SqliteMemory, checkers: Checkers) -> None:
    for number in range(40):
        put(tmp_path / "p", f"{number:02d}.py", f"x = {number}")
    watched = Watched(checkers)
    run = PoolImport(Pool(tmp_path / "p"), memory, watched)
    assert isinstance(next(iter(run)), Judged)
    assert len(watched.asked) <= run_module.AHEAD * checkers.jobs
