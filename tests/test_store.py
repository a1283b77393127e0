"""Shelves: numbers, bytes, kills, races, edits, and where they are looked for."""

from __future__ import annotations

import dataclasses
import doctest
import errno
import itertools
import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spade_envs import atomic, cards, index, shelf, store
from spade_envs import entries as entry_names
from spade_envs.codec import to_json
from spade_envs.errors import SourceError, StoreError, UnknownEnv
from spade_envs.store import Shelf, resolve
from spade_envs.types import Card, EnvSource, Finding, Report, Repro, Severity

SCHEMA = json.loads((Path(store.__file__).with_name("card.schema.json")).read_bytes())

# Shared with child processes, which run it as a script.
MAKERS = """
from spade_envs.types import Card, EnvSource, Report

def make_source(tag):
    text = f"class Env:\\r\\n    tag = {tag!r}  # \\u00e9\\n"
    return EnvSource(text=text, skill="logical-deduction", made_by="test")

def make_card(source, **changes):
    values = dict(name="", sha256=source.sha256, skill=source.skill, contract="answer", hint="Count.", max_turns=5,
        menu=True, witness_kind="list", instances=20, floor=None, parent="", document="", made_by=source.made_by,
        report=Report(source.sha256, contract="answer", seconds={"static": 0.1}), made="2026-01-31T12:00:00Z")
    return Card(**{**values, **changes})
"""

makers: dict[str, Any] = {}
exec(MAKERS, makers)  # noqa: S102
make_source: Callable[[object], EnvSource] = makers["make_source"]
make_card: Callable[..., Card] = makers["make_card"]


def put(on: Shelf, tag: object, **changes: Any) -> Card:
    source = make_source(tag)
    return on.add(source, make_card(source, **changes))


def names(on: Shelf) -> list[str]:
    return [entry.name for entry in on.entries()]


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".tmp-")]


def header(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "shelf.json").read_bytes())


def edit(path: Path, change: Callable[[Any], object]) -> None:
    value = json.loads(path.read_bytes())
    change(value)
    path.write_text(json.dumps(value))


@pytest.fixture
def lab(tmp_path: Path) -> Shelf:
    return Shelf.create(tmp_path / "deep" / "lab", "lab", 1)


@pytest.fixture
def bundled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setattr(store, "bundled_path", lambda: tmp_path / "bundled")
    return Shelf.create(tmp_path / "bundled", "spade", 1)


# Adding and reading


def test_round_trip_is_exact(lab: Shelf) -> None:
    source = dataclasses.replace(make_source("a"), hint="né", parent="0" * 64, document="doc", contract="tools")
    finding = Finding("static.size", Severity.WARNING, "large\ud800", 3, Repro(7, ("x", "\\boxed{1}")))
    report = Report(source.sha256, (finding,), ("probe",), {"load": 0.25}, versions={"python": "3.11"})
    card = make_card(source, hint=source.hint, parent="0" * 64, document="doc", contract="tools", floor=0.05)
    card = dataclasses.replace(card, report=report, name="whatever")
    added = lab.add(source, card)
    assert added == dataclasses.replace(card, name="env-0001")
    again = Shelf(lab.path)
    assert again.read_card("env-0001") == added
    assert again.read_source("env-0001") == source
    assert (lab.path / "env-0001" / "env.py").read_bytes() == source.text.encode("utf-8")
    assert sorted(path.name for path in (lab.path / "env-0001").iterdir()) == ["card.json", "env.py"]
    entry = again.get("env-0001")
    assert entry.env_id == "lab/env-0001"
    assert (entry.sha256, entry.skill, entry.contract) == (source.sha256, "logical-deduction", "tools")
    assert (entry.max_turns, entry.menu, entry.shelf) == (5, True, lab.path)
    assert again.find(source.sha256) == entry
    assert again.find("0" * 64) is None


