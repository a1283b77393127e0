"""A million steps with a fault in every thousand: is an innocent episode lost, an observation wrong, anything leaked?

    python benchmarks/bench_soak.py                                   # 1,000,000 steps of 256 members, some minutes
    python benchmarks/bench_soak.py --steps 50000 --members 64        # a quick look
    python benchmarks/bench_soak.py --json benchmarks/bench_soak.json

The faults, drawn with ``--seed``, are a hang that no exception ends, a loop that a time limit ends, a crash of the
process, an allocation beyond the limit, garbage written to the socket, an exception, and a step that returns nonsense.
The language layer is off, or half of them could not happen; the kernel layers are on. What every other member shows is
compared, at every step, with what the same class shows in this process.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import json
import os
import platform
import random
import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.sandbox.host import BoxOptions
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource, Isolation, Limits
from spade_envs.vector import SpadeVectorEnv

SOURCE = '''
import random

class SoakEnv:
    """Shows a running hash of the seed and of everything said."""

    def reset(self, seed=None):
        self.random, self.count, self.heard = random.Random(seed), 0, 0
        self.length = self.random.randrange(10, 40)
        return f"begin {self.random.random()}", {}

    def step(self, action):
        if action in FAULTS:
            return FAULTS[action]()
        self.count += 1
        self.heard = (self.heard * 31 + sum(map(ord, action))) % 1_000_003
        over = self.count >= self.length
        return f"{action} {self.count} {self.heard} {self.random.random()}", 0.5 * over, over, False, {"n": self.count}

FAULTS = {}
'''
BOXED = (
    SOURCE
    + """
import os

def loop():
    while True:
        pass

def garbage():
    for fd in range(3, 20):
        try:
            os.write(fd, b"\\x00\\x00\\x00\\x09{\\"n\\": 1}!")
        except OSError:
            pass
    return "x", 0.0, False, False, {}

def food():
    return bytearray(10**10)

FAULTS.update(
    hang=lambda: sum(range(10**15)), loop=loop, crash=lambda: os._exit(3), memory=food, garbage=garbage,
    error=lambda: {}["nothing"], nonsense=lambda: ("x", "much", None, 3),
)
"""
)
FAULTS = {
    "hang": {"env_hung"},
    "loop": {"env_hung"},
    "crash": {"env_raised"},
    "memory": {"env_memory"},
    "garbage": {"env_raised"},
    "error": {"env_raised"},
    "nonsense": {"env_contract"},
}
"""What is said to bring a fault about, and the stop reasons it may have."""
LIMITS = Limits(step_seconds=0.25, reset_seconds=1.0, grace_seconds=0.25, memory_mb=256)


@dataclasses.dataclass
class Found:
    """What a soak found."""

    steps: int = 0
    episodes: int = 0
    faults: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    wrong: int = 0
    """Observations, rewards or ends of innocent members that were not as they should be."""
    lost: int = 0
    """Innocent members that were truncated."""
    unnamed: int = 0
    """Guilty members whose fault was not told, or told wrongly."""
    workers: int = 0
    """Worker processes that were started."""
    descriptors: list[int] = dataclasses.field(default_factory=list)
    memory_mb: list[float] = dataclasses.field(default_factory=list)
    """Of this process, at every twentieth of the run."""
    workers_mb: list[float] = dataclasses.field(default_factory=list)
    """Of all workers together."""


class Twins:
    """The members as they should be: the same class, in this process."""

    def __init__(self, count: int) -> None:
        scope: dict[str, Any] = {}
        exec(SOURCE, scope)  # noqa: S102  # our own text, above
        self.members = [scope["SoakEnv"]() for _ in range(count)]

    def begin(self, at: int, seed: int) -> str:
        """First observation of an episode."""
        text: str = self.members[at].reset(seed)[0]
        return text

    def turn(self, at: int, action: str) -> tuple[str, float, bool]:
        """Observation, reward and end of a turn."""
        text, reward, over, _, _ = self.members[at].step(action)
        return text, reward, over


def resident_mb(pid: int | str = "self") -> float:
    """Memory of a process, in MiB; 0 where there is no ``/proc``."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def descriptors() -> int:
    """How many descriptors this process has open; 0 where there is no ``/proc``."""
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


