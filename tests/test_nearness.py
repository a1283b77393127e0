"""Near neighbours in the memory: who is one, who is not, and what a crowd of copies costs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from spade_envs.codec import to_json
from spade_envs.memory import SqliteMemory, nearness, upkeep
from spade_envs.memory.nearness import BELOW_ONE, CANDIDATES, CROWD
from spade_envs.rules import EXAMPLE
from spade_envs.similarity import FORMAT, signature
from spade_envs.types import EnvSource, Finding, Report, Severity


def copy(tag: object) -> EnvSource:
    """The same code about something else."""
    return EnvSource(EXAMPLE.replace("AddEnv", f"Add{tag}Env").replace("What is", f"Task {tag}:"))


def unlike(tag: int) -> EnvSource:
    """Code that shares nothing with any other: every method it calls is its own."""
    return EnvSource("".join(f"x.call{tag}_{i}()\n" for i in range(40)))


def partly(share: int, tag: str = "z") -> EnvSource:
    """A row of 100 calls, the first ``share`` of them those of every other."""
    rows = [f"x.call{i}()" if i < share else f"x.{tag}{i}()" for i in range(100)]
    return EnvSource("\n".join(rows))


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[SqliteMemory]:
    with SqliteMemory(tmp_path / "memory.db") as memory:
        yield memory


def admit(memory: SqliteMemory, *sources: EnvSource) -> None:
    memory.add_many((source, Report(source.sha256)) for source in sources)
    upkeep.sign(memory)


def refused(source: EnvSource) -> Report:
    return Report(source.sha256, (Finding("leak.info", Severity.ERROR, "No."),))


def near_hashes(memory: SqliteMemory, source: EnvSource, until: int | None = None) -> list[str]:
    return [one.sha256 for one in memory.neighbours(source, until=until)]


def test_admitted_copies_are_told_however_they_were_added(memory: SqliteMemory) -> None:
    one, two, other = copy(1), copy(2), unlike(0)
    memory.add_source(one)
    assert near_hashes(memory, copy(3)) == [], "nobody has said yet that it is admitted"
    memory.add_report(Report(one.sha256))
    admit(memory, two, other)
    memory.shelve(two.sha256, "spade/env-1001")
    first, second = memory.neighbours(copy(3))
    assert (first.sha256, first.name, second.sha256, second.name) == (
        one.sha256,
        "Add1Env",
        two.sha256,
        "spade/env-1001",
    )
    assert first.similarity == second.similarity == BELOW_ONE, "1 is for the same code"
    assert near_hashes(memory, other) == near_hashes(memory, EnvSource("# no code")) == []


def test_what_is_refused_is_no_neighbour(memory: SqliteMemory) -> None:
    """It is there to be mended and handed in again; the last report counts."""
    fallen, never = copy("Fallen"), copy("Never")
    admit(memory, fallen)
    memory.add_source(never)
    memory.add_report(refused(never))
    assert near_hashes(memory, copy(1)) == [fallen.sha256]
    memory.add_report(refused(fallen))
    assert near_hashes(memory, copy(1)) == []
    memory.add_report(Report(never.sha256))
    assert near_hashes(memory, copy(1)) == [never.sha256]


def test_a_source_may_resemble_what_it_descends_from(memory: SqliteMemory) -> None:
    oldest = copy("Oldest")
    between = replace(copy("Between"), parent=oldest.sha256)
    aunt = replace(copy("Aunt"), parent=oldest.sha256)
    child = replace(copy("Child"), parent=between.sha256)
    admit(memory, oldest, between, aunt)
    assert near_hashes(memory, child) == [aunt.sha256]
    admit(memory, child)
    assert near_hashes(memory, child) == [aunt.sha256], "nor itself, once it is there"


def test_ancestors_in_a_circle_or_unknown_end(memory: SqliteMemory) -> None:
    ring = replace(copy("Ring"), parent=copy("Other").sha256)
    admit(memory, ring, replace(copy("Other"), parent=ring.sha256), replace(copy("Lost"), parent="no hash"))
    assert near_hashes(memory, replace(copy("New"), parent=ring.sha256)) == [copy("Lost").sha256]


def test_a_long_line_of_ancestors_is_cut(memory: SqliteMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    line = [copy(0)]
    for tag in range(1, 7):
        line.append(replace(copy(tag), parent=line[-1].sha256))
    admit(memory, *line[:-1])
    assert near_hashes(memory, line[-1]) == []
    monkeypatch.setattr(nearness, "GENERATIONS", 3)
    assert near_hashes(memory, line[-1]) == [source.sha256 for source in line[:3]]


def test_only_what_was_there_by_then_counts(memory: SqliteMemory) -> None:
    assert memory.last == 0
    admit(memory, copy(1), unlike(1))
    then = memory.last
    admit(memory, copy(2))
    assert (then, memory.last) == (2, 3)
    assert near_hashes(memory, copy(3), until=then) == [copy(1).sha256]
    assert near_hashes(memory, copy(3)) == [copy(1).sha256, copy(2).sha256]
    assert near_hashes(memory, copy(3), until=0) == []


def test_the_nearest_come_first_and_others_not_at_all(memory: SqliteMemory) -> None:
    shares = (70, 95, 100, 85, 20)
    admit(memory, *(partly(share) for share in shares))
    found = memory.near(signature(partly(99, "y").text), least=0.65)
    assert [one.sha256 for one in found] == [partly(share).sha256 for share in (100, 95, 85)]
    assert memory.near(signature(partly(99, "y").text), least=0.65, most=1) == found[:1]
    assert memory.near(signature(partly(99, "y").text), least=0.95) == found[:1]
    assert memory.near(signature(partly(99, "y").text), but=[found[0].sha256]) == found[1:]


def test_signatures_of_another_format_are_not_compared(memory: SqliteMemory) -> None:
    source = unlike(1)
    memory.add_source(source)
    mine = signature(copy(1).text)
    for bad in (b"", bytes([FORMAT + 1]) + mine[1:], mine[:-1]):
        memory.add_signature(source.sha256, bad)
        assert memory.near(bad) == ()
    assert memory.db.run("SELECT count(*) FROM signatures") == memory.db.run("SELECT count(*) FROM bands") == [(0,)]
    memory.add_signature(source.sha256, mine)
    memory.add_report(Report(source.sha256))
    assert near_hashes(memory, copy(2)) == [source.sha256], "the signature that was given stays"


def test_a_crowd_of_copies_costs_a_bounded_number_of_rows(memory: SqliteMemory) -> None:
    crowd = [copy(tag) for tag in range(CROWD * 3)]
    admit(memory, *crowd)
    asked: list[int] = []
    run = memory.db.run

    def counting(sql: str, *values: object) -> list[tuple[object, ...]]:
        rows = run(sql, *values)
        asked.append(len(rows))
        return rows

    memory.db.run = counting  # type: ignore[method-assign]
    found = memory.neighbours(copy("New"))
    assert len(found) == 10 and {one.similarity for one in found} == {BELOW_ONE}
    assert max(asked) <= CROWD <= CANDIDATES


def test_older_files_get_signatures_too(tmp_path: Path) -> None:
    """What an older version admitted is compared with as well."""
    old = sqlite3.connect(tmp_path / "memory.db", isolation_level=None)
    source = copy("Old")
    old.executescript(
        """CREATE TABLE sources (sha256 TEXT PRIMARY KEY, text BLOB, skill TEXT, contract TEXT, hint TEXT, parent TEXT,
        document TEXT, made_by TEXT, seen TEXT); CREATE INDEX sources_skill ON sources (skill);
        CREATE TABLE reports (id INTEGER PRIMARY KEY, sha256 TEXT, verdict TEXT, body TEXT, seen TEXT);
        CREATE INDEX reports_sha256 ON reports (sha256);
        CREATE TABLE probes (id INTEGER PRIMARY KEY, sha256 TEXT, model TEXT, band TEXT, regret REAL, body TEXT,
        seen TEXT); CREATE INDEX probes_sha256 ON probes (sha256); PRAGMA user_version = 1"""
    )
    day = "2026-01-31T12:00:00Z"
    values = (source.sha256, source.text.encode(), "", "", "", "", "", "", day)
    old.execute("INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    body = json.dumps(to_json(Report(source.sha256)))
    old.execute("INSERT INTO reports VALUES (1, ?, 'admit', ?, ?)", (source.sha256, body, day))
    old.close()
    with SqliteMemory(tmp_path / "memory.db") as memory:
        assert near_hashes(memory, copy("New")) == [source.sha256]