def test_numbers_grow_and_are_never_reused(lab: Shelf) -> None:
    assert [put(lab, i).name for i in range(3)] == ["env-0001", "env-0002", "env-0003"]
    shutil.rmtree(lab.path / "env-0003")
    assert names(lab) == ["env-0001", "env-0002"]
    assert put(lab, "new").name == "env-0004"
    # A folder above "next", brought by hand or by version control, is stepped over.
    shutil.copytree(lab.path / "env-0004", lab.path / "env-0020")
    with pytest.warns(UserWarning, match=r"env-0020.*not the name of its folder"):
        assert put(lab, "newer").name == "env-0021"
    assert header(lab.path) == {"namespace": "lab", "first": 1, "next": 22}


def test_names_beyond_four_digits_sort_by_number(tmp_path: Path) -> None:
    big = Shelf.create(tmp_path / "big", "lab", 9999)
    assert [put(big, i).name for i in range(2)] == ["env-9999", "env-10000"]
    assert names(Shelf(big.path)) == ["env-9999", "env-10000"]
    full = Shelf.create(tmp_path / "full", "lab", entry_names.MAX_NUMBER)
    put(full, 1)
    with pytest.raises(StoreError, match="full"):
        put(full, 2)
    assert len(full.entries()) == 1


def test_same_source_keeps_its_card(lab: Shelf) -> None:
    first = put(lab, "a")
    assert put(lab, "a", hint="another") == first
    assert header(lab.path)["next"] == 2


def test_bundled_shelf_stops_before_the_users_numbers(bundled: Shelf) -> None:
    edit(bundled.path / "shelf.json", lambda value: value.update(next=999))
    assert put(bundled, 1).name == "env-0999"
    with pytest.raises(StoreError, match="ends at env-0999"):
        put(bundled, 2)


@pytest.mark.parametrize("name", ["env-0002", "../env-0001", "env-00001", "env-0001\n", "", "env-٠٠٠١"])
def test_unknown_names(lab: Shelf, name: str) -> None:
    put(lab, 1)
    for read in (lab.get, lab.read_card, lab.read_source):
        with pytest.raises(UnknownEnv, match=r"among 1 environment in .*nearest: lab/env-0001"):
            read(name)
    assert lab.peek(name) is None


def test_add_refuses_what_does_not_belong_together(lab: Shelf) -> None:
    source, other = make_source(1), make_source(2)
    with pytest.raises(StoreError, match="pass its own"):
        lab.add(source, make_card(other))
    with pytest.raises(StoreError, match="source_sha256"):
        lab.add(source, make_card(source, report=Report(other.sha256)))
    with pytest.raises(SourceError, match="surrogate at character 1"):
        bad = EnvSource("#\ud800")
        lab.add(bad, make_card(bad))
    with pytest.raises(SourceError, match="at most"):
        large = EnvSource("#" * (atomic.MAX_BYTES + 1))
        lab.add(large, make_card(large))
    for changes in ({"contract": "quiz"}, {"floor": float("nan")}, {"max_turns": 3.0}, {"made": "yesterday"}):
        with pytest.raises(StoreError, match=next(iter(changes)) if "floor" not in changes else "JSON"):
            lab.add(source, make_card(source, **changes))
    assert header(lab.path)["next"] == 1
    assert lab.entries() == ()


# What people and strangers do to files


def test_edited_source_is_refused(lab: Shelf) -> None:
    card = put(lab, 1)
    path = lab.path / "env-0001" / "env.py"
    path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n"))
    found = EnvSource(path.read_bytes().decode()).sha256
    with pytest.raises(StoreError, match=f"found sha256 {found}, expected {card.sha256}.*admit"):
        lab.read_source("env-0001")
    path.write_bytes(b"\xff")
    with pytest.raises(StoreError, match="not UTF-8"):
        lab.read_source("env-0001")
    path.unlink()
    with pytest.raises(StoreError, match="does not exist"):
        lab.read_source("env-0001")


