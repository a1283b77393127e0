"""Pools that lie, lead astray or are broken: each fault is told and counted, and the rest is read."""

from __future__ import annotations

import json
import os
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pooling import digest, good, kinds, put, put_lines, put_manifest, read, row_of

from spade_envs.admission import card_of
from spade_envs.cards import card_bytes
from spade_envs.importing import Pool, Problem
from spade_envs.importing.claims import KEYS, claims_in
from spade_envs.importing.folders import LARGEST_SOURCE, Folder, inside
from spade_envs.importing.manifests import Manifests
from spade_envs.importing.problems import MOST_TOLD
from spade_envs.types import Report


def test_paths_and_links_that_lead_out(tmp_path: Path) -> None:
    secret = put(tmp_path, "outside/secret.py", good(9))
    put(tmp_path, "outside/secret.jsonl", json.dumps(row_of(8, good(8))))
    pool = tmp_path / "pool"
    put(pool, "a.py", good(1))
    os.symlink(secret, pool / "b.py")
    os.symlink(tmp_path / "outside" / "secret.jsonl", pool / "c.jsonl")
    os.symlink(tmp_path / "outside", pool / "folder")
    os.symlink("nowhere", pool / "dangling.py")
    os.symlink("loop.py", pool / "loop.py")
    os.symlink("a.py", pool / "inner.py")
    paths = ["../outside/secret.py", str(secret), "C:\\secret.py", "a/../../outside/secret.py"]
    put_manifest(pool, [{"path_in_dataset": path} for path in paths])
    put(pool, "checksums.sha256", f"{digest('x')}  ../outside/secret.py\n")
    candidates, problems = read(pool)
    assert [one.place for one in candidates] == ["a.py"]
    assert kinds(problems) == [
        ("outside", "b.py"),
        ("outside", "c.jsonl"),
        ("unreadable", "dangling.py"),
        ("outside", "folder"),
        ("unreadable", "loop.py"),
        ("outside", "checksums.sha256:1"),
        *[("outside", f"manifest.json:{at}") for at in range(4)],
        ("duplicate", "inner.py"),
    ]


def test_no_snapshot_lends_its_neighbours(tmp_path: Path) -> None:
    """Only the folder of blobs belongs to a download, nothing else beside it."""
    snapshot = tmp_path / "repository" / "snapshots" / "abc"
    secret = put(tmp_path, "repository/other/secret.py", good(1))
    snapshot.mkdir(parents=True)
    os.symlink(secret, snapshot / "a.py")
    assert kinds(read(snapshot)[1]) == [("outside", "a.py")]


def test_pipes_folders_and_locked_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    os.mkfifo(tmp_path / "manifest.json")
    (tmp_path / "folder.py").mkdir()
    put(tmp_path, "folder.py/a.py", good(1))
    candidates, problems = read(tmp_path)
    assert [one.place for one in candidates] == ["folder.py/a.py"]
    assert kinds(problems) == [("unreadable", "manifest.json"), ("unreadable", "pipe.py")]


def test_files_that_are_no_source(tmp_path: Path) -> None:
    put(tmp_path, "a-blank.py", " \n")
    put(tmp_path, "b-binary.py", b"\xff\xfe\x00")
    put(tmp_path, "c-large.py", "#" * (LARGEST_SOURCE + 1))
    put(tmp_path, "d-good.py", good(1))
    candidates, problems = read(tmp_path)
    assert [one.place for one in candidates] == ["d-good.py"]
    assert kinds(problems) == [("no code", "a-blank.py"), ("not UTF-8", "b-binary.py"), ("too large", "c-large.py")]


