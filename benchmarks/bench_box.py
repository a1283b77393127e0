"""What the box costs: a step beside a bare echo, a worker's start beside a bare fork, checking, importing.

    python benchmarks/bench_box.py [--quick] [--json results.json]

A step is measured in turns with a bare echo in the same run: a child process that reads a length-prefixed JSON frame
from a socket pair and sends it back, which is what any separation by process costs at the least. A worker's start, from
the request until it is locked and ready, with a warm zygote, is measured in turns with a bare fork: a process that has
imported the same modules forks a child, which sends one byte over a socket pair and is reaped. Ratios are medians over
slices; absolute times depend on the machine and its load. The stages of a start are timed in a child of that process
which locks itself up as a worker does; indented ones are part of one above them.

examples:
  python benchmarks/bench_box.py --quick
  python benchmarks/bench_box.py --sources spade_envs/generated
  python benchmarks/bench_box.py --json build/bench_box.json
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
from typing import Any

from rich.console import Console
from rich.table import Table

import spade_envs
from spade_envs.admission import validate
from spade_envs.rules import EXAMPLE
from spade_envs.sandbox.boxed import BoxedEnv
from spade_envs.sandbox.host import BoxOptions
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource, Isolation

SLICES = 30
STEPS = 300
MOST_STEP = 2.0
"""A step may take this many times a bare echo."""
MOST_START = 3.0
"""A worker may take this many times a bare fork to be ready."""
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


def step_ratio(slices: int) -> dict[str, float]:
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
    for _ in range(slices):
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


class BareFork:
    """The process that forks bare children."""

    def __init__(self, *, numpy: bool) -> None:
        paths = [path for path in map(os.path.abspath, filter(None, sys.path)) if os.path.isdir(path)]
        script, worker = (
            Path(__file__).with_name("bare_fork.py"),
            Path(spade_envs.__file__).parent / "sandbox/worker.py",
        )
        self._process = subprocess.Popen(
            [sys.executable, "-s", "-P", "-S", str(script.resolve()), str(worker), str(int(numpy)), *paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            env={"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )

    def ask(self, what: str) -> dict[str, float]:
        """Seconds by name, of ``bare`` or ``stages``."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(what + "\n")
        self._process.stdin.flush()
        found: dict[str, float] = json.loads(self._process.stdout.readline())
        return found

    def close(self) -> None:
        """End it."""
        self._process.communicate()


def ready_seconds(source: EnvSource) -> float:
    """Wall time from the request to a worker that is locked and ready."""
    pool = WorkerPool(options=BoxOptions(require=Isolation.KERNEL))
    begun = time.perf_counter()
    pool.start(source).wait_ready()
    spent = time.perf_counter() - begun
    pool.close()
    return spent


def start_ratio(slices: int, *, numpy: bool) -> dict[str, object]:
    """A worker's start over a bare fork, slice by slice in turn, and where the time goes; milliseconds."""
    source = EnvSource("import numpy\n" * numpy + ENVIRONMENT)
    fork = BareFork(numpy=numpy)
    ready_seconds(source)  # warms the zygote
    forks, starts, parts = [], [], []
    for _ in range(slices):
        forks.append(fork.ask("bare"))
        starts.append(ready_seconds(source))
        parts.append(fork.ask("stages"))
    fork.close()
    return {
        "answered_ms": 1000 * statistics.median(one["answered"] for one in forks),
        "fork_ms": 1000 * statistics.median(one["reaped"] for one in forks),
        "ready_ms": 1000 * statistics.median(starts),
        "ready_over_fork": statistics.median(start / one["reaped"] for start, one in zip(starts, forks, strict=True)),
        "ready_over_answered": statistics.median(
            start / one["answered"] for start, one in zip(starts, forks, strict=True)
        ),
        "stages_ms": {name: 1000 * statistics.median(one[name] for one in parts) for name in parts[0]},
    }


def start_seconds(times: int) -> float:
    """Median wall time from nothing to the first reset in a locked worker."""

    def once() -> None:
        pool = WorkerPool()
        box = pool.spawn(EnvSource(EXAMPLE))
        assert isinstance(box, BoxedEnv)
        box.reset(1)
        pool.close()

    return statistics.median(timed(once, 1) for _ in range(times))


def check_seconds(folder: Path, every: int) -> dict[str, float]:
    """Median and longest wall time of a whole check over the sources of a folder, and its share of starting up."""
    totals, starts = [], []
    for path in sorted(folder.rglob("*.py"))[::every]:
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


def import_milliseconds(times: int) -> float:
    """What ``import spade_envs`` adds to ``import gymnasium``: median, each in a process of its own."""
    code = "import gymnasium, time; begun = time.perf_counter(); import spade_envs; print(time.perf_counter() - begun)"
    runs = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(times)]
    return 1000 * statistics.median(runs)


def show(console: Console, figures: dict[str, Any]) -> None:
    """Tables, and whether the ratios hold."""
    table = Table("what", "ours", "bare", "ratio", "at most", "holds", title="beside the least that processes cost")
    step = figures["step"]
    lines = [("a step", "µs", step["step_us"], step["echo_us"], step["step_over_echo"], MOST_STEP)]
    for kind, start in figures["start"].items():
        lines.append(
            (f"a start, {kind}", "ms", start["ready_ms"], start["fork_ms"], start["ready_over_fork"], MOST_START)
        )
    for what, unit, ours, bare, ratio, most in lines:
        holds = "yes" if ratio <= most else "NO"
        table.add_row(what, f"{ours:.2f} {unit}", f"{bare:.2f} {unit}", f"{ratio:.2f}", f"{most:g}", holds)
    console.print(table)
    table = Table("part of a start", *figures["start"], title="where a worker's start goes, ms")
    for name in next(iter(figures["start"].values()))["stages_ms"]:
        cells = (f"{start['stages_ms'][name]:.2f}" for start in figures["start"].values())
        table.add_row("  " * ("." in name) + name, *cells)
    console.print(table)
    check = figures["check"]
    console.print(
        f"to the first reset {1000 * figures['start_s']:.1f} ms; import {figures['import_ms']:.1f} ms; a check"
        f" {check['median_s']:.2f} s, longest {check['longest_s']:.2f} s, of {check['sources']} sources"
    )


def main() -> None:
    """Measure, print tables, and write JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the figures here too")
    parser.add_argument("--sources", type=Path, default=Path(__file__).parents[1] / "tests" / "sources" / "sound")
    parser.add_argument("--quick", action="store_true", help="fewer slices, and every 40th source")
    arguments = parser.parse_args()
    slices, few = (6, 3) if arguments.quick else (SLICES, 10)
    figures: dict[str, Any] = {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
        "load_average": os.getloadavg()[0],
        "step": step_ratio(slices),
        "start": {
            "plain": start_ratio(slices, numpy=False),
            "with numpy": start_ratio(slices, numpy=True),
        },
        "start_s": start_seconds(few),
        "import_ms": import_milliseconds(few),
        "check": check_seconds(arguments.sources, 40 if arguments.quick else 1),
    }
    show(Console(width=100), figures)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
