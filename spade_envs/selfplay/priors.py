"""What regret is expected of an environment before it is played: the prior of ``regret_shrunk``."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from .evidence import Evidence
from .failures import RewardError
from .outcomes import differences, mean_variance

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
            values = {name: float(value) for name, value in json.loads(text).items()}
            if not all(map(math.isfinite, values.values())):
                raise ValueError("not all of its numbers are finite")
            return cls(**values)
        except (ValueError, TypeError, AttributeError) as error:
            raise RewardError(f"This is no state of a prior: {error}. It has to come from Prior.to_json.") from error
