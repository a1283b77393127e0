"""Copies, exports, what verification finds, and files of older versions."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard
from filled import fill, measured, named, said

from spade_envs.codec import to_json
from spade_envs.errors import StoreError
from spade_envs.memory import Filters, SqliteMemory, upkeep
from spade_envs.memory.looking import facets, find, resolve
from spade_envs.store import search_path
from spade_envs.types import EnvSource, Episode, Report, StopReason, Turn, Verdict


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[SqliteMemory]:
    with SqliteMemory(tmp_path / "memory.db") as opened:
        yield opened


def episode(number: int, *, hinted: bool = False) -> Episode:
    turn = Turn("r", "a", f"o{number}", 1.0)
    return Episode("x", number, "p", "first", (turn,), True, False, StopReason.TERMINATED, hinted=hinted)


def everything_in(memory: SqliteMemory) -> None:
    sources = fill(memory, 12)
    memory.add_report(said(sources[3], 3))
    for _ in range(6):
        memory.add_probe(sources[1].sha256, measured((1, 3), 4))
    memory.add_episode(sources[1].sha256, episode(1))
    memory.add_lineage(sources[1].sha256, [sources[2].sha256])


def test_a_backup_is_a_memory_and_overwrites_nothing(memory: SqliteMemory, tmp_path: Path) -> None:
    everything_in(memory)
    target = tmp_path / "copy.db"
    upkeep.backup(memory, target)
    with SqliteMemory(target, write=False) as copy:
        assert find(copy, Filters(), most=100) == find(memory, Filters(), most=100)
        assert upkeep.verify(copy) == ()
        with pytest.raises(StoreError, match="read-only"):
            copy.add_source(named(99))
    with pytest.raises(StoreError, match="is there already, and is not overwritten"):
        upkeep.backup(memory, target)
    with pytest.raises(StoreError, match=r"cannot be copied to a file in .*absent.*check that the folder is there"):
        upkeep.backup(memory, tmp_path / "absent" / "copy.db")
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith((".", "memory.db"))) == [
        "copy.db"
    ]


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.zst"])
def test_an_export_holds_every_source(memory: SqliteMemory, tmp_path: Path, name: str) -> None:
    sources = fill(memory, 12)
    strange = EnvSource("\ud800\r\n", parent="p" * 64)
    memory.add_source(strange)
    assert upkeep.export(memory, tmp_path / name, Filters()) == 13
    data = (tmp_path / name).read_bytes()
    if name.endswith(".zst"):
        data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    lines = [json.loads(line) for line in data.splitlines()]
    assert [line["code"] for line in lines] == [source.text for source in [*sources, strange]]
    assert [line["sha256"] for line in lines] == [source.sha256 for source in [*sources, strange]]
    assert lines[0]["origin"] == to_json(sources[0].origin) and lines[0]["verdict"] == "refuse"
    assert lines[0]["rule"] == "static.size"
    assert upkeep.export(memory, tmp_path / "some.jsonl", Filters(verdict="refuse")) == 4
    with pytest.raises(StoreError, match="not overwritten"):
        upkeep.export(memory, tmp_path / name, Filters())
    with pytest.raises(ValueError, match=r"end in .jsonl or .jsonl.zst"):
        upkeep.export(memory, tmp_path / "all.zst", Filters())


DAMAGE = {
    "no text": ("DELETE FROM texts WHERE id = 2", "has no text"),
    "another text": (
        "UPDATE texts SET body = (SELECT body FROM texts WHERE id = 1) WHERE id = 2",
        "is not the one that its hash names",
    ),
    "garbage": ("UPDATE texts SET body = x'00' WHERE id = 2", "damaged"),
    "verdict": ("UPDATE sources SET verdict = 'admit' WHERE id = 1", "which its last report does not say"),
    "report": ("UPDATE reports SET verdict = 'admit' WHERE source = 1", "another verdict than its own"),
    "lost report": ("DELETE FROM reports WHERE source = 1", "which its last report does not say"),
    "lost probe": ("DELETE FROM probes WHERE id = 1", "has 5 probes, but 6 are counted"),
    "regret": ("UPDATE sources SET low = 1 WHERE id = 2", "not what its probes say"),
    "count": ("UPDATE counts SET sources = 1 WHERE value = 'refuse'", "have the verdict 'refuse', but 1 are counted"),
    "ghost": ("INSERT INTO counts VALUES ('skill', 'nobody', 7)", "0 sources have the skill 'nobody', but 7"),
    "orphan": ("UPDATE reports SET source = 999 WHERE source = 1", "speaks of a row of sources that is not there"),
}


@pytest.mark.parametrize("sql, said", DAMAGE.values(), ids=DAMAGE)
def test_verification_finds_what_is_wrong(memory: SqliteMemory, sql: str, said: str) -> None:
    everything_in(memory)
    assert upkeep.verify(memory) == ()
    memory.db.run("PRAGMA foreign_keys = OFF")
    memory.db.run(sql)
    problems = upkeep.verify(memory)
    assert any(said in problem for problem in problems), problems


def test_a_damaged_page_is_found(memory: SqliteMemory, tmp_path: Path) -> None:
    fill(memory, 200)
    memory.db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    (page,) = memory.db.run("SELECT rootpage FROM sqlite_master WHERE name = 'sources_skill'")[0]
    memory.close()
    with open(tmp_path / "memory.db", "r+b") as stream:
        stream.seek((page - 1) * 4096 + 8)
        stream.write(b"\xff" * 4000)
    with SqliteMemory(tmp_path / "memory.db") as damaged:
        assert any("the file is damaged" in problem for problem in upkeep.verify(damaged))


def test_progress_is_told(memory: SqliteMemory) -> None:
    fill(memory, 1203)
    heard: list[int] = []
    upkeep.verify(memory, heard=heard.append)
    assert heard == [1000, 1203]


def test_a_memory_knows_what_shelves_know(memory: SqliteMemory) -> None:
    shelves = search_path()
    entries = [entry for shelf in shelves for entry in shelf.entries()]
    assert upkeep.rebuild(memory, shelves) == len(entries) > 0
    assert upkeep.rebuild(memory, shelves) == 0
    for entry in entries:
        assert resolve(memory, entry.env_id) == entry.sha256
        (report,) = memory.reports(entry.sha256)
        assert report.verdict is Verdict.ADMIT
    assert facets(memory, Filters(shelved=True)).total == len(entries)


def test_what_was_seen_before_keeps_its_reports_and_gets_its_id(memory: SqliteMemory) -> None:
    (shelf, *_) = search_path()
    entry = shelf.entries()[0]
    source = shelf.read_source(entry.name)
    memory.add_source(source)
    memory.add_report(Report(source.sha256))
    upkeep.rebuild(memory, [shelf])
    assert len(memory.reports(source.sha256)) == 1 and resolve(memory, entry.env_id) == source.sha256


def test_the_newest_episodes_of_each_arm_are_kept(memory: SqliteMemory) -> None:
    (source,) = fill(memory, 1)
    for number in range(12):
        memory.add_episode(source.sha256, episode(number))
    memory.add_episode(source.sha256, episode(50, hinted=True))
    assert [one.seed for one in memory.episodes(source.sha256)] == [50, *range(11, 3, -1)]
    assert memory.episodes(source.sha256)[1] == episode(11)
    assert upkeep.prune(memory, 2) == 6
    assert [one.seed for one in memory.episodes(source.sha256)] == [50, 11, 10]
    assert upkeep.prune(memory, 2) == 0
    with pytest.raises(ValueError, match="0 and more"):
        upkeep.prune(memory, -1)


VERSION_1 = """
CREATE TABLE sources (sha256 TEXT PRIMARY KEY, text BLOB NOT NULL, skill TEXT NOT NULL, contract TEXT NOT NULL,
    hint TEXT NOT NULL, parent TEXT NOT NULL, document TEXT NOT NULL, made_by TEXT NOT NULL,
    seen TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')));
CREATE INDEX sources_skill ON sources (skill);
CREATE TABLE reports (id INTEGER PRIMARY KEY AUTOINCREMENT, sha256 TEXT NOT NULL REFERENCES sources (sha256),
    verdict TEXT NOT NULL, body TEXT NOT NULL,
    seen TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')));
CREATE INDEX reports_sha256 ON reports (sha256);
CREATE TABLE probes (id INTEGER PRIMARY KEY AUTOINCREMENT, sha256 TEXT NOT NULL REFERENCES sources (sha256),
    model TEXT NOT NULL, band TEXT NOT NULL, regret REAL NOT NULL, body TEXT NOT NULL,
    seen TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')));
CREATE INDEX probes_sha256 ON probes (sha256);
PRAGMA user_version = 1;
"""


def version_1(path: Path, body: str | None = None) -> list[EnvSource]:
    """A file as the first release wrote it."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.executescript(VERSION_1)
    sources = [EnvSource("class AEnv:\r\n    '\ud800'\n", "skill", "answer", "hint", "cd" * 32, "doc", "me"), named(1)]
    for source in sources:
        about = (source.skill, source.contract, source.hint, source.parent, source.document, source.made_by)
        values = (source.sha256, source.text.encode("utf-8", "surrogatepass"), *about, "2026-01-02T03:04:05Z")
        db.execute("INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        report = body or json.dumps(to_json(said(source, 3)))
        db.execute("INSERT INTO reports (sha256, verdict, body) VALUES (?, 'refuse', ?)", (source.sha256, report))
    probe = json.dumps(to_json(measured((1, 3), 4)))
    values = (sources[0].sha256, "m", "frontier", 0.5, probe, "2026-01-03T00:00:00Z")
    db.execute("INSERT INTO probes (sha256, model, band, regret, body, seen) VALUES (?, ?, ?, ?, ?, ?)", values)
    db.close()
    return sources


def test_an_older_file_is_rewritten_with_all_in_it(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    sources = version_1(path)
    with pytest.raises(StoreError, match="older version 1"):
        SqliteMemory(path, write=False)
    with SqliteMemory(path) as memory:
        assert memory.source(sources[0].sha256) == sources[0]
        assert memory.reports(sources[0].sha256) == (said(sources[0], 3),)
        assert memory.probes(sources[0].sha256) == (measured((1, 3), 4),)
        assert upkeep.verify(memory) == ()
        (row,) = find(memory, Filters(text="aenv")).rows
        assert (row.seen, row.verdict, row.rule) == ("2026-01-02T03:04:05Z", Verdict.REFUSE, "feasibility.witness")
        assert row.measured is not None and row.measured.regret == 0.5 and row.parent == "cd" * 32
        assert memory.db.run("SELECT name FROM sqlite_master WHERE name LIKE 'old_%'") == []
    with SqliteMemory(path) as again:
        assert len(find(again, Filters()).rows) == 2


def test_an_older_file_with_a_broken_record_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    version_1(path, body='{"broken": 1}')
    for _ in range(2):
        with pytest.raises(StoreError, match=r"malformed: a broken Report.*restore a copy"):
            SqliteMemory(path)
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    assert db.execute("SELECT count(*) FROM sources").fetchone() == (2,)
    db.close()


@pytest.mark.parametrize(
    "change", ["sha256 = 'no hash'", "text = 'no bytes'", "text = x'ff'", "skill = x'00'"], ids=str.split
)
def test_an_older_file_with_a_broken_source_stays_as_it_was(tmp_path: Path, change: str) -> None:
    path = tmp_path / "old.db"
    version_1(path)
    db = sqlite3.connect(path)
    db.execute(f"UPDATE sources SET {change} WHERE rowid = 2")
    db.commit()
    with pytest.raises(StoreError, match=r"malformed: a broken row.*restore a copy"):
        SqliteMemory(path)
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    db.close()


@pytest.mark.parametrize("change", ["DELETE FROM dictionaries", "UPDATE dictionaries SET body = 'text'"])
def test_a_file_without_its_dictionary_is_damaged(memory: SqliteMemory, tmp_path: Path, change: str) -> None:
    memory.db.run(change)
    with pytest.raises(StoreError, match=r"lost its dictionary.*restore a copy"):
        SqliteMemory(tmp_path / "memory.db", write=False)


UNPRIVILEGED = """
import os, sys
from spade_envs.errors import StoreError
from spade_envs.memory import Filters, SqliteMemory
from spade_envs.memory.looking import find
if os.getuid() == 0:  # to whom modes mean nothing
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    with SqliteMemory(sys.argv[1], write=False) as memory:
        print(len(find(memory, Filters()).rows))
except StoreError as error:
    print(error)
"""


def test_what_lies_beside_a_file_that_cannot_be_written_is_not_passed_over(
    memory: SqliteMemory, tmp_path: Path
) -> None:
    memory.add_source(named(1))
    memory.db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    memory.add_source(named(2))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)  # the folders above tmp_path let nobody else in
        for part in ("memory.db", "memory.db-wal"):
            shutil.copy(tmp_path / part, folder / part)
            (folder / part).chmod(0o444)
        folder.chmod(0o555)

        def said() -> str:
            run = [sys.executable, "-c", UNPRIVILEGED, str(folder / "memory.db")]
            return subprocess.run(run, check=True, capture_output=True, text=True, timeout=60).stdout

        try:
            assert "can only be read together with memory.db-wal" in said()
            folder.chmod(0o755)
            (folder / "memory.db-wal").unlink()
            folder.chmod(0o555)
            assert said() == "1\n"
        finally:
            folder.chmod(0o755)


def test_reading_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"there is no memory at .*admit FILE"):
        SqliteMemory(tmp_path / "absent.db", write=False)
    (tmp_path / "empty.db").touch()
    with pytest.raises(StoreError, match="is no memory yet"):
        SqliteMemory(tmp_path / "empty.db", write=False)
    assert [path.name for path in tmp_path.iterdir()] == ["empty.db"]


def test_a_file_that_grew_without_end_is_not_unpacked(memory: SqliteMemory) -> None:
    (source,) = fill(memory, 1)
    bomb = zstandard.ZstdCompressor().compress(bytes(65 * 1024 * 1024))
    memory.db.run("UPDATE texts SET body = ?", bomb)
    with pytest.raises(StoreError, match="more than 67108864 bytes"):
        memory.source(source.sha256)


def test_what_has_come_meanwhile_is_not_overwritten(
    memory: SqliteMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(memory, 3)
    target, real = tmp_path / "copy.db", memory.db.backup_to

    def backup(path: Path) -> None:
        real(path)
        target.write_text("somebody else's")

    monkeypatch.setattr(memory.db, "backup_to", backup)
    with pytest.raises(StoreError, match="is there already"):
        upkeep.backup(memory, target)
    assert target.read_text() == "somebody else's"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".tmp-")]