def test_strange_files_neither_block_nor_fill_the_memory(lab: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    put(lab, 1)
    path = lab.path / "env-0001" / "env.py"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(StoreError, match="not a regular file"):
        lab.read_source("env-0001")
    path.unlink()
    path.write_bytes(b"#" * 5000)
    monkeypatch.setattr(atomic, "MAX_BYTES", 4999)
    with pytest.raises(StoreError, match="larger than 4999"):
        lab.read_source("env-0001")


EDITS: list[tuple[str, object, str]] = [
    ("name", "env-1", r"\$\.name"),
    ("name", "env-0002", r"\$\.name is 'env-0002', but its folder is 'env-0001'"),
    ("sha256", "A" * 64, r"\$\.sha256"),
    ("sha256", "a" * 64 + "\n", r"\$\.sha256"),
    ("sha256", "a" * 64, r"\$\.report\.source_sha256"),
    ("skill", "a\x1b[31mb", r"\$\.skill: 'a\\x1b"),
    ("contract", "quiz", r"\$\.contract: 'quiz' is not one of \['answer', 'interactive', 'tools'\]"),
    ("hint", None, r"\$\.hint"),
    ("max_turns", 0, r"\$\.max_turns: 0 is less than the minimum of 1"),
    ("max_turns", 5.0, r"\$\.max_turns"),
    ("menu", 1, r"\$\.menu"),
    ("witness_kind", "oracle", r"\$\.witness_kind"),
    ("instances", -1, r"\$\.instances"),
    ("floor", 1.5, r"\$\.floor"),
    ("floor", True, r"\$\.floor"),
    ("parent", "mum", r"\$\.parent"),
    ("made", "2026-01-31T12:00:00+02:00", r"\$\.made"),
    ("verdict", "admit", r"'verdict' was unexpected.*; allowed: contract, document, floor"),
    ("report", {}, r"\$\.report: '.*' is a required property"),
    ("report.isolation", "hope", r"\$\.report\.isolation"),
    ("report.seconds", {"load": -1}, r"\$\.report\.seconds\.load"),
    ("report.versions", {"python": 3}, r"\$\.report\.versions\.python"),
    ("report.versions", {"a\x1b[31m": 3}, r"\$\.report\.versions"),
    ("report.verdict", "admit", r"\$\.report: .*'verdict'"),
    ("report.findings", [{"rule": "a.b"}], r"\$\.report\.findings\[0\]"),
]


@pytest.mark.parametrize(("key", "value", "message"), EDITS, ids=[f"{i}-{e[0]}" for i, e in enumerate(EDITS)])
def test_edited_card_is_refused(lab: Shelf, key: str, value: object, message: str) -> None:
    put(lab, 1)
    *into, last = key.split(".")
    path = lab.path / "env-0001" / "card.json"
    edit(path, lambda card: (card[into[0]] if into else card).update({last: value}))
    with pytest.raises(StoreError, match=message) as caught:
        lab.read_card("env-0001")
    assert str(caught.value).isprintable()
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301


@pytest.mark.parametrize("text", ["", "{", '{"floor": NaN}', "[" * 100_000, "\x00", "\ufeff{}"])
def test_card_that_is_no_json(lab: Shelf, text: str) -> None:
    put(lab, 1)
    (lab.path / "env-0001" / "card.json").write_text(text)
    with pytest.raises(StoreError, match="not JSON"):
        lab.read_card("env-0001")


def test_schema_is_valid_and_names_every_field() -> None:
    import jsonschema

    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    places = {Card: SCHEMA, Report: SCHEMA["$defs"]["report"], Finding: SCHEMA["$defs"]["finding"]}
    places[Repro] = SCHEMA["$defs"]["repro"]
    for cls, place in places.items():
        fields = [f.name for f in dataclasses.fields(cls)]
        assert sorted(place["required"]) == sorted(place["properties"]) == sorted(fields)
        assert place["additionalProperties"] is False
    card = make_card(make_source(1), name="env-0001")
    assert json.loads(cards.card_bytes(card)) == to_json(card)


# The index


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.unlink(),
        lambda path: path.write_text("{"),
        lambda path: path.write_text("[]"),
        lambda path: path.write_text("[" * 100_000),
        lambda path: edit(path, lambda value: value.update(next=2)),
        lambda path: edit(path, lambda value: value.pop("entries")),
        lambda path: edit(path, lambda value: value["entries"].pop()),
        lambda path: edit(path, lambda value: value["entries"].reverse()),
        lambda path: edit(path, lambda value: value["entries"][0].update(name="../../etc")),
        lambda path: edit(path, lambda value: value["entries"][0].update(name="env-0002")),
        lambda path: edit(path, lambda value: value["entries"][0].update(sha256="0")),
        lambda path: edit(path, lambda value: value["entries"][0].update(contract=[])),
        lambda path: edit(path, lambda value: value["entries"][0].update(max_turns=True)),
        lambda path: edit(path, lambda value: value["entries"][0].update(menu=0)),
        lambda path: edit(path, lambda value: value["entries"][0].update(skill=None)),
        lambda path: edit(path, lambda value: value["entries"].__setitem__(0, 1)),
    ],
)
def test_index_is_made_again(lab: Shelf, spoil: Callable[[Path], object]) -> None:
    put(lab, 1)
    put(lab, 2)
    path = lab.path / "index.json"
    good, entries = path.read_bytes(), lab.entries()
    spoil(path)
    assert lab.entries() == entries
    assert path.read_bytes() == good


