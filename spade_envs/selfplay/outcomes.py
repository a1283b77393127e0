"""Outcomes of episodes, what they earn the agent, and how two arms differ. Needs no PyTorch.

An outcome is in [-1, 1], ``None`` where missing; a number that is not finite is an error everywhere, never a reward.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..episodes import SUCCESS_REWARD, StopReason
from .failures import ConfigError, RewardError

OVERLONG = frozenset({StopReason.CONTEXT_FULL, StopReason.NO_EOS})
"""Episodes that ran out of tokens. The turn limit is a rule of the environment and not among them."""
OVERLONG_OUTCOME = -1.0


def present(*arms: Sequence[float | None]) -> list[float]:
    """The outcomes that are there.

    Raises:
        RewardError: when one is not in [-1, 1].
    """
    values = [outcome for arm in arms for outcome in arm if outcome is not None]
    for value in values:
        if not -1 <= value <= 1:
            raise RewardError(f"An outcome is {value}. Outcomes are in [-1, 1], or None if missing.")
    return values


def mean_outcome(*arms: Sequence[float | None]) -> float:
    """Mean of all outcomes that are there; 0 without any, as in the paper's code."""
    values = present(*arms)
    return math.fsum(values) / len(values) if values else 0.0


def solve_rate(*arms: Sequence[float | None]) -> float | None:
    """Share of successes among the outcomes that are there; ``None`` without any.

    >>> solve_rate((1.0, 0.5, None, 0.0, -1.0))
    0.25
    """
    values = present(*arms)
    return sum(value >= SUCCESS_REWARD for value in values) / len(values) if values else None


def differences(plain: Sequence[float | None], hinted: Sequence[float | None]) -> list[float]:
    """Hinted minus plain outcome of every pair of which both are there.

    Raises:
        RewardError: when an outcome is not in [-1, 1], or the arms differ in length, unless nothing was played with the
            hint.

    >>> differences((0.0, None, 1.0), (1.0, 1.0, 1.0))
    [1.0, 0.0]
    """
    present(plain, hinted)
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


def agent_reward(outcome: float | None, stop_reason: StopReason, overlong: str = "keep") -> float | None:
    """What an episode earns its agent: its outcome; ``None`` where that is missing.

    Args:
        outcome: ``Episode.outcome``.
        stop_reason: why it ended.
        overlong: what becomes of episodes that ran out of tokens: ``keep``, ``mask`` (the outcome stays, for those it
            is compared with; the trajectory is not trained on) or ``penalise``: -1.

    Raises:
        RewardError: when the outcome is not in [-1, 1].
        ConfigError: when ``overlong`` is none of the three.
    """
    if overlong not in ("keep", "mask", "penalise"):
        raise ConfigError(f"play.overlong is {overlong!r}. Choose one of: keep, mask, penalise.")
    if not present((outcome,)):
        return None
    return OVERLONG_OUTCOME if overlong == "penalise" and stop_reason in OVERLONG else outcome
