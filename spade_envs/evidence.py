"""Statistics that rules decide by: exact, and the same everywhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def binomial_tail(successes: int, trials: int, rate: float) -> float:
    """P(X >= successes) for X ~ Binomial(trials, rate).

    >>> round(binomial_tail(1, 2, 0.5), 3)
    0.75
    """
    if successes <= 0:
        return 1.0
    if not 0 < rate < 1:
        return float(rate >= 1 and successes <= trials)
    # In logarithms, since binomial coefficients outgrow a float.
    yes, no = math.log(rate), math.log1p(-rate)
    logs = (math.log(math.comb(trials, k)) + k * yes + (trials - k) * no for k in range(successes, trials + 1))
    return min(1.0, math.fsum(map(math.exp, logs)))


def exceeds(successes: int, trials: int, rate: float, alpha: float) -> bool:
    """Whether the exact lower confidence bound of a success probability lies above ``rate``.

    The one-sided Clopper-Pearson bound at level ``alpha`` exceeds ``rate`` exactly when that many successes would be
    rarer than ``alpha`` at that rate.

    >>> exceeds(16, 16, 0.05, 0.005), exceeds(2, 16, 0.05, 0.005)
    (True, False)
    """
    return successes > 0 and binomial_tail(successes, trials, rate) < alpha


def association(count: int, holds: Callable[[int, int], bool]) -> float:
    """P(holds(i, i)) - P(holds(i, j)) over ``count`` paired things; ``holds(i, j)`` asks text i about answer j.

    The second term is the mean over all other pairings, which is what a permutation test would draw from.

    >>> association(4, lambda i, j: i == j)
    1.0
    """
    if count < 2:
        return 0.0
    own = sum(holds(i, i) for i in range(count)) / count
    others = sum(holds(i, j) for i in range(count) for j in range(count) if i != j)
    return own - others / (count * (count - 1))


def most_common(items: Sequence[T]) -> T | None:
    """The most frequent item, the earliest of several; ``None`` for no items.

    >>> most_common(["b", "a", "a", "b"])
    'b'
    """
    counts: dict[T, int] = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    return max(counts, key=counts.__getitem__, default=None)
