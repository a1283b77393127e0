"""What a locked process can still do, tried for real in processes of its own (``hostile.py``)."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import platform
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from spade_envs.sandbox import landlock as landlock_module
from spade_envs.sandbox import lockdown, seccomp

HERE = Path(__file__).parent
FOLDER = Path(lockdown.__file__).parent
SCRIPT = (HERE / "hostile.py").read_text(encoding="utf-8")
LANDLOCK_CALLS = (444, 445, 446)

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="attacks are x86_64 Linux system calls"
)
HAS_LANDLOCK = landlock_module.abi() > 0
LANDLOCK = [True, pytest.param(False, id="no-landlock")]
DROP = [
    pytest.param(False, id="same-user"),
    pytest.param(True, id="nobody", marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root can drop")),
]


@functools.cache
def run(
    mode: str,
    *,
    landlock: bool = True,
    drop: bool = False,
    seccomp: bool = True,
    outer: tuple[int, ...] = (),
    cpu: int | None = None,
) -> dict[str, Any]:
    """One host with one worker in it; fails here when the worker managed to end its host."""
    config = {"mode": mode, "landlock": landlock, "drop": drop, "seccomp": seccomp, "outer": outer, "cpu": cpu}
    done = subprocess.run(
        [sys.executable, "-s", "-P", "-c", SCRIPT, "host", str(FOLDER), json.dumps(config)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, f"the host died: {done.returncode}\n{done.stderr}"
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("drop", DROP)
@pytest.mark.parametrize("landlock", LANDLOCK)
class TestAttacks:
    def test_every_attack_is_refused(self, landlock: bool, drop: bool) -> None:
        answer = run("attack", landlock=landlock, drop=drop)
        assert {name: got for name, got in answer["attacks"].items() if got != "EPERM"} == {}
        assert len(answer["attacks"]) > 50
        assert answer["returncode"] == 0

    def test_no_other_descriptor_is_open(self, landlock: bool, drop: bool) -> None:
        assert run("attack", landlock=landlock, drop=drop)["writable"] == []

    def test_level_is_reported(self, landlock: bool, drop: bool) -> None:
        answer = run("attack", landlock=landlock, drop=drop)
        if landlock and HAS_LANDLOCK:
            assert answer["level"] == "kernel"
            assert [note for note in answer["notes"] if not note.startswith("dumpable")] == []
            assert answer["landlock_abi"] == landlock_module.abi()
        else:
            assert (answer["level"], answer["landlock_abi"]) == ("seccomp", 0)
            assert any("landlock" in note for note in answer["notes"])

    def test_the_host_can_watch_memory(self, landlock: bool, drop: bool) -> None:
        assert run("attack", landlock=landlock, drop=drop)["resident"] > 0

    def test_ordinary_work_goes_on(self, landlock: bool, drop: bool) -> None:
        answer = run("legitimate", landlock=landlock, drop=drop)
        assert {name: got for name, got in answer["work"].items() if got != "done"} == {}
        for library in ("numpy", "math_verify"):
            assert (library in answer["work"]) == (importlib.util.find_spec(library) is not None)

    def test_memory_is_bounded(self, landlock: bool, drop: bool) -> None:
        got = run("legitimate", landlock=landlock, drop=drop)["memory"]
        assert got == {"under": "done", "above": "MemoryError", "leak": "done", "again": "done"}


class TestLayers:
    """Every combination of layers says what it is, and a missing one is a note."""

    def test_a_container_that_denies_landlock(self) -> None:
        answer = run("attack", outer=LANDLOCK_CALLS)
        assert (answer["level"], answer["landlock_abi"]) == ("seccomp", 0)
        assert any(note.startswith("landlock: not there") for note in answer["notes"])
        assert set(answer["attacks"].values()) == {"EPERM"}

    def test_a_container_that_denies_seccomp(self) -> None:
        answer = run("open", outer=(317,))
        assert answer["level"] == "process"
        assert any(note.startswith("seccomp: ") for note in answer["notes"])

    def test_landlock_alone_is_no_level(self) -> None:
        answer = run("open", seccomp=False)
        assert answer["level"] == "process"
        assert answer["open"] == ("EACCES" if HAS_LANDLOCK else "done")

    def test_a_filter_that_does_nothing_is_found_out(self) -> None:
        answer = run("broken", landlock=False)
        assert answer["level"] == "process"
        found = [note for note in answer["notes"] if "can still" in note]
        assert len(found) == 4

    def test_a_thread_that_already_runs_is_covered_by_seccomp(self) -> None:
        answer = run("thread")
        assert answer["level"] == "seccomp"
        assert answer["thread"] == ["EPERM"]
        assert not HAS_LANDLOCK or any("one thread of 2" in note for note in answer["notes"])

    def test_a_threaded_blas_still_computes(self) -> None:
        """The self-test must not fork: an at-fork handler would end BLAS threads, and the next product hang."""
        pytest.importorskip("numpy")
        assert run("threaded BLAS")["returncode"] == 0

    def test_x32_ends_the_process(self) -> None:
        assert run("x32")["returncode"] == -signal.SIGSYS

    def test_cpu_time_ends_the_process(self) -> None:
        assert run("spin", cpu=1)["returncode"] == -signal.SIGKILL


def verdict(program: list[seccomp.Instruction], arch: int, number: int, *args: int) -> int:
    """Run a filter as the kernel would: a classic BPF machine with the five instructions used."""
    data = number.to_bytes(4, "little") + arch.to_bytes(4, "little") + bytes(8)
    data += b"".join((arg & (1 << 64) - 1).to_bytes(8, "little") for arg in (*args, *[0] * (6 - len(args))))
    accumulator, at = 0, 0
    while True:
        code, jt, jf, k = program[at]
        at += 1
        if code == 0x20:
            accumulator = int.from_bytes(data[k : k + 4], "little")
        elif code == 0x54:
            accumulator &= k
        elif code == 0x15:
            at += jt if accumulator == k else jf
        elif code == 0x35:
            at += jt if accumulator >= k else jf
        else:
            assert code == 0x06
            return k


ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050001, 0x80000000
X86, ARM = 0xC000003E, 0xC00000B7


@pytest.mark.parametrize(
    ("name", "arch", "call", "expected"),
    [
        ("x86_64", X86, (0, 3), ALLOW),
        ("x86_64", X86, (2,), REFUSE),
        ("x86_64", ARM, (0, 3), KILL),
        ("x86_64", 0x40000003, (1,), KILL),
        ("x86_64", X86, (0x40000000,), KILL),
        ("x86_64", X86, (72, 3, 8, 1), REFUSE),
        ("x86_64", X86, (234, 42, 42, 9), ALLOW),
        ("x86_64", X86, (234, 43, 43, 9), REFUSE),
        ("x86_64", X86, (234, 42 | 1 << 32, 42, 9), REFUSE),
        ("x86_64", X86, (9, 0, 4096, 3, 0x22), ALLOW),
        ("x86_64", X86, (9, 0, 4096, 7, 0x22), REFUSE),
        ("x86_64", X86, (9, 0, 4096, 3, 0x21), REFUSE),
        ("x86_64", X86, (202, 0, 0x189, 1), ALLOW),
        ("x86_64", X86, (202, 0, 0x86, 1), REFUSE),
        ("aarch64", ARM, (63, 3), ALLOW),
        ("aarch64", ARM, (56,), REFUSE),
        ("aarch64", X86, (63, 3), KILL),
        ("aarch64", ARM, (131, 42, 42, 9), ALLOW),
        ("aarch64", ARM, (131, 43, 43, 9), REFUSE),
        ("aarch64", ARM, (226, 0, 4096, 5), REFUSE),
        ("aarch64", ARM, (233, 0, 4096, 8), ALLOW),
        ("aarch64", ARM, (233, 0, 4096, 100), REFUSE),
    ],
)
def test_program_as_data(name: str, arch: int, call: tuple[int, ...], expected: int) -> None:
    assert verdict(seccomp.program(name, pid=42), arch, *call) == expected


@pytest.mark.parametrize(
    ("level", "abi", "words"),
    [
        ("process", 0, "no wall"),
        ("seccomp", 0, "no second layer"),
        ("kernel", 3, "no network"),
        ("kernel", 5, "no signals"),
        ("kernel", 7, "side channel|channel"),
    ],
)
def test_gaps_are_named(level: str, abi: int, words: str) -> None:
    gaps = " ".join(lockdown.describe_gaps(level, abi))
    assert any(word in gaps for word in words.split("|"))
    assert ("no signals" in gaps) == (level == "kernel" and abi < 6)


def test_other_platforms_get_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Linux there is a report, not an exception."""
    monkeypatch.setattr(lockdown, "_close_all_but", lambda keep: None)
    monkeypatch.setattr(lockdown, "_limit_resources", lambda request, notes: None)
    monkeypatch.setattr(sys, "platform", "darwin")
    report = lockdown.lock(lockdown.LockRequest(memory_mb=100, cpu_seconds=None, keep_fd=3))
    assert report.level == "process"
    assert "darwin" in report.notes[0]
    assert not seccomp.supported()