def test_manifest_entries_that_are_wrong(tmp_path: Path) -> None:
    put(tmp_path, "a.py", good(1))
    entries: list[Any] = [
        {"path_in_dataset": "a.py", "skill": ["x"], "step": -1, "mean_reward": "much", "difficulty": 3},
        {"path_in_dataset": "gone.py", "skill": "optimization"},
        {"skill": "optimization"},
        {"path_in_dataset": 7},
        "a.py",
        None,
    ]
    put_manifest(tmp_path, entries, model=5)
    put(tmp_path, "checksums.sha256", f"{digest('x')}  gone.txt\nrubbish\n\n# remark\n")
    candidates, problems = read(tmp_path)
    (one,) = candidates
    assert (one.source.skill, one.source.made_by, one.source.origin.step) == ("", "", None)
    assert one.source.origin.claimed == ""
    assert kinds(problems) == [
        ("manifest", "checksums.sha256:2"),
        ("field", "manifest.json"),
        *[("field", "manifest.json:0")] * 4,
        *[("manifest", f"manifest.json:{at}") for at in (2, 3, 4, 5)],
        ("missing", "gone.py"),
        ("missing", "gone.txt"),
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b"[" * 100_000, "not JSON"),
        (b'{"games": ' + b"9" * 10_000 + b"}", "not JSON"),
        (b'{"games": {"a": 1}}', "manifest"),
        (b"7", "manifest"),
        (b"", "not JSON"),
    ],
)
def test_a_manifest_that_cannot_be_read_hides_no_source(tmp_path: Path, text: bytes, kind: str) -> None:
    put(tmp_path, "a.py", good(1))
    put(tmp_path, "manifest.json", text)
    candidates, problems = read(tmp_path)
    assert len(candidates) == 1
    assert kinds(problems) == [(kind, "manifest.json")]


def test_a_manifest_with_a_wrong_checksum_is_not_believed(tmp_path: Path) -> None:
    put(tmp_path, "a.py", good(1))
    put_manifest(tmp_path, [{"path_in_dataset": "a.py", "skill": "optimization"}])
    put(tmp_path, "checksums.sha256", f"{digest('else')}  manifest.json\n")
    candidates, problems = read(tmp_path)
    assert candidates[0].source.skill == ""
    assert kinds(problems) == [("checksum", "manifest.json")]


def test_rows_that_are_wrong(tmp_path: Path) -> None:
    rows: list[Any] = [
        row_of(1, good(1)),
        {"skill": "optimization"},
        row_of(2, good(2), code=5),
        row_of(3, good(3), code=" "),
        row_of(4, good(4), sha256=digest("else")),
        row_of(5, good(5), sha256="short"),
        row_of(6, good(6), sha256=None, byte_count=1),
        row_of(7, good(7), skill=9, hint={"a": 1}, parent="me"),
        {"code": "#" * (LARGEST_SOURCE + 1)},
        {"code": good(8), "origin": [1]},
        {"code": good(9), "hint": "x" * 20_000, "contract": "puzzle"},
        [good(10)],
        None,
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows) + "\n{broken\n\x00\n"
    put(tmp_path, "rows.jsonl", text)
    candidates, problems = read(tmp_path / "rows.jsonl")
    assert [one.place for one in candidates] == [f"rows.jsonl:{at}" for at in (1, 6, 8, 10, 11)]
    assert [one.source.hint for one in candidates] == [""] * 5
    assert kinds(problems) == [
        *[("no code", f"rows.jsonl:{at}") for at in (2, 3, 4)],
        ("checksum", "rows.jsonl:5"),
        ("field", "rows.jsonl:6"),
        ("checksum", "rows.jsonl:7"),
        *[("field", "rows.jsonl:8")] * 3,
        ("too large", "rows.jsonl:9"),
        ("field", "rows.jsonl:10"),
        *[("field", "rows.jsonl:11")] * 2,
        *[("not JSON", f"rows.jsonl:{at}") for at in (12, 13, 15, 16)],
    ]


