"""What is counted beside a loss: sums that add up over micro-batches, and means for the log. Needs no PyTorch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

from .steps import StepBatch


@dataclass(frozen=True)
class RoleStats:
    """Sums over trained tokens of a role, so that those of micro-batches can be added."""

    loss: float = 0.0
    """The role's part of the loss, without its weight."""
    tokens: float = 0.0
    clipped: float = 0.0
    """Tokens whose ratio was clipped, and which so have no gradient (``cispo``: a bounded one)."""
    corrected: float = 0.0
    """Tokens whose correction was truncated or masked."""
    ratio: float = 0.0
    weight: float = 0.0
    """Of the corrections."""
    kl: float = 0.0
    entropy: float = 0.0


def episode_tokens(batch: StepBatch) -> dict[tuple[str, str], int]:
    """Trained tokens of each episode of a whole step, by role and ``episode_id``."""
    counts: dict[tuple[str, str], int] = {}
    for trajectory in batch.trajectories:
        key = (trajectory.role, trajectory.episode_id)
        counts[key] = counts.get(key, 0) + sum(trajectory.loss_mask)
    return counts


def merged(parts: Iterable[Mapping[str, RoleStats]]) -> dict[str, RoleStats]:
    """The sums of a step from those of its micro-batches."""
    sums: dict[str, RoleStats] = {}
    for part in parts:
        for role, stats in part.items():
            before = sums.get(role, RoleStats())
            values = {f.name: getattr(before, f.name) + getattr(stats, f.name) for f in fields(RoleStats)}
            sums[role] = RoleStats(**values)
    return sums


def loss_metrics(stats: Mapping[str, RoleStats]) -> dict[str, float]:
    """Means for the log: ``<role>/loss``, ``/ratio``, ``/ratio_clipped``, ``/tis``, ``/tis_clipped``, ``/kl``,
    ``/entropy``.
    """
    named: dict[str, float] = {}
    for role, sums in stats.items():
        count = max(sums.tokens, 1.0)
        named |= {
            f"{role}/loss": sums.loss,
            f"{role}/ratio": sums.ratio / count,
            f"{role}/ratio_clipped": sums.clipped / count,
            f"{role}/tis": sums.weight / count,
            f"{role}/tis_clipped": sums.corrected / count,
            f"{role}/kl": sums.kl / count,
            f"{role}/entropy": sums.entropy / count,
        }
    return named
