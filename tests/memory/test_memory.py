"""The memory: what goes in comes out, nothing is overwritten, and many may write at once."""

from __future__ import annotations

import doctest
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from spade_envs.errors import StoreError
from spade_envs.memory import SCHEMA_VERSION, SqliteMemory
from spade_envs.memory import remembering as module
from spade_envs.types import EnvSource, Finding, Memory, Probe, Report, Repro, Severity, Verdict

REFUSED = (Finding("static.size", Severity.ERROR, "too large", 3, Repro(7, ("a", "b"))),)
UNDECIDED = (Finding("feasibility.no_witness", Severity.UNDECIDED, "no witness"),)


def make_source(tag: object, skill: str = "") -> EnvSource:
    return EnvSource(f"tag = {tag!r}\r\n", skill=skill)


def make_probe(regret: float = 0.5) -> Probe:
    return Probe((1, 2), (0.0, None), (1.0, 0.5), regret, (0.1, 0.9), "frontier", "m", "v0", "{}", "ab", "2026-01-31")


def admit(into: SqliteMemory, tag: object, skill: str = "") -> EnvSource:
    source = make_source(tag, skill)
    into.add_source(source)
    into.add_report(Report(source.sha256))
    return source


def rows(path: Path, table: str) -> int:
    db = sqlite3.connect(path)
    try:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    finally:
        db.close()


def test_default_place_and_protocol(data_home: Path) -> None:
    with SqliteMemory() as memory:
        as_memory: Memory = memory
        as_memory.add_source(make_source(1))
    assert memory.path == data_home / "memory.db"
    assert rows(data_home / "memory.db", "sources") == 1
    memory.close()
    with pytest.raises(StoreError, match="has been closed"):
        memory.add_source(make_source(2))


def test_a_source_comes_back_exactly_and_stays_as_first_seen(tmp_path: Path) -> None:
    source = EnvSource("a\r\n\x00\ud800é", "skill", "answer", "hint", "p" * 64, "doc", "me\ud800")
    with SqliteMemory(tmp_path / "m.db") as memory:
        memory.add_source(source)
        memory.add_source(EnvSource(source.text, "other"))
        memory.add_report(Report(source.sha256))
        (back,) = memory.sample_seeds(5)
    assert rows(tmp_path / "m.db", "sources") == 1
    assert back == EnvSource(source.text, "skill", "answer", "hint", "p" * 64, "doc", "me?")
    assert back.sha256 == source.sha256


def test_reports_and_probes_are_appended(tmp_path: Path) -> None:
    source = make_source(1)
    first = Report(source.sha256, REFUSED, ("probe",), {"load": 0.5}, versions={"python": "3.11"})
    with SqliteMemory(tmp_path / "m.db") as memory:
        memory.add_source(source)
        for report in (first, Report(source.sha256)):
            memory.add_report(report)
        for regret in (0.25, 0.25, -1.0):
            memory.add_probe(source.sha256, make_probe(regret))
    with SqliteMemory(tmp_path / "m.db") as memory:
        assert memory.reports(source.sha256) == (first, Report(source.sha256))
        assert [report.verdict for report in memory.reports(source.sha256)] == [Verdict.REFUSE, Verdict.ADMIT]
        assert memory.probes(source.sha256) == (make_probe(0.25), make_probe(0.25), make_probe(-1.0))
        assert memory.reports("0" * 64) == () == memory.probes("0" * 64)


def test_nothing_is_said_about_an_unknown_source(tmp_path: Path) -> None:
    with SqliteMemory(tmp_path / "m.db") as memory:
        with pytest.raises(StoreError, match="knows no source 'abc'; add the source"):
            memory.add_report(Report("abc"))
        with pytest.raises(StoreError, match="knows no source 'abc'"):
            memory.add_probe("abc", make_probe())
        source = admit(memory, 1)
        with pytest.raises(StoreError, match="NaN"):
            memory.add_probe(source.sha256, make_probe(float("nan")))
        assert memory.probes(source.sha256) == ()


