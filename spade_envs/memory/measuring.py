"""What all probes of a source say together, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..types import Probe
from .records import Measured

LAST = 4
"""Probes that count: earlier ones were of a policy that has changed since."""
PRIOR_PAIRS = 4.0
"""Pairs that showed no regret, added to those that were played."""
PRIOR_SQUARE = 0.5
"""Mean squared difference of these pairs: about that of a coin in either arm."""


def summary(probes: Sequence[Probe]) -> Measured:
    """Sums over the complete pairs of the last probes, shrunk towards no regret.

    With ``n`` pairs of differences ``d`` and the prior's ``k``: mean ``m = sum(d) / (n + k)``, variance
    ``v = (sum(d^2) + k q) / (n + k) - m^2``, and ``low, high = m -+ sqrt(v / (n + k))``, one standard error of a mean,
    stretched to the regret that was seen where that lies outside.

    Args:
        probes: all there are, oldest first, at least one.

    >>> from spade_envs.types import Probe
    >>> def probe(plain, hinted):
    ...     seeds = tuple(range(len(plain)))
    ...     return Probe(seeds, plain, hinted, 0.0, (0.0, 0.0), "uncertain", "m", "", "{}", "", "2026-01-31")
    >>> lucky, steady = summary([probe((0.0,), (1.0,))]), summary([probe((0.0, 1.0) * 16, (1.0, 1.0) * 16)])
    >>> lucky.regret, steady.regret, lucky.low < 0 < steady.low
    (1.0, 0.5, True)
    """
    counted = probes[-LAST:]
    pairs = [pair for probe in counted for pair in zip(probe.plain, probe.hinted, strict=False)]
    both = [(plain, hinted) for plain, hinted in pairs if plain is not None and hinted is not None]
    differences = [hinted - plain for plain, hinted in both]
    total = len(both) + PRIOR_PAIRS
    mean = math.fsum(differences) / total
    square = (math.fsum(one * one for one in differences) + PRIOR_PAIRS * PRIOR_SQUARE) / total
    error = math.sqrt(max(0.0, square - mean * mean) / total)
    count = max(1, len(both))
    regret = math.fsum(differences) / count
    return Measured(
        probes=len(probes),
        pairs=len(both),
        plain=math.fsum(plain for plain, _ in both) / count,
        regret=regret,
        low=min(mean - error, regret),
        high=max(mean + error, regret),
        band=probes[-1].band,
    )
