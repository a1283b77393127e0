"""Advantages: how much better a sample did than what it is compared with. Needs no PyTorch.

Everything is computed in float64 with exactly rounded sums. In float32, 16 equal rewards of 0.7 leave a rounding error
of 1e-8, which a standard deviation of 0 and an epsilon of 1e-8 turn into an advantage of .86; here a group of equal
rewards gives exactly 0.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from .failures import ConfigError, RewardError
from .steps import DESIGNER


@dataclass(frozen=True)
class Convention:
    """How rewards of a group become advantages: ``(r - mean) / (std + eps)``, or ``r - mean``."""

    ddof: int | None
    """Delta degrees of freedom of the standard deviation; ``None`` does not divide."""
    eps: float = 0.0
    raw_singleton: bool = False
    """Whether a sample alone in its group gets ``r / (1 + eps)``, as if mean and std were 0 and 1; else 0."""


CONVENTIONS = {
    "centred": Convention(None),
    "spade": Convention(0, 1e-8),
    "trl": Convention(1, 1e-4),
    "verl": Convention(1, 1e-6, raw_singleton=True),
    "slime": Convention(1, 1e-6),
}
"""By name. ``centred`` is Dr. GRPO's (arXiv 2503.20783) and prime-rl's; ``spade`` is what the paper's code does with
agents; ``trl``, ``verl`` and ``slime`` do as TRL 1.16, verl 0.9.1 and slime do. slime's standard deviation of a single
reward is NaN; here a single one gets 0."""


def advantages(
    rewards: Sequence[float | None], groups: Sequence[Hashable], convention: str = "centred"
) -> tuple[float | None, ...]:
    """Compare each reward with those of its group.

    Args:
        rewards: one per sample; ``None`` is missing, gets ``None`` and counts for nobody.
        groups: the group of each sample.
        convention: a key of :data:`CONVENTIONS`.

    Returns:
        One advantage per sample. A group without differences gives exactly 0, and so does a sample alone in its group,
        except under ``verl``.

    Raises:
        ConfigError: when there is no such convention.
        RewardError: when a reward is not finite, or the lengths differ.

    >>> advantages([1.0, 1.0, 0.0, None], ["a", "a", "a", "a"])
    (0.33333333333333337, 0.33333333333333337, -0.6666666666666666, None)
    >>> advantages([0.7] * 3, ["a"] * 3, "spade")
    (0.0, 0.0, 0.0)
    """
    if convention not in CONVENTIONS:
        allowed = ", ".join(sorted(CONVENTIONS))
        raise ConfigError(f"There is no advantage convention {convention!r}. Choose one of: {allowed}.")
    if len(rewards) != len(groups):
        raise RewardError(f"{len(rewards)} rewards came with {len(groups)} groups. Give one group per reward.")
    members: dict[Hashable, list[int]] = {}
    for place, (reward, group) in enumerate(zip(rewards, groups, strict=True)):
        if reward is None:
            continue
        if not math.isfinite(reward):
            raise RewardError(f"Reward {place} of group {group!r} is {reward}. Rewards are finite, or None if missing.")
        members.setdefault(group, []).append(place)
    result: list[float | None] = [None] * len(rewards)
    for places in members.values():
        values = [float(reward) for place in places if (reward := rewards[place]) is not None]
        for place, value in zip(places, _of_group(values, CONVENTIONS[convention]), strict=True):
            result[place] = value
    return tuple(result)


def role_convention(role: str, convention: str) -> str:
    """The convention of a role, where ``convention`` is what a run asks for.

    Rewards of designers are only ever centred: a group is one skill's few designs, whose standard deviation is next to
    nothing now and then. SPADE does the same (centred per skill for designers, z-scores for agents).

    >>> role_convention("designer", "spade"), role_convention("agent", "spade")
    ('centred', 'spade')
    """
    return "centred" if role == DESIGNER else convention


def without_signal(rewards: Sequence[float | None], groups: Sequence[Hashable]) -> frozenset[Hashable]:
    """Groups whose rewards are all the same, or of which at most one is there: they teach nothing.

    >>> sorted(without_signal([1.0, 1.0, 0.0, 1.0, None], ["a", "a", "b", "b", "c"]))
    ['a', 'c']
    """
    seen: dict[Hashable, set[float]] = {group: set() for group in groups}
    for reward, group in zip(rewards, groups, strict=True):
        if reward is not None:
            seen[group].add(reward)
    return frozenset(group for group, values in seen.items() if len(values) < 2)


def _of_group(values: Sequence[float], convention: Convention) -> list[float]:
    if len(values) == 1:
        return [values[0] / (1 + convention.eps) if convention.raw_singleton else 0.0]
    if min(values) == max(values):
        return [0.0] * len(values)
    mean = math.fsum(values) / len(values)
    differences = [value - mean for value in values]
    if convention.ddof is None:
        return differences
    squares = math.fsum(difference * difference for difference in differences)
    scale = math.sqrt(squares / (len(values) - convention.ddof)) + convention.eps
    return [difference / scale for difference in differences]