def test_seeds_are_admitted_by_their_last_report(tmp_path: Path) -> None:
    with SqliteMemory(tmp_path / "m.db") as memory:
        good = {admit(memory, i).sha256 for i in range(3)}
        memory.add_source(make_source("never checked"))
        for tag, findings in (("refused", REFUSED), ("undecided", UNDECIDED)):
            memory.add_source(make_source(tag))
            memory.add_report(Report(make_source(tag).sha256, findings))
        fallen = admit(memory, "admitted once")
        memory.add_report(Report(fallen.sha256, REFUSED))
        memory.add_report(Report(make_source("refused").sha256, UNDECIDED))
        assert {seed.sha256 for seed in memory.sample_seeds(100)} == good
        memory.add_report(Report(fallen.sha256))
        assert {seed.sha256 for seed in memory.sample_seeds(100)} == good | {fallen.sha256}


def test_seeds_depend_on_the_seed_alone(tmp_path: Path) -> None:
    with SqliteMemory(tmp_path / "a.db") as one, SqliteMemory(tmp_path / "b.db") as other:
        for i in range(30):
            admit(one, i, "even" if i % 2 == 0 else "odd")
            admit(other, 29 - i, "even" if i % 2 else "odd")
        drawn = one.sample_seeds(10, seed=3)
        assert len({seed.sha256 for seed in drawn}) == 10
        assert drawn == other.sample_seeds(10, seed=3) == one.sample_seeds(10, seed=3)
        assert drawn != one.sample_seeds(10, seed=4)
        assert {seed.skill for seed in one.sample_seeds(100, skill="odd")} == {"odd"}
        assert len(one.sample_seeds(100, skill="odd")) == 15
        assert one.sample_seeds(3, skill="none") == () == one.sample_seeds(0)
        with pytest.raises(ValueError, match="-1"):
            one.sample_seeds(-1)


