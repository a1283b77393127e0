"""What regret is expected of an environment before it is played: the prior of ``regret_shrunk``."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from .evidence import Evidence
from .failures import RewardError

WEAK = 4.0
"""Environments that the start of a prior counts for."""
START_VARIANCE = 0.25
"""Variance of true regrets at the start: a standard deviation of half an outcome, about a mean of 0."""
LEAST_VARIANCE = 0.01
"""Variance of true regrets below which a prior never falls, so that evidence always counts."""


@dataclass(frozen=True)
class Prior:
    """A normal distribution of environments' true regrets, from those of earlier cycles (empirical Bayes).

    The variance between environments is that of the measured regrets less what their sampling explains. Regrets of
    earlier cycles fade, since a policy that learns meets other regrets.

    A prior is frozen while a cycle is paid; :meth:`seen` gives the next cycle's.
    """

    count: float = 0.0
    """Environments, faded."""
    total: float = 0.0
    """Sum of their regrets."""
    squares: float = 0.0
    """Sum of their squared regrets."""
    noise: float = 0.0
    """Sum of their sampling variances."""
    fading: float = 0.95
    """What an environment's weight is multiplied by per cycle."""

    @property
    def mean(self) -> float:
        """Of true regrets; shrunk to 0 while there are few."""
        return self.total / (self.count + WEAK)

    @property
    def variance(self) -> float:
        """Of true regrets between environments."""
        mean = self.mean
        spread = self.squares - 2 * mean * self.total + self.count * mean * mean
        return max(LEAST_VARIANCE, (spread - self.noise + WEAK * START_VARIANCE) / (self.count + WEAK))

    def posterior_mean(self, regret: float, sampling_variance: float) -> float:
        """Best guess of a true regret: between the measured one and the mean, by how noisy the measurement is.

        Args:
            regret: mean paired difference.
            sampling_variance: of that mean.

        >>> Prior().posterior_mean(0.5, 0.25)
        0.25
        """
        return self.mean + (regret - self.mean) * self.variance / (self.variance + sampling_variance)

    def seen(self, evidence: Sequence[Evidence]) -> Prior:
        """The prior after a cycle.

        Raises:
            RewardError: when an outcome is not finite.
        """
        count, total, squares, noise = (
            self.fading * value for value in (self.count, self.total, self.squares, self.noise)
        )
        for item in evidence:
            pairs = differences(item.plain, item.hinted)
            if not pairs:
                continue
            regret = math.fsum(pairs) / len(pairs)
            count, total, squares = count + 1, total + regret, squares + regret * regret
            noise += mean_variance(pairs)
        return Prior(count, total, squares, noise, self.fading)

    def to_json(self) -> str:
        """As text that :meth:`from_json` reads back exactly."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Prior:
        """What :meth:`to_json` wrote.

        Raises:
            RewardError: when it is something else.
        """
        try:
            return cls(**{name: float(value) for name, value in json.loads(text).items()})
        except (ValueError, TypeError, AttributeError) as error:
            raise RewardError(f"This is no state of a prior: {error}. It has to come from Prior.to_json.") from error


def differences(plain: Sequence[float | None], hinted: Sequence[float | None]) -> list[float]:
    """Hinted minus plain outcome of every pair of which both are there.

    Raises:
        RewardError: when an outcome is not finite, or the arms differ in length, unless nothing was played with hint.

    >>> differences((0.0, None, 1.0), (1.0, 1.0, 1.0))
    [1.0, 0.0]
    """
    for outcome in (*plain, *hinted):
        if outcome is not None and not math.isfinite(outcome):
            raise RewardError(f"An outcome is {outcome}. Outcomes are in [-1, 1], or None if missing.")
    if not hinted:
        return []
    if len(plain) != len(hinted):
        raise RewardError(f"{len(plain)} plain outcomes came with {len(hinted)} hinted ones. Pairs need both, or None.")
    pairs = zip(plain, hinted, strict=True)
    return [with_hint - without for without, with_hint in pairs if without is not None and with_hint is not None]


def mean_variance(pairs: Sequence[float]) -> float:
    """Sampling variance of the mean of paired differences, never 0.

    The sample variance, but at least that of a coin with the probability (n + 1) / (n + 2) that Laplace's rule gives
    to what happened n times of n: eight equal differences do not say that the ninth will be equal.

    >>> mean_variance([1.0] * 8) == 9 / 100 / 8
    True
    """
    count = len(pairs)
    mean = math.fsum(pairs) / count
    least = (count + 1) / (count + 2) ** 2
    sample = math.fsum((pair - mean) ** 2 for pair in pairs) / (count - 1) if count > 1 else 0.0
    return max(sample, least) / count
