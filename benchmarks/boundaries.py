"""The search that found the tables of spade_envs/sequential.py.

    python -m benchmarks.boundaries          # prints the three tables, in half a minute

A table gives, for each look and each count of the pairs that speak against, the least count of pairs that speak for.
The search changes one threshold at a time, then two at once, for fewer pairs on a grid of alternatives under the
constraints on level and power. It is deterministic.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.enumeration import NEVER, Point, Table, chances, independent, looks_of, nodes, weights
from spade_envs.evidence import binomial_tail
from spade_envs.sequential import LOOKS

Power = tuple[Point, int, float]
"""An alternative, the last look that counts, and the least power by then."""


class Design:
    """Level and pairs of a table, and what the search wants of it."""

    def __init__(
        self,
        null: Sequence[Point],
        level: float,
        alternatives: Sequence[Point],
        powers: Sequence[Power] = (),
        floor: int = 0,
    ) -> None:
        self.null, self.level, self.floor = chances(null), level, floor
        self.alternatives, self.gap = chances(alternatives), nodes()[1]
        self.demands = [(chances([point])[0] * (looks_of() <= last), least) for point, last, least in powers]

    def cost(self, table: Table) -> float:
        """Mean pairs on the grid, and much for each constraint that is missed."""
        decide, go_on = weights(table)
        pairs = LOOKS[0] + float(np.mean(self.alternatives @ (go_on * self.gap)))
        excess = float(np.max(self.null @ decide)) - self.level * (1 - 1e-4)
        lacks = sum(max(0.0, least - float(row @ decide)) for row, least in self.demands)
        return pairs + 1e5 * max(0.0, excess) + 2e4 * lacks


def sound(row: Sequence[int]) -> bool:
    """Whether one more pair against always asks for at least one more pair for, where any is asked for."""
    return all(a < b or b in (0, NEVER) for a, b in itertools.pairwise(row))


def moved(table: Table, look: int, against: int, by: int, floor: int) -> Table | None:
    """The table with one threshold changed, or ``None`` where that is no sound table."""
    row = list(table[look])
    most = LOOKS[look] - against
    value = (most + 1 if row[against] == NEVER else row[against]) + by
    row[against] = value if value <= most else NEVER
    if value < floor or value > most + 1 or not sound(row):
        return None
    return (*table[:look], tuple(row), *table[look + 1 :])


def search(design: Design, table: Table, say: Callable[[str], None] = print) -> Table:
    """The best table in reach of ``table`` by changes of one threshold, then of two."""
    best = design.cost(table)
    cells = [(k, y) for k, row in enumerate(table) for y in range(len(row))]
    while True:
        single = []
        for (k, y), by in itertools.product(cells, (-1, 1)):
            changed = moved(table, k, y, by, design.floor)
            if changed is None:
                continue
            cost = design.cost(changed)
            single.append((cost, k, y, by))
            if cost < best - 1e-9:
                table, best = changed, cost
        say(f"{best:.4f}")
        if any(cost < best - 1e-9 for cost, *_ in single):
            continue
        pair = two_at_once(design, table, best, sorted(single))
        if pair is None:
            return table
        table, best = pair


def two_at_once(
    design: Design, table: Table, best: float, single: list[tuple[float, int, int, int]]
) -> tuple[Table, float] | None:
    """The first pair of changes that improves the table: one that decides more and one that decides less."""
    more = [s for s in single if s[3] < 0][:60]
    less = [s for s in single if s[3] > 0][:60]
    for (_, k, y, by), (_, k2, y2, by2) in itertools.product(more, less):
        once = moved(table, k, y, by, design.floor)
        changed = once and moved(once, k2, y2, by2, design.floor)
        if changed:
            cost = design.cost(changed)
            if cost < best - 1e-6:
                return changed, cost
    return None


def start(spending: Sequence[float]) -> Table:
    """Thresholds of the conditional test of fair coins, at a level per look."""
    return tuple(
        tuple(
            next((x for x in range(look - y + 1) if binomial_tail(x, x + y, 0.5) <= alpha), NEVER)
            for y in range(look // 2 + 1)
        )
        for look, alpha in zip(LOOKS, spending, strict=True)
    )


def frontier_design() -> Design:
    """delta > 0: fair coins whatever the share of ties."""
    null = [(d / 2, d / 2) for d in (0.01, *np.linspace(0.04, 0.96, 24), *np.linspace(0.5, 0.7, 9), 0.99, 1.0)]
    grid = [
        independent(p, p + delta)
        for p in (0.02, 0.1, 0.2, 0.3, 0.4, 0.5)
        for delta in (0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
        if p + delta <= 0.951
    ]
    powers = [(independent(0.2, 0.7), 16, 0.8008), (independent(0.35, 0.65), 64, 0.803)]
    return Design(null, 0.025, grid, powers, floor=5)


def no_regret_design() -> Design:
    """delta < .1: here a pair that only the plain arm won speaks for, and one that only the hinted arm won against."""
    null = [(q, q + 0.1) for q in (0.001, *np.linspace(0.0, 0.06, 31), *np.linspace(0.065, 0.45, 78))]
    grid = [(d / 2, d / 2) for d in (0.0, 0.02, 0.06, 0.1, 0.2, 0.3, 0.5)]
    grid += [(q + less, q) for q in (0.0, 0.05, 0.2) for less in (0.1, 0.3, 0.5)]
    return Design(null, 0.05, grid)


def no_regret_start() -> Table:
    """Thresholds of a score test of delta = .1 that decides late."""
    rows = []
    for look in LOOKS:
        row = []
        for y in range(look // 2 + 1):
            fits = (x for x in range(look - y + 1) if y - x - 0.1 * look <= -2.6 * math.sqrt(x + y + 0.1 * look) + 0.4)
            row.append(next(fits, NEVER))
        rows.append(tuple(row))
    return tuple(rows)


def trivial_table(level: float = 0.025, rate: float = 0.8) -> tuple[int, ...]:
    """Failures allowed at each look, most powerful at .9 and .95, with P(ever deciding) at ``rate`` below ``level``."""

    def decides(allowed: Sequence[int], chance: float) -> float:
        undecided, before, total = np.array([1.0]), 0, 0.0
        for look, most in zip(LOOKS, allowed, strict=True):
            for _ in range(look - before):
                undecided = np.convolve(undecided, [chance, 1 - chance])
            total += float(undecided[: most + 1].sum())
            undecided[: most + 1] = 0.0
            before = look
        return total

    choices = itertools.product([-1], [-1], [-1], range(-1, 1), range(-1, 2), range(-1, 4), range(-1, 6), range(-1, 8))
    fitting = [allowed for allowed in choices if decides(allowed, rate) <= level]
    return max(fitting, key=lambda allowed: decides(allowed, 0.95) + decides(allowed, 0.9))


def main() -> None:
    """Search and print."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    first = start((0.001, 0.002, 0.0005, 0.02, 0.0012, 0.0012, 0.002, 0.004))
    first = (*first[:3], (6, 7, 9, 11, *[NEVER] * 5), *first[4:])
    for name, design, table in (
        ("FRONTIER", frontier_design(), first),
        ("NO_REGRET", no_regret_design(), no_regret_start()),
    ):
        table = search(design, table)
        decide, _ = weights(table)
        print(name, "level", float(np.max(design.null @ decide)), [float(r @ decide) for r, _ in design.demands])
        for row in table:
            print("   ", tuple(x for x in row if x != NEVER))
    print("TRIVIAL", trivial_table())


if __name__ == "__main__":
    main()
