"""Exact enumeration of the probe's sequential tests: every probability is a sum over what can be counted.

What is reached undecided has weights that do not depend on the probabilities: the number of undecided orders of the
pairs seen. They are counted once per rule, and the chance of a node is its weight times a product of powers.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from spade_envs.sequential import FRONTIER, LOOKS, NO_REGRET, TRIVIAL, UNREACHABLE_PAIRS

NEVER = 99
"""A threshold that no count reaches."""

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Table = tuple[tuple[int, ...], ...]
Point = tuple[float, float]
"""Probabilities of a pair that speaks for and of one that speaks against; the rest are ties."""


@functools.cache
def nodes() -> tuple[Counts, Floats]:
    """Rows (look, for, against, ties) of every node, and the pairs from its look to the next."""
    rows = [(k, x, y, n - x - y) for k, n in enumerate(LOOKS) for x in range(n + 1) for y in range(n + 1 - x)]
    gaps = np.diff((*LOOKS, LOOKS[-1]))
    array = np.array(rows)
    return array, gaps[array[:, 0]].astype(float)


def spread(undecided: Floats, steps: int) -> Floats:
    """Weights after ``steps`` more pairs, each of the three kinds with weight 1/3."""
    for _ in range(steps):
        after = undecided.copy()
        after[1:] += undecided[:-1]
        after[:, 1:] += undecided[:, :-1]
        undecided = after / 3.0
    return undecided


def weights(table: Sequence[Sequence[int]]) -> tuple[Floats, Floats]:
    """Weights with which each node of :func:`nodes` decides, and with which it goes on."""
    size = LOOKS[-1] + 1
    undecided = np.zeros((size, size))
    undecided[0, 0] = 1.0
    decide, go_on, before = [], [], 0
    for look, row in zip(LOOKS, table, strict=True):
        undecided = spread(undecided, look - before)
        least = np.full(size, NEVER)
        least[: len(row)] = row
        decided = np.arange(size)[:, None] >= least[None, :]
        inside = np.add.outer(np.arange(look + 1), np.arange(look + 1)) <= look
        now, on = np.where(decided, undecided, 0.0), np.where(decided, 0.0, undecided)
        decide.append(now[: look + 1, : look + 1][inside])
        go_on.append(on[: look + 1, : look + 1][inside])
        undecided, before = on, look
    return np.concatenate(decide), np.concatenate(go_on)


def chances(points: Sequence[Point]) -> Floats:
    """Probability per unit of weight, one row per point: multiply with what :func:`weights` gives."""
    array, _ = nodes()
    rows = []
    for p, q in points:
        row = np.ones(len(array))
        for count, chance in ((array[:, 1], p), (array[:, 2], q), (array[:, 3], max(0.0, 1.0 - p - q))):
            row *= np.power(3.0 * chance, count)
        rows.append(row)
    return np.array(rows)


def independent(plain: float, hinted: float) -> Point:
    """A pair of independent arms."""
    return hinted * (1.0 - plain), plain * (1.0 - hinted)


def looks_of() -> Counts:
    """Pairs at the look of each node."""
    return np.array(LOOKS)[nodes()[0][:, 0]]


# -- the level, for certain --------------------------------------------------------------------------------------


def level_bound(table: Sequence[Sequence[int]], halvings: int = 9) -> float:
    """An upper bound of sup over d in [0, 1] of P(ever deciding) at probabilities d/2 and d/2, for any d.

    The chance is a polynomial of degree 64 in d; on each of 2^halvings parts of [0, 1] it stays below the largest of
    its Bernstein coefficients there (de Casteljau's subdivision).
    """
    decide, _ = weights(table)
    array, _ = nodes()
    most = LOOKS[-1]
    coefficients = np.zeros(most + 1)
    for (k, x, y, _), weight in zip(array, decide, strict=True):
        if weight > 0.0:
            scale = float(weight) * 3.0 ** LOOKS[k] * 0.5 ** float(x + y)
            for more in range(most - LOOKS[k] + 1):
                degree = x + y + more
                coefficients[degree] += scale * math.comb(most - LOOKS[k], more) / math.comb(most, int(degree))
    parts = [coefficients]
    for _ in range(halvings):
        parts = [half for part in parts for half in halves(part)]
    return float(max(part.max() for part in parts))


def halves(coefficients: Floats) -> tuple[Floats, Floats]:
    """Bernstein coefficients of a polynomial on the two halves of its interval."""
    left, right, row = [coefficients[0]], [coefficients[-1]], coefficients
    while len(row) > 1:
        row = (row[1:] + row[:-1]) / 2.0
        left.append(row[0])
        right.append(row[-1])
    return np.array(left), np.array(right[::-1])


# -- the whole procedure ----------------------------------------------------------------------------------------

BANDS = ("frontier", "trivial", "unreachable", "no_regret", "uncertain")


def first_band(look: int, n10: Counts, n01: Counts, n11: Counts) -> Counts:
    """Index of the band in :data:`BANDS` that each count decides at a look."""
    n = LOOKS[look]
    masks = [
        n10 >= padded(FRONTIER[look])[n01],
        n01 + n11 >= (TRIVIAL[look] or NEVER),
        (n10 + n11 == 0) & (n >= UNREACHABLE_PAIRS),
        n01 >= padded(NO_REGRET[look])[n10],
    ]
    return np.select(masks, range(4), 4)


def padded(row: Sequence[int]) -> Counts:
    """A row of a table for every count."""
    least = np.full(LOOKS[-1] + 1, NEVER)
    least[: len(row)] = row
    return least


@functools.cache
def outcomes() -> tuple[Counts, Floats]:
    """Rows (look, band, n10, n01, n11, n00) where the procedure ends, and their weights with four equal chances."""
    size = LOOKS[-1] + 1
    undecided = np.zeros((size, size, size))
    undecided[0, 0, 0] = 1.0
    rows, all_weights, before = [], [], 0
    for k, look in enumerate(LOOKS):
        for _ in range(look - before):
            after = undecided.copy()
            after[1:] += undecided[:-1]
            after[:, 1:] += undecided[:, :-1]
            after[:, :, 1:] += undecided[:, :, :-1]
            undecided = after / 4.0
        n10, n01, n11 = np.nonzero(undecided)
        bands = first_band(k, n10, n01, n11)
        ends = (bands < 4) | (look == LOOKS[-1])
        n10, n01, n11, bands = n10[ends], n01[ends], n11[ends], bands[ends]
        rows.append(np.stack([np.full_like(n10, k), bands, n10, n01, n11, look - n10 - n01 - n11], axis=1))
        all_weights.append(undecided[n10, n01, n11])
        undecided[n10, n01, n11] = 0.0
        before = look
    return np.concatenate(rows), np.concatenate(all_weights)


class Operating:
    """What the whole procedure does at one point: chances of the bands, pairs, bias of the regret."""

    def __init__(self, p10: float, p01: float, p11: float) -> None:
        rows, weight = outcomes()
        chance = weight.copy()
        for column, p in ((2, p10), (3, p01), (4, p11), (5, max(0.0, 1.0 - p10 - p01 - p11))):
            chance *= np.power(4.0 * p, rows[:, column])
        pairs = np.array(LOOKS)[rows[:, 0]]
        self.bands = {name: float(chance[rows[:, 1] == b].sum()) for b, name in enumerate(BANDS)}
        self.pairs = float(chance @ pairs)
        self.bias = float(chance @ ((rows[:, 2] - rows[:, 3]) / pairs)) - (p10 - p01)
        self.by_16 = float(chance[(rows[:, 1] == 0) & (pairs <= 16)].sum())

    @classmethod
    def of_arms(cls, plain: float, hinted: float) -> Operating:
        """Independent arms."""
        p10, p01 = independent(plain, hinted)
        return cls(p10, p01, plain * hinted)


# -- fixed designs ----------------------------------------------------------------------------------------------


@functools.cache
def fixed_region(pairs: int, level: float = 0.025) -> tuple[Counts, Floats]:
    """Decided (n10, n01, ties) of a fixed design, and the logarithms of their numbers of orders.

    The unconditional exact test on McNemar's statistic (Suissa and Shuster 1991): as many outcomes as the level allows,
    the largest z first, so it is at least as powerful as McNemar's own.
    """
    x, y = (a.ravel() for a in np.mgrid[: pairs + 1, : pairs + 1])
    inside = (x + y <= pairs) & (x > y)
    x, y = x[inside], y[inside]
    z = (x - y) / np.sqrt(x + y)
    order = np.lexsort((y, -np.round(z, 9)))
    x, y, z = x[order], y[order], np.round(z[order], 9)
    log_factorial = np.array([math.lgamma(i + 1.0) for i in range(pairs + 1)])
    logs = log_factorial[pairs] - log_factorial[x] - log_factorial[y] - log_factorial[pairs - x - y]
    worst = np.zeros(len(x))
    for d in np.linspace(0.02, 1.0, 50):
        chance = np.exp(logs + (x + y) * math.log(d / 2) + (pairs - x - y) * math.log(max(1.0 - d, 1e-300)))
        worst = np.maximum(worst, np.cumsum(chance))
    last = np.append(z[1:] < z[:-1], True)  # outcomes of equal z come in together
    kept = max((i + 1 for i in np.flatnonzero(last & (worst <= level))), default=0)
    return np.stack([x, y, pairs - x - y], axis=1)[:kept], logs[:kept]


def fixed_power(pairs: int, p10: float, p01: float) -> float:
    """Power of the fixed design."""
    counts, logs = fixed_region(pairs)
    with np.errstate(divide="ignore"):
        chances = np.log(np.array([p10, p01, max(1.0 - p10 - p01, 1e-300)]).clip(1e-300))
    return float(np.exp(logs + counts @ chances).sum())


def fixed_pairs(p10: float, p01: float, power: float) -> int:
    """Pairs that the fixed design needs for a power."""
    return next(n for n in range(4, 400) if fixed_power(n, p10, p01) >= power)
