"""
Critical-path scheduling.

This environment asks the agent to start and finish jobs on two machines.
"""

import heapq
import itertools
import random
from collections import defaultdict
from typing import DefaultDict, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple, TypedDict, cast
import re as regex


class Job(NamedTuple):
    """An immutable job."""
    name: str
    length: int
    needs: Tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return f"{self.name}({self.length})" + (f" after {'+'.join(self.needs)}" if self.needs else "")


class Snapshot(TypedDict, total=False):
    clock: int
    done: List[str]


class PriorityQueue:
    """A stable min-heap with lazy deletion."""

    def __init__(self, items: Sequence[Tuple[int, str]] = ()) -> None:
        self._heap: List[Tuple[int, int, str]] = []
        self._counter = itertools.count()
        self._removed: Set[str] = set()
        for p, x in items:
            self.push(p, x)

    def push(self, priority: int, item: str) -> None:
        heapq.heappush(self._heap, (priority, next(self._counter), item))

    def pop(self) -> Tuple[int, str]:
        while self._heap:
            p, _, item = heapq.heappop(self._heap)
            if item not in self._removed:
                return p, item
        raise IndexError("empty")

    def __bool__(self) -> bool:
        return any(i not in self._removed for *_, i in self._heap)


class SchedulerEnv:
    """Run every job in a valid order."""

    def __init__(self, max_turns: int = 12, verbose: bool = False, **kwargs) -> None:
        self.max_turns: int = max_turns
        self.verbose: bool = verbose
        self.jobs: Dict[str, Job] = {}
        self.reset()

    def reset(self, seed: Optional[int] = None) -> Tuple[str, dict]:
        rng = random.Random(seed)
        names = rng.sample("ABCDEFGH", 6)
        self.jobs.clear()
        for i, n in enumerate(names):
            k = rng.randint(0, min(i, 2))
            self.jobs[n] = Job(n, rng.randint(1, 9), tuple(sorted(rng.sample(names[:i], k))))
        self.done: List[str] = []
        self.t = 0
        if self.verbose:
            print(f"[debug] {self.jobs}")
        listing = "\n".join(f"  * {self.jobs[n].label}" for n in sorted(self.jobs))
        return f"Jobs:\n{listing}\nRun one job per turn so that prerequisites come first; among the runnable jobs always take the shortest (ties: alphabetical). Use \\boxed{{run X}}.", cast(dict, Snapshot(clock=0, done=[]))

    def _ready(self) -> List[Job]:
        return sorted((j for j in self.jobs.values() if j.name not in self.done and set(j.needs) <= set(self.done)), key=lambda j: (j.length, j.name))

    def step(self, action: str):
        self.t += 1
        trunc = self.t >= self.max_turns
        found = regex.findall(r"\\boxed\{\s*run\s+([A-Za-z])\s*\}", action)
        if not found:
            return "Format: \\boxed{run X}", 0.0, False, trunc, {}
        name = found[-1].upper()
        ready = self._ready()
        if not ready or ready[0].name != name:
            return f"{name} is not the right job now. Done so far: {', '.join(self.done) or '-'}", -0.05, False, trunc, {}
        self.done.append(name)
        if len(self.done) == len(self.jobs):
            return "All done!", 1.0 - 5 * 0.1, True, False, Snapshot(done=self.done[:])
        return f"Ran {name}. Left: {sorted(set(self.jobs) - set(self.done))}", 0.1, False, trunc, {"done": self.done[:]}

    def _order(self) -> Iterator[str]:
        indeg: Dict[str, int] = {n: len(j.needs) for n, j in self.jobs.items()}
        out: DefaultDict[str, List[str]] = defaultdict(list)
        for j in self.jobs.values():
            for d in j.needs:
                out[d].append(j.name)
        heap = [(self.jobs[n].length, n) for n, d in indeg.items() if d == 0]
        heapq.heapify(heap)
        while heap:
            _, n = heapq.heappop(heap)
            yield n
            for m in out[n]:
                indeg[m] -= 1
                if not indeg[m]:
                    heapq.heappush(heap, (self.jobs[m].length, m))

    def solution(self) -> str:
        return " -> ".join(f"run {n}" for n in self._order())
