"""What paired differences say about their mean: a test by sign flips, and bounds that hold whenever sampling stops."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

STEP = 1000
"""Sign flips count in steps of 1/1000: rounding is odd, so what is symmetric about 0 stays so."""

_STAKES = np.arange(1, 10) / 10.0
"""Shares of the capital that are bet each time, in equal parts."""

_HALVINGS = 40


def sign_flip_p(differences: Sequence[float]) -> float:
    """P(sum of the differences with random signs >= the sum found), over all 2^n signs, exactly.

    Valid where the differences are independent and each is symmetric about 0, as when a hint changes nothing. It is not
    valid for every law of mean 0: many small gains and few large losses have one, and look one-sided for long.

    Source: Fisher's randomisation test for paired data; the law of the sum is built up one difference at a time.

    >>> sign_flip_p([0.5, 0.5, 1.0])
    0.125
    >>> sign_flip_p([])
    1.0
    """
    steps = np.rint(np.asarray(differences, dtype=np.float64) * STEP).astype(np.int64)
    sizes = np.abs(steps[steps != 0])
    if not len(sizes):
        return 1.0
    unit = np.gcd.reduce(sizes)
    sizes, found = sizes // unit, int(steps.sum() // unit)
    total = int(sizes.sum())
    law = np.zeros(2 * total + 1)
    law[total] = 1.0
    for size in sizes:
        law = (np.roll(law, size) + np.roll(law, -size)) / 2.0  # nothing wraps: the sum stays within the total
    return min(1.0, float(law[total + found :].sum()))


def evidence_above(differences: Sequence[float], mean: float, span: float) -> float:
    """How many times its stake a bet on "the mean is above ``mean``" has won: a test martingale.

    If the mean is ``mean`` or less, this ever reaches 1/a with probability at most a, whatever the law of the
    differences in [-span, span] and whenever one looks.

    Source: Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting", with a fixed
    mixture of stakes; Ville's inequality.

    Args:
        differences: hinted minus plain outcome, in [-span, span].
        mean: above -span.
        span: the largest difference there can be, 1 for outcomes 0 and 1, 2 for outcomes in [-1, 1].
    """
    odds = (np.asarray(differences, dtype=np.float64) + span) / (mean + span)
    return float(np.prod(1.0 + _STAKES[:, None] * (odds[None, :] - 1.0), axis=1).mean())


def lower_bound(differences: Sequence[float], alpha: float, span: float) -> float:
    """The largest mean that the bets refute at level ``alpha``; -span when they refute none.

    P(bound > mean at any time) <= alpha.

    >>> lower_bound([1.0] * 8, 0.025, 1.0) > 0
    True
    """
    low, high = -span, span
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        if evidence_above(differences, middle, span) >= 1.0 / alpha:  # falls as the mean rises
            low = middle
        else:
            high = middle
    return low


def mean_interval(differences: Sequence[float], span: float, alpha: float = 0.05) -> tuple[float, float]:
    """Bounds that hold the mean at all times together with probability 1 - alpha at least.

    So they hold when the differences themselves decided when to stop. Equal differences give an interval too.

    >>> low, high = mean_interval([1.0] * 16, span=1.0)
    >>> 0.4 < low < 0.9 and high == 1.0
    True
    """
    upper = -lower_bound([-difference for difference in differences], alpha / 2.0, span)
    return lower_bound(differences, alpha / 2.0, span), upper
