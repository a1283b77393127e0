"""Steps per second of many environments at once: ours beside Gymnasium's vector environments and the bare class.

    python benchmarks/bench_vector.py [--numbers 1 8 64 256] [--slices 7] [--json results.json]

All of them step the same source with the same actions in one run, a slice of each in turn, so that the load of the
machine falls on all alike; ratios are medians over slices. ``bare`` is the class itself, in this process and without a
box. Gymnasium's ``SyncVectorEnv`` and ``AsyncVectorEnv`` (without shared memory, which loses text) hold our boxed
single environments, and are left out above 64. At the end: what one step costs in which a member hangs beyond help, or
its worker is killed, and 63 others are brought back.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
from rich.console import Console
from rich.table import Table

from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.sandbox.host import BoxOptions
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource, Isolation, Limits
from spade_envs.vector import SpadeVectorEnv

SOURCE = '''
class CounterEnv:
    """A cheap step with an observation of about 160 characters; "hang" cannot be interrupted."""

    def reset(self, seed=None):
        self.count = 0
        return "Count with me.", {}

    def step(self, action):
        self.count += 1
        if action == "hang":
            sum(range(10**15))
        return f"{self.count:06d} " + "the quick brown fox jumps over the lazy dog " * 3, 0.0, False, False, {}
'''
ENDLESS = EnvSettings(max_turns=10**9)
MOST_SINGLE = 64
"""Members above which Gymnasium's vector environments are left out."""
STEPS = 2000
"""Steps of a slice, over all members."""


def kernel() -> BoxOptions:
    """The box at its strongest."""
    return BoxOptions(require=Isolation.KERNEL)


def single() -> SpadeEnv:
    """One environment with a worker of its own."""
    return SpadeEnv(EnvSource(SOURCE), ENDLESS, options=kernel())


def ours(number: int, workers: int, limits: Limits | None = None) -> SpadeVectorEnv:
    """Our vector environment."""
    pools = [WorkerPool(limits, kernel()) for _ in range(workers)]
    members = [SpadeEnv(EnvSource(SOURCE), ENDLESS, pool=pools[at % workers], limits=limits) for at in range(number)]
    return SpadeVectorEnv(members, pools)


class Bare:
    """The class itself, stepped in a loop in this process."""

    def __init__(self, number: int) -> None:
        scope: dict[str, Any] = {}
        exec(SOURCE, scope)  # noqa: S102  # our own text, above
        self.members = [scope["CounterEnv"]() for _ in range(number)]

    def reset(self, seed: int) -> None:
        """Begin an episode of each."""
        for member in self.members:
            member.reset(seed)

    def step(self, actions: tuple[str, ...]) -> None:
        """A turn of each."""
        for member, action in zip(self.members, actions, strict=True):
            member.step(action)

    def close(self) -> None:
        """Nothing to end."""


def contenders(number: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Name and maker of everything that steps ``number`` members."""
    yield "bare", lambda: Bare(number)
    yield "ours, 1 worker", lambda: ours(number, 1)
    if number >= 16:
        yield "ours, 2 workers", lambda: ours(number, 2)
    if number <= MOST_SINGLE:
        yield "gymnasium sync", lambda: gymnasium.vector.SyncVectorEnv([single] * number)
        yield "gymnasium async", lambda: gymnasium.vector.AsyncVectorEnv([single] * number, shared_memory=False)


def rates(number: int, slices: int) -> dict[str, float]:
    """Median steps per second of each contender."""
    made = {name: make() for name, make in contenders(number)}
    actions = ("\\boxed{one}",) * number
    turns = max(2, STEPS // number)
    found: dict[str, list[float]] = {name: [] for name in made}
    for env in made.values():
        env.reset(seed=1)
        env.step(actions)
    for _ in range(slices):
        for name, env in made.items():
            begun = time.perf_counter()
            for _ in range(turns):
                env.step(actions)
            found[name].append(turns * number / (time.perf_counter() - begun))
    for env in made.values():
        env.close()
    return {name: statistics.median(one) for name, one in found.items()}


def recovery(slices: int) -> dict[str, float]:
    """Seconds that a step of 64 members takes by itself, with a hang, and with a killed worker, after 30 turns."""
    found: dict[str, list[float]] = {"quiet": [], "hang": [], "killed": []}
    limits = Limits(step_seconds=0.5, grace_seconds=0.25)
    for _ in range(slices):
        for kind, seconds in found.items():
            env = ours(64, 1, limits)
            env.reset(seed=1)
            for _ in range(30):
                env.step(("go",) * 64)
            if kind == "killed":
                os.kill(env.members[0].boxed.worker._process.pid, signal.SIGKILL)  # type: ignore[union-attr]
            begun = time.perf_counter()
            texts, _, _, truncated, _ = env.step(("hang" if kind == "hang" else "go", *(("go",) * 63)))
            seconds.append(time.perf_counter() - begun)
            assert all(text.startswith("000031 ") for text in texts[1:]), "an innocent episode was lost"
            assert truncated.tolist() == [kind == "hang"] + [False] * 63
            env.close()
    return {kind: statistics.median(seconds) for kind, seconds in found.items()}


def main() -> None:
    """Measure, print tables, and write JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numbers", type=int, nargs="+", default=[1, 8, 64, 256], help="members")
    parser.add_argument("--slices", type=int, default=7)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    console = Console()
    by_number = {}
    table = Table("members", "what", "steps/s", "ratio to async", title="the same source, isolation kernel")
    for number in asked.numbers:
        with console.status(f"{number} members"):
            by_number[number] = found = rates(number, asked.slices)
        for name, rate in found.items():
            ratio = f"{rate / found['gymnasium async']:.1f}" if "gymnasium async" in found else ""
            table.add_row(str(number), name, f"{rate:,.0f}", ratio)
    console.print(table)
    with console.status("recovery"):
        seconds = recovery(asked.slices)
    console.print(
        f"a step of 64 members: {1000 * seconds['quiet']:.1f} ms; when the worker was killed"
        f" {1000 * seconds['killed']:.0f} ms; when one hangs (limit 0.5 s, killed 0.25 s later)"
        f" {1000 * seconds['hang']:.0f} ms"
    )
    result = {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
        "load_average": os.getloadavg()[0],
        "steps_per_second": {str(number): found for number, found in by_number.items()},
        "recovery_seconds": seconds,
    }
    if asked.json:
        asked.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
