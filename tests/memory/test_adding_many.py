"""Many sources at once: the same rows as one by one, at a cost that does not grow, and errors that come in order."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from filled import named, said

from spade_envs.errors import StoreError
from spade_envs.memory import Filters, SqliteMemory, preparing, upkeep
from spade_envs.memory.looking import find
from spade_envs.types import EnvSource, Report

TABLES = {
    "sources": "id, sha256, name, skill, contract, verdict, rule, made_by, run, scale, step, pool, path, parent, lines",
    "texts": "*",
    "reports": "id, source, verdict, body",
    "counts": "*",
}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[SqliteMemory]:
    with SqliteMemory(tmp_path / "memory.db") as opened:
        yield opened


def nan(source: EnvSource) -> Report:
    return Report(source.sha256, seconds={"load": float("nan")})


@pytest.mark.parametrize("together", [1, 7, 2000])
def test_together_or_one_by_one_the_rows_are_the_same(
    memory: SqliteMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    monkeypatch.setattr(preparing, "TOGETHER", together)
    given = [(named(number), said(named(number), number)) for number in range(600)]
    again = [(named(number, skill="another"), None) for number in (3, 3, 599)]
    assert memory.add_many([*given[:5], *again[:2], *given, *again]) == 600
    with SqliteMemory(tmp_path / "other.db") as other:
        for one in given:
            assert other.add_many([one]) == 1
        for table, columns in TABLES.items():
            sql = f"SELECT {columns} FROM {table} ORDER BY 1, 2"
            assert memory.db.run(sql) == other.db.run(sql)
    assert list(upkeep.verify(memory)) == []
    assert [row.name for row in find(memory, Filters(text="Thing599Env")).rows] == ["Thing599Env"]


def test_of_equal_texts_the_first_is_remembered_with_its_report(memory: SqliteMemory) -> None:
    first, second = named(1, skill="first"), named(1, skill="second")
    assert memory.add_many([(named(0), None), (first, None), (second, said(second, 1)), (named(2), None)]) == 3
    assert memory.source(first.sha256) == first
    assert memory.reports(first.sha256) == ()
    assert memory.db.run("SELECT name FROM sources ORDER BY id") == [("Thing0Env",), ("Thing1Env",), ("Thing2Env",)]


def test_a_source_costs_no_more_among_many(memory: SqliteMemory) -> None:
    """Instructions of SQLite's machine, in tens."""

    def cost(source: EnvSource) -> int:
        steps: list[int] = []
        memory.db._db.set_progress_handler(lambda: steps.append(1), 10)
        memory.add_source(source)
        memory.db._db.set_progress_handler(None, 0)
        return len(steps)

    memory.add_many((named(number), None) for number in range(20))
    among_few = cost(named(-1))
    memory.add_many((named(number), None) for number in range(20, 3000))
    assert cost(named(-2)) <= 2 * among_few


def test_transactions_are_bounded_by_count_and_by_size(memory: SqliteMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "TOGETHER", 5)
    monkeypatch.setattr(preparing, "CHARACTERS", 100)
    small = [(EnvSource(f"x = {number}"), None) for number in range(12)]
    large = [(EnvSource(f"x = '{number}{'y' * 60}'"), None) for number in range(5)]
    parts = list(preparing.prepared_ahead(memory.db.packer, [*small, *large]))
    assert [len(part) for part in parts] == [5, 5, 4, 2, 1]


@pytest.mark.parametrize("broken", ["source", "report"])
def test_what_came_before_an_error_is_kept(memory: SqliteMemory, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    monkeypatch.setattr(preparing, "TOGETHER", 4)

    def given() -> Iterator[tuple[EnvSource, Report | None]]:
        for number in range(10):
            if number == 9 and broken == "source":
                raise OSError("the pool has gone")
            yield named(number), nan(named(number)) if number == 9 else None

    before = threading.active_count()
    with pytest.raises(OSError if broken == "source" else StoreError, match=r"has gone|NaN"):
        memory.add_many(given())
    assert memory.last == 8
    assert threading.active_count() == before
    assert list(upkeep.verify(memory)) == []


def test_a_disk_that_is_full_stops_it_and_leaves_no_thread(
    memory: SqliteMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "TOGETHER", 4)
    memory.add_many((named(number), None) for number in range(4))
    (pages,) = memory.db.run("PRAGMA page_count")[0]
    memory.db.run(f"PRAGMA max_page_count = {pages + 2}")
    before = threading.active_count()
    with pytest.raises(StoreError, match="full"):
        memory.add_many((named(number, hint=f"{number}" * 9000), None) for number in range(4, 40))
    assert threading.active_count() == before
    kept = memory.last
    assert kept in range(4, 40, 4)
    memory.db.run("PRAGMA max_page_count = 1000000")
    assert memory.add_many((named(number), None) for number in range(40)) == 40 - kept
    assert list(upkeep.verify(memory)) == []


def test_sources_are_read_where_they_are_asked_for(memory: SqliteMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    """They may come from a file that one thread alone may read, or from this memory."""
    monkeypatch.setattr(preparing, "TOGETHER", 3)
    readers = set()

    def given() -> Iterator[tuple[EnvSource, Report | None]]:
        for number in range(20):
            readers.add(threading.get_ident())
            assert memory.last <= number
            yield named(number), None

    assert memory.add_many(given()) == 20
    assert readers == {threading.get_ident()}


KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from filled import named, said
from spade_envs.memory import SqliteMemory, preparing
preparing.TOGETHER = 4
path = Path(sys.argv[1])
for point in range(1000):
    child = os.fork()
    if child == 0:
        statements = []
        def trace(statement):
            statements.append(statement)
            if len(statements) > point:
                os.kill(os.getpid(), signal.SIGKILL)
        memory = SqliteMemory(path.with_name(f"{point}.db"))
        memory.db._db.set_trace_callback(trace)
        memory.add_many((named(number), said(named(number), number)) for number in range(12))
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(code, flush=True)
    if code == 0:
        break
"""


def test_killed_at_every_statement_whole_transactions_are_there(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "m.db"), str(Path(__file__).parent)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    codes = [int(line) for line in run.stdout.split()]
    assert len(codes) > 30 and codes[-1] == 0
    kept = []
    for point in range(len(codes)):
        with SqliteMemory(tmp_path / f"{point}.db") as memory:
            assert list(upkeep.verify(memory)) == []
            kept.append(memory.last)
            assert memory.add_many((named(number), None) for number in range(12)) == 12 - kept[-1]
    assert sorted(set(kept)) == [0, 4, 8, 12] and kept == sorted(kept)