@pytest.mark.parametrize("name", ["bad.parquet", "bad.jsonl.zst"])
def test_a_damaged_file_of_rows_hides_no_other(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("zstandard")
    put(tmp_path, name, b"PAR1" + bytes(range(200)))
    put_lines(tmp_path, "good.jsonl", [row_of(1, good(1))])
    candidates, problems = read(tmp_path)
    assert [one.place for one in candidates] == ["good.jsonl:1"]
    assert kinds(problems) == [("unreadable", name)]


def test_a_stream_that_is_cut_gives_the_rows_before(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    lines = "".join(json.dumps(row_of(number, good(number))) + "\n" for number in range(3))
    whole = zstandard.compress(lines.encode()) + zstandard.compress(b"{}\n" * 1000)
    put(tmp_path, "rows.jsonl.zst", whole[:-3])
    candidates, problems = read(tmp_path)
    assert len(candidates) == 3
    assert kinds(problems)[-1] == ("unreadable", "rows.jsonl.zst")


def test_a_table_without_a_column_that_is_read(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"body": ["x", "y"], "code": [[1], [2]]}), tmp_path / "rows.parquet")
    (problem,) = read(tmp_path)[1]
    assert (problem.kind.value, problem.count) == ("no code", 2)
    assert "body" in problem.message


def test_a_library_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    put(tmp_path, "rows.parquet", b"PAR1")
    (problem,) = read(tmp_path)[1]
    assert "spade-envs[corpus]" in problem.message


def test_a_million_faults_are_counted_and_not_held(tmp_path: Path) -> None:
    put(tmp_path, "a.py", good(1))
    put(tmp_path, "checksums.sha256", "rubbish\n" * 200_000)
    tracemalloc.start()
    problems = [item for item in Pool(tmp_path) if isinstance(item, Problem)]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(problems) == MOST_TOLD + 1
    assert sum(problem.count for problem in problems) == 200_000
    assert peak < 8_000_000


def test_a_bare_name_in_thousands_of_runs_is_found_at_once(tmp_path: Path) -> None:
    runs = [f"r{number}" for number in range(30_000)]
    put_manifest(tmp_path, [{"filename": "env.py", "run": run, "document": run} for run in runs])
    manifests = Manifests(Folder(tmp_path))
    for run in runs[1:]:  # to look at every entry for each would take longer than a test may
        claims, problems = manifests.claims(f"{run}/env.py")
        assert (claims.document, problems) == (run, ())
    (missing,) = manifests.missing()
    assert (missing.place, missing.message.split()[0]) == ("env.py", "manifest.json:0")
    _, (unclear,) = manifests.claims("elsewhere/env.py")
    assert unclear.message.startswith("30000 entries of manifest.json may mean it")
    assert not list(manifests.missing())


def test_a_deep_tree_is_no_recursion(tmp_path: Path) -> None:
    deep = "d/" * 500
    put(tmp_path, f"{deep}a.py", good(1))
    assert [one.place for one in read(tmp_path)[0]] == [f"{deep}a.py"]


def test_control_characters_stay_out_of_what_is_told(tmp_path: Path) -> None:
    row = row_of(1, good(1), skill="evil\x1b[31m\u202e", made_by="a\nb\ud800", recipe="x" * 10_000)
    put(tmp_path, "rows.jsonl", json.dumps(row))
    source = read(tmp_path)[0][0].source
    assert (source.skill, source.made_by) == ("evil-[31m", "a b")
    assert len(source.origin.recipe) == 512


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
_KEYS = st.sampled_from((*KEYS, "origin"))


@settings(deadline=None)
@given(st.dictionaries(_KEYS, _VALUES | st.text(max_size=3000), max_size=8), st.text(max_size=3000))
def test_whatever_is_told_fits_on_a_card(value: dict[str, Any], place: str) -> None:
    claims, _ = claims_in(value, place)
    source = claims.source("x = 1", "pool", place)
    report = Report(source.sha256, contract="answer", max_turns=3)
    assert card_bytes(card_of(source, report))


@settings(deadline=None)
@given(st.text(alphabet="ab./\\:~\0", max_size=12))
def test_a_path_inside_stays_inside(path: str) -> None:
    clean = inside(path)
    joined = os.path.normpath(os.path.join("/pool", clean.replace("\0", "")))
    assert joined == "/pool" or joined.startswith("/pool/")
    assert ".." not in clean.split("/")
