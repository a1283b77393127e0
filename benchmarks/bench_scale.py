"""How the cost of a step grows: with the number of members, and with the length of observations.

    python benchmarks/bench_scale.py [--numbers 1 8 64 256 1024] [--lengths 100 1000 10000 60000] [--slices 7]
                                     [--workers 1] [--quick] [--json results.json]

Times a step of our vector environment (isolation ``kernel``) and of Gymnasium's ``SyncVectorEnv`` over the bare class
in this process, for every number of members with every length (characters, ASCII). All numbers of one length have a
slice each in turn, ours and theirs, so that the load of the machine falls on all alike; times are medians over slices.
Growth is the slope of a least-squares line through log(time of a vector step) over log(members or length): 1 is linear,
0 is for nothing. ``steepest`` is the largest slope between two neighbours, from which a bend at the end of the range
cannot hide.

examples:
  python benchmarks/bench_scale.py --quick
  python benchmarks/bench_scale.py --lengths 1000 --numbers 64 128 256 512 1024 --slices 15
  python benchmarks/bench_scale.py --json build/bench_scale.json
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import math
import os
import platform
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
from rich.console import Console
from rich.table import Table

from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.sandbox.host import BoxOptions
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.spaces import UnicodeText
from spade_envs.types import EnvSource, Isolation
from spade_envs.vector import SpadeVectorEnv

SOURCE = '''
TEXT = "the quick brown fox jumps over the lazy dog " * (LENGTH // 44 + 1)

class TellerEnv:
    """A cheap step with an observation of LENGTH characters."""

    def reset(self, seed=None):
        self.count = 0
        return "Listen to me.", {}

    def step(self, action):
        self.count += 1
        return f"{self.count:09d} " + TEXT[: LENGTH - 10], 0.0, False, False, {}
'''
ENDLESS = EnvSettings(max_turns=10**9)
STEEP = 1.25
"""A slope above this is told: noise of a tenth at both of two neighbours gives about as much."""
KINDS = ("ours", "sync")

Cell = tuple[int, int, str]
"""Members, length of an observation, and which of :data:`KINDS`."""


@dataclasses.dataclass(frozen=True)
class Growth:
    """Slopes of time in a log-log plot."""

    kind: str
    over: str
    """``members`` or ``length``."""
    fixed: int
    """The other of both."""
    slope: float
    """Of a line through all points."""
    steepest: float
    """Between neighbours."""
    where: tuple[int, int]
    """The neighbours."""


class Bare(gymnasium.Env[str, str]):
    """The class itself, in this process."""

    def __init__(self, text: str) -> None:
        scope: dict[str, Any] = {}
        exec(text, scope)  # noqa: S102  # our own text, above
        self.told = scope["TellerEnv"]()
        self.action_space = self.observation_space = UnicodeText(1 << 17)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode."""
        result: tuple[str, dict[str, Any]] = self.told.reset(seed)
        return result

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """A turn."""
        result: tuple[str, float, bool, bool, dict[str, Any]] = self.told.step(action)
        return result


def made(cell: Cell, workers: int) -> Any:
    """The vector environment of a cell, after its first step."""
    number, length, kind = cell
    text = SOURCE.replace("LENGTH", str(length))
    env: Any
    if kind == "sync":
        env = gymnasium.vector.SyncVectorEnv([lambda: Bare(text)] * number)
    else:
        pools = [WorkerPool(options=BoxOptions(require=Isolation.KERNEL)) for _ in range(min(workers, number))]
        members = [SpadeEnv(EnvSource(text), ENDLESS, pool=pools[at % len(pools)]) for at in range(number)]
        env = SpadeVectorEnv(members, pools)
    env.reset(seed=1)
    texts = env.step(("go",) * number)[0]
    assert all(len(one) == length for one in texts), "an observation has another length"
    return env


def turns_for(env: Any, number: int, seconds: float) -> int:
    """Steps that fill about ``seconds``; at least one."""
    begun = time.perf_counter()
    env.step(("go",) * number)
    return max(1, min(2000, round(seconds / (time.perf_counter() - begun))))