def test_index_is_used_when_it_fits_and_rebuilt_on_demand(lab: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    put(lab, 1)
    edit(lab.path / "env-0001" / "card.json", lambda card: card.update(skill="optimization"))
    opened = []
    real = os.open
    monkeypatch.setattr(os, "open", lambda path, *rest: opened.append(Path(path).name) or real(path, *rest))
    assert lab.entries()[0].skill == "logical-deduction"
    assert opened == ["shelf.json", "index.json"]
    assert lab.rebuild_index()[0].skill == "optimization"
    assert lab.entries()[0].skill == "optimization"


def test_broken_card_is_left_out_and_explained(lab: Shelf) -> None:
    put(lab, 1)
    put(lab, 2)
    card = lab.path / "env-0001" / "card.json"
    good = card.read_bytes()
    edit(card, lambda value: value.update(contract="quiz"))
    (lab.path / "index.json").unlink()
    (lab.path / "env-0003").mkdir()
    with pytest.warns(UserWarning) as caught:
        assert names(lab) == ["env-0002"]
    assert [("env-0001" in str(w.message), "env-0003" in str(w.message)) for w in caught] == [
        (True, False),
        (False, True),
    ]
    with pytest.warns(UserWarning), pytest.raises(StoreError, match="quiz"):
        lab.get("env-0001")
    card.write_bytes(good)
    (lab.path / "env-0003").rmdir()
    assert names(lab) == ["env-0001", "env-0002"]


# The shelf itself


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"namespace": "lab", "first": 1}',
        '{"namespace": "lab", "first": 1, "next": 1, "last": 2}',
        '{"namespace": "a/b", "first": 1, "next": 1}',
        '{"namespace": "lab\\n", "first": 1, "next": 1}',
        '{"namespace": "lab", "first": 0, "next": 1}',
        '{"namespace": "lab", "first": true, "next": 1}',
        '{"namespace": "lab", "first": 5, "next": 4}',
        '{"namespace": "lab", "first": 1, "next": 1.0}',
    ],
)
def test_broken_header(tmp_path: Path, text: str) -> None:
    (tmp_path / "shelf.json").write_text(text)
    for read in (lambda: Shelf(tmp_path).namespace, Shelf(tmp_path).entries, lambda: put(Shelf(tmp_path), 1)):
        with pytest.raises(StoreError, match=r"shelf\.json.*(restore|allowed)"):
            read()
    with pytest.raises(StoreError):
        Shelf.create(tmp_path, "lab", 1)
    assert (tmp_path / "shelf.json").read_text() == text


