"""One optimizer step: what is trained on, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from ..types import Trajectory

AGENT = "agent"
DESIGNER = "designer"
ROLES = (DESIGNER, AGENT)
"""The roles of the one policy, in the order of a batch."""


@dataclass(frozen=True)
class Denominator:
    """What a role's loss is divided by: counted over the whole step, never over a micro-batch or a rank."""

    tokens: int
    """Tokens with mask 1."""
    episodes: int
    """Distinct ``episode_id`` with at least one such token."""


@dataclass(frozen=True)
class StepBatch:
    """Everything of one optimizer step. Each trajectory has its advantage."""

    trajectories: tuple[Trajectory, ...]
    """Designer first; inert padding (mask all 0, advantage 0) last."""
    denominators: Mapping[str, Denominator]
    """By role; a role without trained tokens is not there."""
    weights: Mapping[str, float]
    """Factor of each role's loss; 1 for the agent."""
    padding: int = 0
    """Inert trajectories at the end."""
    dropped: Mapping[str, int] = field(default_factory=dict)
    """What was left out, by why: ``stale``, ``quota``, ``zero_variance``, ``overlong``, ``missing``."""
    zero_variance: Mapping[str, int] = field(default_factory=dict)
    """Groups whose advantages are all exactly 0, by role, whether they were left out or not."""


@dataclass(frozen=True)
class Update:
    """What one optimizer step did; ``metrics`` are finite numbers for the log."""

    policy_version: int
    """Of the weights after the step."""
    metrics: Mapping[str, float]
    """``loss``, ``grad_norm``, per role ``<role>/loss``, ``<role>/ratio_clipped``, ``<role>/tis_clipped``,
    ``<role>/entropy`` and so on; ``gap/mean`` and ``gap/max``: absolute difference of the sampler's and the learner's
    log-probabilities on trajectories of the newest policy version."""


class Learner(Protocol):
    """Holds the weights and changes them."""

    @property
    def policy_version(self) -> int:
        """Optimizer steps taken: the number of its weights."""

    def update(self, batch: StepBatch) -> Update:
        """Take one optimizer step; a batch without trained tokens takes none, and the version stays."""

    def save(self, folder: Path) -> None:
        """Write weights, optimizer and random state into ``folder``, which is there and empty."""

    def load(self, folder: Path) -> None:
        """Take up what :meth:`save` wrote: then everything goes on bit for bit."""


@dataclass(frozen=True)
class Published:
    """Weights that samplers were given."""

    policy_version: int
    name: str
    """As the servers know them, new for every version."""
    sha256: str
    """Of the weights' file; empty where there is none."""


class WeightSync(Protocol):
    """Brings new weights to the sampler, and makes sure that they arrived."""

    async def publish(self) -> Published:
        """Give the sampler the learner's present weights. Doing it again for the same version is fine.

        Raises:
            SyncError: when they did not arrive everywhere.
        """

    async def verify(self, published: Published, gap: float | None) -> Mapping[str, float]:
        """Make sure that the sampler draws from ``published``.

        Args:
            published: the newest weights.
            gap: mean absolute difference of the sampler's and the learner's log-probabilities that the step before
                saw; ``None`` where it saw none.

        Returns:
            Numbers for the log, ``sync/...``.

        Raises:
            SyncError: when it does not, or one cannot tell.
        """

    async def close(self) -> None:
        """Let go of what it holds."""