def test_files_that_are_no_memory_of_ours(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("not a database, but long enough to be taken for one" * 40)
    with pytest.raises(StoreError, match="not a database"):
        SqliteMemory(text)
    for name, sql in (
        ("foreign.db", "CREATE TABLE t (x)"),
        ("newer.db", f"PRAGMA user_version = {SCHEMA_VERSION + 1}"),
    ):
        db = sqlite3.connect(tmp_path / name)
        db.execute(sql)
        db.close()
    before = (tmp_path / "foreign.db").read_bytes()
    with pytest.raises(StoreError, match="another program"):
        SqliteMemory(tmp_path / "foreign.db")
    assert (tmp_path / "foreign.db").read_bytes() == before
    with pytest.raises(StoreError, match=f"version {SCHEMA_VERSION + 1}.*Upgrade"):
        SqliteMemory(tmp_path / "newer.db")
    with pytest.raises(StoreError, match="unable to open"):
        SqliteMemory(tmp_path)
    with pytest.raises(StoreError, match="a file is there"):
        SqliteMemory(text / "memory.db")


def test_full_disk_and_damage(tmp_path: Path) -> None:
    with SqliteMemory(tmp_path / "m.db") as memory:
        source = admit(memory, 1)
        memory.db.run("PRAGMA max_page_count = 1")
        with pytest.raises(StoreError, match=r"full .free some space"):
            memory.add_source(EnvSource(random.Random(0).randbytes(10**5).hex()))
        memory.db.run("PRAGMA max_page_count = 1000000")
        memory.db.run("UPDATE reports SET body = ?", memory.db.packer.packed("{}"))
        with pytest.raises(StoreError, match=r"broken Report: .*source_sha256"):
            memory.reports(source.sha256)
        for damaged in ("{}", b"{}", memory.db.packer.packed("{}")[:-2]):
            memory.db.run("UPDATE reports SET body = ?", damaged)
            with pytest.raises(StoreError, match=r"damaged: .*restore a copy"):
                memory.reports(source.sha256)


def test_a_disk_that_fails_is_told_as_such(tmp_path: Path) -> None:
    class Failing:
        def execute(self, sql: str, values: object = ()) -> None:
            raise sqlite3.OperationalError("disk I/O error")

    with SqliteMemory(tmp_path / "m.db") as memory:
        whole, memory.db._db = memory.db._db, Failing()  # type: ignore[assignment]
        try:
            with pytest.raises(StoreError, match=r"disk I/O error .the disk may be full.*SPADE_ENVS_HOME"):
                memory.sample_seeds(1)
        finally:
            memory.db._db = whole


def test_writers_wait_and_writes_survive(tmp_path: Path) -> None:
    with SqliteMemory(tmp_path / "m.db") as memory:
        assert memory.db.run("PRAGMA journal_mode") == [("wal",)]
        assert memory.db.run("PRAGMA foreign_keys") == [(1,)]
        assert memory.db.run("PRAGMA busy_timeout") == [(60000,)]
        assert memory.db.run("PRAGMA user_version") == [(SCHEMA_VERSION,)]


def test_threads_share_one(tmp_path: Path) -> None:
    with SqliteMemory(tmp_path / "m.db") as memory:
        crowd = [
            threading.Thread(target=lambda who=who: [admit(memory, f"{who}-{i}") for i in range(20)])
            for who in range(4)
        ]
        for thread in crowd:
            thread.start()
        for thread in crowd:
            thread.join()
        assert len(memory.sample_seeds(1000)) == 80


WRITER = """
import os, signal, sqlite3, sys
from pathlib import Path
from spade_envs.memory import SqliteMemory
from spade_envs.types import EnvSource, Report

def write(path, tags):
    with SqliteMemory(Path(path)) as memory:
        for tag in tags:
            source = EnvSource(f"tag = {tag!r}")
            memory.add_source(source)
            memory.add_report(Report(source.sha256))
            print(tag, flush=True)
"""

RACER = (
    WRITER
    + """
print("ready", flush=True)
sys.stdin.readline()
write(sys.argv[1], sys.argv[2:])
"""
)

KILLED = (
    WRITER
    + """
import filelock
real, statements = sqlite3.connect, []
def connect(*args, **kwargs):
    db = real(*args, **kwargs)
    def trace(statement):
        statements.append(statement)
        if len(statements) > point:
            os.kill(os.getpid(), signal.SIGKILL)
    db.set_trace_callback(trace)
    return db
sqlite3.connect = connect
folder = sys.argv[1]
for point in range(1000):
    path = f"{folder}/{point}.db"
    child = os.fork()
    if child == 0:
        write(path, [f"{point}-{i}" for i in range(3)])
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print("end", point, code, flush=True)
    if code == 0:
        break
"""
)


def test_processes_make_and_fill_one_memory(tmp_path: Path) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    tags = [["shared", *(f"{who}-{i}" for i in range(10))] for who in range(4)]
    command = [sys.executable, "-c", RACER, str(tmp_path / "m.db")]
    crowd = [subprocess.Popen([*command, *mine], **pipes) for mine in tags]  # type: ignore[call-overload]
    for child in crowd:
        assert child.stdout.readline() == "ready\n"
    for child in crowd:
        child.stdin.write("go\n")
        child.stdin.flush()
    assert [child.communicate()[0].split() for child in crowd] == tags
    assert [child.returncode for child in crowd] == [0] * 4
    assert rows(tmp_path / "m.db", "sources") == 41
    assert rows(tmp_path / "m.db", "reports") == 44
    with SqliteMemory(tmp_path / "m.db") as memory:
        assert len(memory.sample_seeds(100)) == 41


def test_kill_at_every_statement(tmp_path: Path) -> None:
    """Also while the tables are made. Everything that was acknowledged is there, and the next writer goes on."""
    run = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    done: list[str] = []
    points = 0
    for line in run.stdout.splitlines():
        if not line.startswith("end "):
            done.append(line)
            continue
        _, point, code = line.split()
        assert int(code) in (0, -signal.SIGKILL)
        with SqliteMemory(tmp_path / f"{point}.db") as memory:
            assert {f"tag = {tag!r}" for tag in done} <= {seed.text for seed in memory.sample_seeds(9)}
            admit(memory, "next")
            assert len(memory.sample_seeds(9)) in (len(done) + 1, len(done) + 2)
        done, points = [], points + 1
    assert points > 15


def test_examples_run() -> None:
    result = doctest.testmod(module)
    assert result.attempted and not result.failed
