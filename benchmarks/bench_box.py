"""What the box costs: one step through it beside a bare echo, starting a worker, checking a source, importing.

    python benchmarks/bench_box.py [--json results.json]

A step is measured in turns with a bare echo in the same run: a child process that reads a length-prefixed JSON frame
from a socket pair and sends it back, which is what any separation by process costs at the least. Ratios are medians
over slices; absolute times depend on the machine and its load.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import socket
import statistics
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from spade_envs.admission import validate
from spade_envs.rules import EXAMPLE
from spade_envs.sandbox.boxed import BoxedEnv
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource

SLICES = 30
STEPS = 300
ECHO = """
import json, os, struct, sys
fd = int(sys.argv[1])
buffer = b""
while True:
    while len(buffer) < 4 or len(buffer) < 4 + struct.unpack(">I", buffer[:4])[0]:
        data = os.read(fd, 65536)
        if not data:
            sys.exit()
        buffer += data
    size = struct.unpack(">I", buffer[:4])[0]
    value = json.loads(buffer[4 : 4 + size])
    buffer = buffer[4 + size :]
    body = json.dumps(value).encode()
    os.write(fd, struct.pack(">I", len(body)) + body)
"""
ENVIRONMENT = '''
class CounterEnv:
    """A cheap step with an observation of about 160 characters."""

    def reset(self, seed=None):
        self.count = 0
        return "Count with me.", {}

    def step(self, action):
        self.count += 1
        return f"{self.count:06d} " + "the quick brown fox jumps over the lazy dog " * 3, 0.0, False, False, {}
'''


def echo_once(sock: socket.socket, message: dict[str, object]) -> None:
    """One round trip of the bare echo."""
    body = json.dumps(message).encode()
    sock.sendall(struct.pack(">I", len(body)) + body)
    got = b""
    while len(got) < 4 or len(got) < 4 + struct.unpack(">I", got[:4])[0]:
        got += sock.recv(65536)
    json.loads(got[4:])


def timed(work: Callable[[], object], times: int) -> float:
    """Seconds per call."""
    begun = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - begun) / times


def step_ratio() -> dict[str, float]:
    """A step through the box over a bare echo of a message of the same size, slice by slice in turn."""
    ours, theirs = socket.socketpair()
    echo = subprocess.Popen([sys.executable, "-S", "-c", ECHO, str(theirs.fileno())], pass_fds=[theirs.fileno()])
    theirs.close()
    pool = WorkerPool()
    box = pool.spawn(EnvSource(ENVIRONMENT))
    assert isinstance(box, BoxedEnv)
    box.reset(1)
    message: dict[str, object] = {"observation": "x" * 140, "reward": 0.0, "terminated": False, "truncated": False}
    echo_once(ours, message)
    pairs = []
    for _ in range(SLICES):
        bare = timed(lambda: echo_once(ours, message), STEPS)
        boxed = timed(lambda: box.step("\\boxed{one}"), STEPS)
        pairs.append((bare, boxed))
    ours.close()
    echo.wait()
    pool.close()
    return {
        "echo_us": 1e6 * statistics.median(bare for bare, _ in pairs),
        "step_us": 1e6 * statistics.median(boxed for _, boxed in pairs),
        "step_over_echo": statistics.median(boxed / bare for bare, boxed in pairs),
    }


def start_seconds() -> float:
    """Median wall time from nothing to the first reset in a locked worker."""

    def once() -> None:
        pool = WorkerPool()
        box = pool.spawn(EnvSource(EXAMPLE))
        assert isinstance(box, BoxedEnv)
        box.reset(1)
        pool.close()

    return statistics.median(timed(once, 1) for _ in range(10))


def check_seconds(folder: Path) -> dict[str, float]:
    """Median and longest wall time of a whole check over the sources of a folder, and its share of starting up."""
    totals, starts = [], []
    for path in sorted(folder.rglob("*.py")):
        begun = time.perf_counter()
        report = validate(path)
        totals.append(time.perf_counter() - begun)
        starts.append(report.seconds.get("start", 0.0))
    return {
        "sources": len(totals),
        "median_s": statistics.median(totals),
        "longest_s": max(totals),
        "median_start_s": statistics.median(starts),
    }


def import_milliseconds() -> float:
    """What ``import spade_envs`` adds to ``import gymnasium``: median of 15, each in a process of its own."""
    code = "import gymnasium, time; begun = time.perf_counter(); import spade_envs; print(time.perf_counter() - begun)"
    runs = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(15)]
    return 1000 * statistics.median(runs)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the figures here too")
    parser.add_argument("--sources", type=Path, default=Path(__file__).parents[1] / "tests" / "sources" / "sound")
    arguments = parser.parse_args()
    figures: dict[str, object] = {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
        "step": step_ratio(),
        "start_s": start_seconds(),
        "import_ms": import_milliseconds(),
        "check": check_seconds(arguments.sources),
    }
    print(json.dumps(figures, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