def measure(cells: Sequence[Cell], slices: int, seconds: float, workers: int) -> dict[Cell, float]:
    """Median seconds of a vector step by cell; a slice is about ``seconds`` long."""
    envs = {cell: made(cell, workers) for cell in cells}
    turns = {cell: turns_for(env, cell[0], seconds) for cell, env in envs.items()}
    found: dict[Cell, list[float]] = {cell: [] for cell in cells}
    for _ in range(slices):
        for cell, env in envs.items():
            actions = ("go",) * cell[0]
            begun = time.perf_counter()
            for _ in range(turns[cell]):
                env.step(actions)
            found[cell].append((time.perf_counter() - begun) / turns[cell])
    for (_, _, kind), env in envs.items():
        if kind == "ours":
            assert not env.faults, f"a member failed: {env.faults}"
        env.close()
    return {cell: statistics.median(times) for cell, times in found.items()}


def slopes(points: Mapping[int, float]) -> tuple[float, float, tuple[int, int]]:
    """Slope of log(time) over log(size) by least squares, the steepest between neighbours, and where that is."""
    line = statistics.linear_regression([math.log(x) for x in points], [math.log(y) for y in points.values()])
    ordered = sorted(points.items())
    steps = [
        (math.log(later / earlier) / math.log(above / below), (below, above))
        for (below, earlier), (above, later) in itertools.pairwise(ordered)
    ]
    return (line.slope, *max(steps))


def growths(times: Mapping[Cell, float], numbers: Sequence[int], lengths: Sequence[int]) -> Iterator[Growth]:
    """Slopes over members for every length, and over length for every number."""
    for kind in KINDS:
        if len(numbers) > 1:
            for length in lengths:
                yield Growth(kind, "members", length, *slopes({one: times[one, length, kind] for one in numbers}))
        if len(lengths) > 1:
            for number in numbers:
                yield Growth(kind, "length", number, *slopes({one: times[number, one, kind] for one in lengths}))


def show(console: Console, times: Mapping[Cell, float], found: Sequence[Growth]) -> None:
    """Two tables, and what grows faster than linearly."""
    table = Table("members", "characters", "ours, µs", "sync, µs", "ours/sync", title="a step, per member")
    for number, length in dict.fromkeys((number, length) for number, length, _ in times):
        ours, sync = (1e6 * times[number, length, kind] / number for kind in KINDS)
        table.add_row(f"{number:,}", f"{length:,}", f"{ours:.1f}", f"{sync:.1f}", f"{ours / sync:.1f}")
    console.print(table)
    table = Table("what", "over", "at", "slope", "steepest", "between", title="growth of a vector step (1 is linear)")
    for one in found:
        at = f"{one.fixed:,} {'characters' if one.over == 'members' else 'members'}"
        between = f"{one.where[0]:,} and {one.where[1]:,}"
        table.add_row(one.kind, one.over, at, f"{one.slope:.2f}", f"{one.steepest:.2f}", between)
    console.print(table)
    steep = [one for one in found if one.kind == "ours" and one.steepest > STEEP]
    for one in steep:
        console.print(
            f"faster than linear: over {one.over} at {one.fixed:,}, slope {one.steepest:.2f} between"
            f" {one.where[0]:,} and {one.where[1]:,}"
        )
    if not steep:
        console.print(f"nothing of ours grows faster than linearly (no slope above {STEEP})")


def main() -> None:
    """Measure, print tables, and write JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numbers", type=int, nargs="+", default=[1, 8, 64, 256, 1024], help="members")
    parser.add_argument("--lengths", type=int, nargs="+", default=[100, 1000, 10_000, 60_000], help="characters")
    parser.add_argument("--slices", type=int, default=7)
    parser.add_argument("--workers", type=int, default=1, help="workers that the members share")
    parser.add_argument("--quick", action="store_true", help="at most 256 members, three short slices")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    asked = parser.parse_args()
    numbers = [number for number in sorted(set(asked.numbers)) if number <= 256 or not asked.quick]
    lengths = sorted(set(asked.lengths))
    if lengths[0] < 10:
        parser.error("an observation has 10 characters at the least")
    slices, seconds = (3, 0.03) if asked.quick else (asked.slices, 0.15)
    console = Console(width=100)
    times: dict[Cell, float] = {}
    for length in lengths:  # the members of all lengths at once would fill much memory
        with console.status(f"{length:,} characters"):
            times |= measure([(one, length, kind) for one in numbers for kind in KINDS], slices, seconds, asked.workers)
    found = list(growths(times, numbers, lengths))
    show(console, times, found)
    result = {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
        "load_average": os.getloadavg()[0],
        "workers": asked.workers,
        "steps": [
            {"members": number, "characters": length, "what": kind, "seconds": spent}
            for (number, length, kind), spent in times.items()
        ],
        "growth": [dataclasses.asdict(one) for one in found],
    }
    if asked.json:
        asked.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
