"""What the probe's tests are measured against: naive sequential rules, and the reference's estimator."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from benchmarks.enumeration import NEVER, Floats, Table
from spade_envs.sequential import LOOKS

PLAIN_PLAYS, HINT_PLAYS, SCALE = 8, 16, 0.15
"""The reference's plays per environment, and the regret that earns full credit there."""


def wald_table(z: float = 1.959964) -> Table:
    """Stop when the 95 % interval of the mean difference lies above 0: mean - z sd / sqrt(n) > 0, at every look."""

    def decides(n: int, x: int, y: int) -> bool:
        mean = (x - y) / n
        return mean > z * math.sqrt(((x + y) / n - mean * mean) / n)

    return _table(decides)


def normal_table(z: float) -> Table:
    """Normal-theory boundary: (n10 - n01) / sqrt(n10 + n01) >= z at every look."""
    return _table(lambda n, x, y: x > y and x - y >= z * math.sqrt(x + y))


def _table(decides: Callable[[int, int, int], bool]) -> Table:
    return tuple(
        tuple(next((x for x in range(n - y + 1) if decides(n, x, y)), NEVER) for y in range(n // 2 + 1)) for n in LOOKS
    )


def normal_boundary(level: float = 0.025, step: float = 0.02) -> float:
    """The constant z of Pocock's boundary at these looks, by integrating a Gaussian walk on a grid (about 3 digits)."""
    low, high = 1.9, 3.5
    while high - low > 5e-4:
        z = (low + high) / 2.0
        low, high = (z, high) if _crossing(z, step) > level else (low, z)
    return high


def _crossing(z: float, step: float) -> float:
    """P(a standard walk ever reaches z sqrt(n) at a look)."""
    places = np.arange(-6.0, z + 1e-9, step)  # in standard deviations at the look
    density = _normal(places)
    crossed = 0.5 * math.erfc(z / math.sqrt(2.0))
    for before, look in itertools.pairwise(LOOKS):
        gain = math.sqrt(look - before)
        masses = density * step
        masses[-1] /= 2.0
        needed = (z * math.sqrt(look) - places * math.sqrt(before)) / gain
        crossed += float(masses @ np.array([0.5 * math.erfc(x / math.sqrt(2.0)) for x in needed]))
        moves = (places[:, None] * math.sqrt(look) - places[None, :] * math.sqrt(before)) / gain
        density = _normal(moves) @ masses * math.sqrt(look) / gain
    return crossed


def _normal(x: Floats) -> Floats:
    return np.exp(-x * x / 2.0) / math.sqrt(2.0 * math.pi)


def reference_term(plain: npt.NDArray[np.bool_], hinted: npt.NDArray[np.bool_]) -> Floats:
    """The reference's regret term per row: clip((mean of 16 hinted - mean of 8 plain) / .15, 0, 1)."""
    regret = hinted[:, :HINT_PLAYS].mean(axis=1) - plain[:, :PLAIN_PLAYS].mean(axis=1)
    return np.asarray(np.clip(regret / SCALE, 0.0, 1.0))


def reference_exact(plain: float, hinted: float) -> tuple[float, float]:
    """Mean of the reference's term, and P(full credit), for independent arms: exactly."""
    mean = full = 0.0
    for wins, hint_wins in itertools.product(range(PLAIN_PLAYS + 1), range(HINT_PLAYS + 1)):
        chance = _binomial(PLAIN_PLAYS, wins, plain) * _binomial(HINT_PLAYS, hint_wins, hinted)
        term = min(1.0, max(0.0, (hint_wins / HINT_PLAYS - wins / PLAIN_PLAYS) / SCALE))
        mean += chance * term
        full += chance * (term >= 1.0)
    return mean, full


def _binomial(trials: int, wins: int, rate: float) -> float:
    return math.comb(trials, wins) * rate**wins * (1.0 - rate) ** (trials - wins)