def test_create(tmp_path: Path) -> None:
    made = Shelf.create(tmp_path / "a" / "b", "lab", 5)
    assert put(made, 1).name == "env-0005"
    assert names(Shelf.create(made.path, "lab", 1)) == ["env-0005"]
    assert header(made.path) == {"namespace": "lab", "first": 5, "next": 6}
    with pytest.raises(StoreError, match="shelf of 'lab', not 'other'"):
        Shelf.create(made.path, "other", 5)
    with pytest.raises(StoreError, match="namespace"):
        Shelf.create(tmp_path / "c", "a:b", 5)
    # A lost shelf.json must not bring used numbers back.
    (made.path / "shelf.json").unlink()
    assert header(Shelf.create(made.path, "lab", 1).path)["next"] == 6


def test_paths_that_cannot_be_a_shelf(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    for action in (lambda: Shelf.create(file, "lab", 1), lambda: put(Shelf(file), 1), Shelf(file).entries):
        with pytest.raises(StoreError, match=r"is a file|a file is there"):
            action()
    with pytest.raises(StoreError, match="a part of the path is a file"):
        Shelf.create(file / "below", "lab", 1)
    for missing in (tmp_path / "missing", tmp_path / "no" / "parent"):
        with pytest.raises(StoreError, match="is not a shelf"):
            put(Shelf(missing), 1)
        assert not missing.exists()
    assert file.read_text() == "mine"


def refuse_writes(monkeypatch: pytest.MonkeyPatch, code: int, allowed: int = 0) -> None:
    """Let every change of the disk after the first ``allowed`` fail with ``code``."""
    count = iter(range(10**6))

    def wrap(name: str, writes: Callable[..., bool] = lambda *_: True) -> None:
        real = getattr(os, name)

        def refuse(*args: Any, **kwargs: Any) -> Any:
            if writes(*args) and next(count) >= allowed:
                raise OSError(code, os.strerror(code))
            return real(*args, **kwargs)

        monkeypatch.setattr(os, name, refuse)

    wrap("open", lambda path, flags, *_: bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)))
    for name in ("write", "mkdir", "replace", "rename", "fsync"):
        wrap(name)


@pytest.mark.parametrize(("code", "remedy"), [(errno.EROFS, "read-only"), (errno.EACCES, "permissions")])
def test_read_only_shelf_reads_and_says_why_it_cannot_add(
    lab: Shelf, monkeypatch: pytest.MonkeyPatch, code: int, remedy: str
) -> None:
    put(lab, 1)
    (lab.path / "index.json").write_text("old")
    with monkeypatch.context() as patch:
        refuse_writes(patch, code)
        assert names(lab) == names(lab) == ["env-0001"]
        assert lab.rebuild_index() and lab.read_source("env-0001") == dataclasses.replace(
            make_source(1), contract="answer", hint="Count."
        )
        with pytest.raises(StoreError, match=remedy):
            put(lab, 2)
        with pytest.raises(StoreError, match=remedy):
            Shelf.create(lab.path.parent / "new", "lab", 1)
    assert (lab.path / "index.json").read_text() == "old"


