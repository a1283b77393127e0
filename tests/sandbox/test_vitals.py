"""What the kernel says of a process, and what is made of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from spade_envs.sandbox import vitals
from spade_envs.sandbox.boxed import BoxedEnv
from spade_envs.sandbox.host import BoxOptions
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.sandbox.vitals import Hunger, Progress
from spade_envs.types import EnvSource, Fault, FaultKind, Limits

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc")
LIMITS = Limits(step_seconds=0.4, reset_seconds=5.0, grace_seconds=0.4)
SLOW = """
class SlowEnv:
    def reset(self, seed=None):
        return "go", {}
    def step(self, action):
        if action == "loop":
            while True:
                pass
        if action == "C":
            sum(range(10**15))
        return "done", 0.0, False, False, {}
"""


@pytest.fixture
def process() -> Iterator[Callable[[str], subprocess.Popen[bytes]]]:
    """Starts Python programs that say when they have begun; they are killed after the test."""
    started: list[subprocess.Popen[bytes]] = []

    def start(program: str) -> subprocess.Popen[bytes]:
        line = [sys.executable, "-c", f"print(flush=True); {program}"]
        started.append(subprocess.Popen(line, stdout=subprocess.PIPE))
        assert started[-1].stdout is not None and started[-1].stdout.readline()
        return started[-1]

    yield start
    for one in started:
        one.kill()
        one.wait()


def test_memory_of_a_process(process: Callable[[str], Any]) -> None:
    wait = "import time; time.sleep(1000)"
    small, large = process(wait), process(f"x = b'x' * 10**8; {wait}")
    quiet = vitals.resident_mb(small.pid)
    assert quiet is not None and 2 < quiet < 60
    until(lambda: (vitals.resident_mb(large.pid) or 0.0) > 90)
    small.kill()
    small.wait()
    assert vitals.resident_mb(small.pid) is None and vitals.processor_seconds(small.pid) is None


def test_a_process_that_sleeps_or_is_gone_does_not_starve(process: Callable[[str], Any]) -> None:
    sleeper = process("import time; time.sleep(1000)")
    until(lambda: (vitals.processor_seconds(sleeper.pid) or ("",))[0] == "S")
    assert not Hunger(sleeper.pid).starves(1000.0)
    assert not Hunger(2**22 + 1).starves(1000.0)


def test_a_process_that_wants_the_processor_starves_while_it_had_little(process: Callable[[str], Any]) -> None:
    busy = process("\nwhile True: pass")
    until(lambda: (vitals.processor_seconds(busy.pid) or ("", 0.0))[1] > 0.1)
    hunger = Hunger(busy.pid)
    assert hunger.starves(1000.0) and not hunger.starves(0.1)
    hunger.glance(time.monotonic())
    assert hunger.starves(1.0), "what was used before the last glance does not count"


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that another process does."""
    end = time.monotonic() + 60.0
    while not holds():
        assert time.monotonic() < end


def test_patience_ends() -> None:
    now = time.monotonic()
    assert (vitals.more_time(now, now + 1.0) or 0.0) > now
    assert vitals.more_time(now - vitals.MOST_PATIENCE - 1.0, now - vitals.MOST_PATIENCE) is None


def test_progress_is_read_and_kept() -> None:
    progress = Progress()
    assert progress.descriptor is not None and progress.read() == (0, 0)
    os.pwrite(progress.descriptor, (7).to_bytes(8, sys.byteorder) + (3).to_bytes(8, sys.byteorder), 0)
    progress.sent()
    assert progress.read() == (7, 3) and progress.descriptor is None
    progress.close()
    assert progress.read() == (7, 3)


@pytest.mark.parametrize("size", [0, 1, 1 << 20])
def test_memory_that_is_shared_keeps_its_size(size: int) -> None:
    progress = Progress()
    assert progress.descriptor is not None
    with pytest.raises(PermissionError):
        os.ftruncate(progress.descriptor, size)
    progress.close()


@pytest.fixture
def box() -> Iterator[BoxedEnv]:
    """An instance of SLOW that has begun."""
    pool = WorkerPool(LIMITS, BoxOptions(language=False))
    made = pool.spawn(EnvSource(SLOW))
    assert isinstance(made, BoxedEnv) and not isinstance(made.reset(1), Fault)
    yield made
    pool.close()


@pytest.mark.parametrize("action", ["loop", "C", "frozen"])
def test_what_hangs_is_no_starving(box: BoxedEnv, action: str) -> None:
    if action == "frozen":
        os.kill(box.worker.pid, signal.SIGSTOP)
    answer = box.step(action)
    assert isinstance(answer, Fault) and answer.kind is FaultKind.HUNG


def test_a_worker_that_gets_no_processor_is_waited_for(box: BoxedEnv, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped from outside, as a full machine would, and let go on only after its time and the grace are over."""
    pid, asked = box.worker.pid, []

    def starves(self: Hunger, allowed: float) -> bool:
        asked.append(allowed)
        if len(asked) == 3:
            os.kill(pid, signal.SIGCONT)
        return True

    monkeypatch.setattr(Hunger, "starves", starves)
    os.kill(pid, signal.SIGSTOP)
    answer = box.step("a")
    assert not isinstance(answer, Fault) and answer.observation == "done" and len(asked) >= 3