class Soak:
    """One vector environment, its twins, and a source of trouble."""

    def __init__(self, members: int, workers: int, every: int, seed: int) -> None:
        self.pools = [WorkerPool(LIMITS, BoxOptions(require=Isolation.KERNEL, language=False)) for _ in range(workers)]
        source, settings = EnvSource(BOXED), EnvSettings(max_turns=1000)
        made = [SpadeEnv(source, settings, pool=self.pools[at % workers], limits=LIMITS) for at in range(members)]
        self.env = SpadeVectorEnv(made, self.pools, quarantine=0)
        self.twins = Twins(members)
        self.random = random.Random(seed)
        self.every = every
        self.over = [False] * members
        self.found = Found()
        self.seen: set[int] = set()

    def begin(self) -> None:
        """Reset all."""
        texts, infos = self.env.reset(seed=self.random.randrange(2**30))
        for at, text in enumerate(texts):
            self.found.wrong += text != self.twins.begin(at, int(infos["seed"][at]))

    def step(self) -> None:
        """One turn of all, and its comparison."""
        said = [f"w{self.random.randrange(1000)}" for _ in self.over]
        guilty = {}
        for at in range(len(said)):
            if not self.over[at] and self.random.randrange(self.every) == 0:
                said[at] = guilty[at] = self.random.choice(list(FAULTS))
        texts, rewards, terminated, truncated, infos = self.env.step(said)
        for at, action in enumerate(said):
            self.found.steps += not self.over[at]
            if self.over[at]:
                self.over[at] = False
                self.found.episodes += 1
                self.found.wrong += texts[at] != self.twins.begin(at, int(infos["seed"][at]))
            elif at in guilty:
                self.over[at] = True
                self.found.faults[action] += 1
                self.found.unnamed += not truncated[at] or str(infos["stop_reason"][at]) not in FAULTS[action]
            else:
                right = self.twins.turn(at, action)
                self.over[at] = bool(terminated[at] or truncated[at])
                self.found.lost += bool(truncated[at])
                self.found.wrong += (texts[at], rewards[at], bool(terminated[at])) != right
        self.seen.update(worker.pid for pool in self.pools for worker in pool.workers)

    def measure(self) -> None:
        """Note memory and descriptors."""
        self.found.descriptors.append(descriptors())
        self.found.memory_mb.append(round(resident_mb(), 1))
        workers = [worker for pool in self.pools for worker in pool.workers]
        self.found.workers_mb.append(round(sum(resident_mb(worker.pid) for worker in workers), 1))
        self.found.workers = len(self.seen)


def soak(steps: int, members: int, workers: int, every: int, seed: int, progress: Progress | None = None) -> Found:
    """Step until ``steps`` turns were taken."""
    run = Soak(members, workers, every, seed)
    run.begin()
    task = progress.add_task("steps", total=steps) if progress else None
    twentieth = 0
    while run.found.steps < steps:
        run.step()
        if run.found.steps * 20 // steps > twentieth:
            twentieth = run.found.steps * 20 // steps
            run.measure()
        if progress and task is not None:
            progress.update(task, completed=run.found.steps)
    run.env.close()
    return run.found


def flat(values: list[float] | list[int], slack: float) -> bool:
    """Whether the last quarter is no higher than the second, but for ``slack``."""
    quarter = max(1, len(values) // 4)
    early, late = values[quarter : 2 * quarter] or values[:1], values[-quarter:]
    return max(late) <= max(early) * (1 + slack)


def main() -> int:
    """Run, print, and say whether everything held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--members", type=int, default=256)
    parser.add_argument("--workers", type=int, default=2, help="processes the members share")
    parser.add_argument("--every", type=int, default=1_000, help="one fault in so many steps")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    begun = time.perf_counter()
    with Progress() as progress:
        found = soak(asked.steps, asked.members, asked.workers, asked.every, asked.seed, progress)
    seconds = time.perf_counter() - begun
    holds = {
        "no innocent episode lost": found.lost == 0,
        "no wrong observation": found.wrong == 0,
        "every fault named": found.unnamed == 0,
        "flat descriptors": flat(found.descriptors, 0.0),
        "flat memory": flat(found.memory_mb, 0.05) and flat(found.workers_mb, 0.25),
    }
    table = Table(title=f"{found.steps:,} steps, {found.episodes:,} episodes, {seconds:.0f} s")
    table.add_column("what")
    table.add_column("found", justify="right")
    for name, count in sorted(found.faults.items()):
        table.add_row(f"fault: {name}", f"{count:,}")
    table.add_row("workers started", f"{found.workers:,}")
    table.add_row("descriptors", f"{found.descriptors[0]} to {found.descriptors[-1]}")
    table.add_row("memory, MiB", f"{found.memory_mb[0]} to {found.memory_mb[-1]}")
    table.add_row("memory of workers, MiB", f"{found.workers_mb[0]} to {found.workers_mb[-1]}")
    for name, held in holds.items():
        table.add_row(name, "yes" if held else "NO")
    Console().print(table)
    if asked.json:
        result = {
            "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
            "asked": {key: value for key, value in vars(asked).items() if key != "json"},
            "seconds": round(seconds, 1),
            **{field.name: getattr(found, field.name) for field in dataclasses.fields(found)},
            "holds": holds,
        }
        asked.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0 if all(holds.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
