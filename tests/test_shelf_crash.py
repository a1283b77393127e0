"""Shelves on disks that are full or read-only, and under processes that are killed or race each other."""

from __future__ import annotations

import dataclasses
import errno
import itertools
import os
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
from making import FOR_CHILDREN, header, leftovers, make_source, names, put

from spade_envs import atomic, index, shelf
from spade_envs.errors import StoreError
from spade_envs.store import Shelf


@pytest.fixture
def lab(tmp_path: Path) -> Shelf:
    return Shelf.create(tmp_path / "deep" / "lab", "lab", 1)


# Disks that refuse


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
    FOR_CHILDREN
    + """
import builtins, os, signal, sys
import filelock
from making import make_card, make_source
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
    FOR_CHILDREN
    + """
from making import make_card, make_source
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