def test_full_disk_at_every_step(lab: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    put(lab, 0)
    failures = 0
    for allowed in range(100):
        before, seen = header(lab.path)["next"], set(names(lab))
        with monkeypatch.context() as patch:
            refuse_writes(patch, errno.ENOSPC, allowed)
            try:
                put(lab, allowed + 1)
            except StoreError as error:
                failures += 1
                assert "the disk is full" in str(error)
        assert leftovers(lab.path) == []
        assert seen <= set(names(lab))
        assert put(lab, allowed + 1).name not in seen
        assert int(put(lab, allowed + 1).name[4:]) >= before
        assert all(Shelf(lab.path).read_source(name) for name in names(lab))
        if allowed > failures + 3:
            break
    assert 10 < failures < 90


def test_bytes_are_flushed_before_they_get_their_name(lab: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rename that reaches the disk before the bytes would leave an empty file after a power cut."""
    lab.rebuild_index()
    calls: list[str] = []

    def place(descriptor: int) -> str:
        return re.sub(r"\.tmp-[^/]*", "TMP", os.path.relpath(os.readlink(f"/proc/self/fd/{descriptor}"), lab.path))

    real_sync, real_replace, real_rename = os.fsync, os.replace, os.rename
    monkeypatch.setattr(os, "fsync", lambda fd: calls.append(f"sync {place(fd)}") or real_sync(fd))
    monkeypatch.setattr(os, "replace", lambda a, b: calls.append(f"to {Path(b).name}") or real_replace(a, b))
    monkeypatch.setattr(os, "rename", lambda a, b: calls.append(f"to {Path(b).name}") or real_rename(a, b))
    put(lab, 1)
    assert calls == [
        "sync TMP", "to shelf.json", "sync .",
        "sync TMP/env.py", "sync TMP/card.json", "sync TMP", "to env-0001", "sync .",
        "to index.json",
    ]  # fmt: skip


# Kills and races, with real processes

KILLED = (
    MAKERS
    + """
import builtins, os, signal, sys
import filelock
from spade_envs import cards
from spade_envs.store import Shelf

cards._validator()  # imports open files of their own

def arm(point):
    calls = iter(range(10**6))
    def wrap(module, name):
        real = getattr(module, name)
        def call(*args, **kwargs):
            if next(calls) == point:
                if name == "write":
                    real(args[0], args[1][: len(args[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **kwargs)
        setattr(module, name, call)
    for name in ("open", "write", "fsync", "replace", "rename", "mkdir", "close", "unlink", "rmdir"):
        wrap(os, name)
    wrap(builtins, "open")

for line in sys.stdin:
    action, point, path = line.rstrip("\\n").split(" ", 2)
    child = os.fork()
    if child == 0:
        arm(int(point))
        if action == "create":
            Shelf.create(path, "lab", 1)
        else:
            source = make_source("killed")
            Shelf(path).add(source, make_card(source))
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
)


@pytest.fixture(scope="module")
def kill_at() -> Iterator[Callable[[str, int, Path], bool]]:
    """Run an action in a child that is killed before its n-th call to the disk; false when it got to its end."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", KILLED], **pipes) as server:  # type: ignore[call-overload]

        def run(action: str, point: int, path: Path) -> bool:
            server.stdin.write(f"{action} {point} {path}\n")
            server.stdin.flush()
            code = int(server.stdout.readline())
            assert code in (0, -signal.SIGKILL)
            return code != 0

        yield run
        server.stdin.close()


def test_kill_at_every_step_of_add(lab: Shelf, kill_at: Callable[[str, int, Path], bool], tmp_path: Path) -> None:
    put(lab, "old")
    states = set()
    for point in range(1000):
        folder = tmp_path / f"killed-{point}"
        shutil.copytree(lab.path, folder)
        if point % 2:  # as a killed writer before us may have left it
            (folder / ".tmp-0002-999999999").mkdir()
            (folder / ".tmp-0002-999999999" / "env.py").touch()
            (folder / ".tmp-5.index.json-999999999").touch()
        killed = kill_at("add", point, folder)
        after, on = header(folder)["next"], Shelf(folder)
        states.add((after, (folder / "env-0002").exists(), '"next": 3' in (folder / "index.json").read_text()))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            there = names(on)
            assert there in (["env-0001"], ["env-0001", "env-0002"])
            assert index.highest(there) < after, "the number must be taken before the folder appears"
            for name in there:
                on.read_source(name)
                on.read_card(name)
            assert put(on, "next").name == f"env-{after:04d}"
            assert leftovers(folder) == []
            card = put(on, "killed")
            assert card.name == ("env-0002" if "env-0002" in there else f"env-{after + 1:04d}")
        shutil.rmtree(folder)
        if not killed:
            break
    assert point > 25
    assert states == {(2, False, False), (3, False, False), (3, True, False), (3, True, True)}


def test_kill_at_every_step_of_create(kill_at: Callable[[str, int, Path], bool], tmp_path: Path) -> None:
    for point in range(1000):
        folder = tmp_path / f"killed-{point}" / "shelf"
        killed = kill_at("create", point, folder)
        assert put(Shelf.create(folder, "lab", 1), 1).name == "env-0001"
        assert leftovers(folder) == []
        if not killed:
            break
    assert point > 5


def test_live_writers_and_strange_names_are_left_alone(lab: Shelf) -> None:
    kept = [f".tmp-0009-{os.getppid()}", ".tmp-mine", ".tmp-a b-999999999", "notes-999999999"]
    for name in kept:
        (lab.path / name).mkdir()
    (lab.path / f".tmp-0001-{os.getpid()}").mkdir()  # ours, from an add that could not clean up
    assert put(lab, 1).name == "env-0001"
    assert all((lab.path / name).is_dir() for name in kept)
    assert not (lab.path / f".tmp-0001-{os.getpid()}").exists()


ADDERS = (
    MAKERS
    + """
import sys
from spade_envs.store import Shelf
path, tags = sys.argv[1], sys.argv[2:]
print("ready", flush=True)
sys.stdin.readline()
for tag in tags:
    source = make_source(tag)
    print(Shelf.create(path, "lab", 1).add(source, make_card(source)).name, flush=True)
"""
)


def race(path: Path, tags: list[list[str]]) -> list[list[str]]:
    """Let one process per list of tags add its sources, all released at once; return the names each got."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", ADDERS, str(path)]
    crowd = [subprocess.Popen([*command, *mine], **pipes) for mine in tags]  # type: ignore[call-overload]
    for child in crowd:
        assert child.stdout.readline() == "ready\n"
    for child in crowd:
        child.stdin.write("go\n")
        child.stdin.flush()
    while any(child.poll() is None for child in crowd):
        # A reader in between sees complete environments only, and may write the index itself.
        if (path / "shelf.json").exists():
            for entry in Shelf(path).entries():
                assert Shelf(path).read_source(entry.name).sha256 == entry.sha256
    results = [child.communicate()[0].split() for child in crowd]
    assert [child.returncode for child in crowd] == [0] * len(crowd)
    return results


def test_processes_adding_different_sources(tmp_path: Path) -> None:
    tags = [[f"{who}-{i}" for i in range(5)] for who in range(4)]
    got = race(tmp_path / "shelf", tags)
    on = Shelf(tmp_path / "shelf")
    assert sorted(itertools.chain(*got)) == names(on) == [f"env-{n:04d}" for n in range(1, 21)]
    for mine, its in zip(tags, got, strict=True):
        for tag, name in zip(mine, its, strict=True):
            assert on.read_source(name).text == make_source(tag).text
    written = (on.path / "index.json").read_bytes()
    on.rebuild_index()
    assert (on.path / "index.json").read_bytes() == written
    assert leftovers(on.path) == []


def test_processes_adding_the_same_source(tmp_path: Path) -> None:
    assert race(tmp_path / "shelf", [["same"]] * 4) == [["env-0001"]] * 4
    assert header(tmp_path / "shelf")["next"] == 2


def test_a_held_lock_is_explained(lab: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    monkeypatch.setattr(atomic, "LOCK_SECONDS", 0.0)
    with open(lab.path / ".lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(StoreError, match="another process has held"):
            put(lab, 1)
        (lab.path / "shelf.json").unlink()
        with pytest.raises(StoreError, match="another process has held"):
            Shelf.create(lab.path, "lab", 1)
    assert put(Shelf.create(lab.path, "lab", 1), 1).name == "env-0001"


def test_create_keeps_what_another_process_made_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = shelf.locked

    def wait(path: Path) -> Any:
        monkeypatch.setattr(shelf, "locked", real)
        put(Shelf.create(path.parent, "lab", 1), 1)
        return real(path)

    monkeypatch.setattr(shelf, "locked", wait)
    assert names(Shelf.create(tmp_path / "new", "lab", 1)) == ["env-0001"]
    assert header(tmp_path / "new")["next"] == 2


# Where shelves are looked for


def test_home(data_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert store.home() == data_home
    monkeypatch.setenv("HOME", "/somewhere")
    monkeypatch.setenv("SPADE_ENVS_HOME", "~/envs")
    assert store.home() == Path("/somewhere/envs")
    monkeypatch.setenv("SPADE_ENVS_HOME", "here")
    assert store.home() == Path.cwd() / "here"
    monkeypatch.setenv("SPADE_ENVS_HOME", "")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert store.home() == Path("/data/spade-envs")


def test_search_path_in_order(bundled: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [one.path for one in store.search_path()] == [bundled.path]
        assert not store.home().exists(), "looking must not make anything"
        mine = store.user_shelf()
        more = [Shelf.create(tmp_path / name, name, 1).path for name in ("zoo", "lab")]
        monkeypatch.setenv("SPADE_ENVS_PATH", os.pathsep.join(["", *map(str, [*more, more[0], bundled.path])]))
        assert [one.path for one in store.search_path()] == [bundled.path, mine.path, *more]
    assert put(mine, 1).name == "env-1001"
    assert put(store.user_shelf(), 2).name == "env-1002"


def test_bad_shelves_are_left_out_with_one_warning_each(
    tmp_path: Path, data_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Shelf.create(tmp_path / "bundled", "other", 1)
    monkeypatch.setattr(store, "bundled_path", lambda: tmp_path / "bundled")
    Shelf.create(data_home / "shelf", "spade", 1)
    Shelf.create(tmp_path / "thief", "spade", 2000)
    Shelf.create(tmp_path / "good", "lab", 1)
    Shelf.create(tmp_path / "broken", "zoo", 1).path.joinpath("shelf.json").write_text("{")
    paths = [str(tmp_path / name) for name in ("thief", "missing", "broken", "good")]
    monkeypatch.setenv("SPADE_ENVS_PATH", os.pathsep.join(paths))
    with pytest.warns(UserWarning) as caught:
        assert [one.namespace for one in store.search_path()] == ["lab"]
    texts = [str(warning.message) for warning in caught]
    expected = ["'other', but only 'spade'", "numbers from 1", "'spade' is taken", "is not a shelf", "not JSON"]
    assert len(texts) == len(expected)
    assert all(part in text for part, text in zip(expected, texts, strict=True))
    with pytest.raises(StoreError, match="numbers from 1"):
        store.user_shelf()


def test_resolve(bundled: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(bundled, "b")
    mine = put(store.user_shelf(), "m")
    zoo, lab = (Shelf.create(tmp_path / name, "lab", 1) for name in ("zoo", "lab"))
    first, second = put(zoo, "first"), put(lab, "second")
    monkeypatch.setenv("SPADE_ENVS_PATH", f"{zoo.path}{os.pathsep}{lab.path}")
    assert resolve("env-0001")[0].path == bundled.path
    found, entry = resolve("env-1001", mine.sha256)
    assert (found.path, entry.env_id) == (store.home() / "shelf", "spade/env-1001")
    assert resolve("env-0001", namespace="lab")[1].sha256 == first.sha256
    assert resolve("env-0001", second.sha256, "lab")[0].path == lab.path
    assert resolve("env-0001", shelf=str(lab.path))[1].sha256 == second.sha256
    with pytest.raises(StoreError, match=f"zoo/env-0001/env.py has {first.sha256}; .*lab/env-0001/env.py has"):
        resolve("env-0001", "0" * 64, "lab")
    with pytest.raises(StoreError, match="lab/env-0001 is wanted with sha256 000"):
        resolve("env-0001", "0" * 64, shelf=lab.path)
    with pytest.raises(UnknownEnv, match=r"'spade/env-1002' among 4 environments in .*nearest: spade/env-1001"):
        resolve("env-1002")
    with pytest.raises(UnknownEnv, match=r"'lab/env-0009' among 1 environment in [^,]*lab; nearest: lab/env-0001"):
        resolve("env-0009", shelf=str(lab.path))
    with pytest.raises(StoreError, match="is not a shelf"):
        resolve("env-0001", shelf=str(tmp_path / "missing"))


def test_import_is_light_and_examples_run() -> None:
    slow = "{'jsonschema', 'filelock', 'sqlite3', 'spade_envs.types', 'spade_envs.cards'}"
    code = f"import sys, spade_envs.store; print(sorted({slow} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
    for module in (entry_names, index, shelf):
        result = doctest.testmod(module)
        assert result.attempted and not result.failed
