"""What one cycle collects, and what a run remembers between cycles; all of it goes to JSON and back."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..types import EnvSource, Episode, Report, Trajectory
from .evidence import Design
from .tasks import Slot, Unread


@dataclass(frozen=True)
class Reply:
    """One reply of a designer, and what the gate said."""

    slot: Slot
    turn: int
    """0, or the number of the repair."""
    text: str
    trajectory: Trajectory | None
    """Without reward and advantage; ``None`` where nothing was drawn (a server that failed, a uniform designer)."""
    design: Design
    source: EnvSource | None = None
    """With its hint, once it has one."""
    report: Report | None = None
    unread: Unread | None = None
    rule: str = ""
    """What stood in the way."""
    why: str = ""
    """In a sentence; hostile text."""

    @property
    def key(self) -> str:
        """Names the reply within a run."""
        return f"{self.slot.cycle}.{self.slot.number}.{self.turn}"


@dataclass(frozen=True)
class Living:
    """An environment that is being played."""

    key: str
    """Of the reply that holds it, or ``pool.<name>``."""
    source: EnvSource
    contract: str
    max_turns: int
    """As the gate found it."""
    skill: str
    cycle: int
    """That it was designed in; -1 for one of a pool."""
    env_id: str = ""
    """Where it has one."""


@dataclass(frozen=True)
class Play:
    """One episode and what is trained of it."""

    episode: Episode
    trajectory: Trajectory | None
    """``None`` where the policy drew nothing; without reward and advantage."""


@dataclass(frozen=True)
class Played:
    """The episodes of one environment in one cycle."""

    key: str
    plain: tuple[Play, ...]
    hinted: tuple[Play, ...] = ()
    """Episode ``i`` of both arms has the same seed, and the same seed of its draws."""


@dataclass(frozen=True)
class Showing:
    """What one slot was shown of the memory, for its record of draws."""

    slot: Slot
    positives: tuple[str, ...]
    """sha256 of each source."""
    negatives: tuple[str, ...]


@dataclass(frozen=True)
class Collected:
    """Everything that was drawn from the policy in one cycle."""

    cycle: int
    policy_version: int
    designed: bool
    """Whether environments were asked for; else those of an earlier cycle were played again."""
    replies: tuple[Reply, ...]
    showings: tuple[Showing, ...]
    living: tuple[Living, ...]
    """What is played from now on: without environments that failed in this cycle."""
    played: tuple[Played, ...]
    failed: tuple[Living, ...] = ()
    """What was played and failed in this cycle."""
    held_out: tuple[float | None, ...] = ()
    """Outcomes on the task's own environments, where it was their turn."""
    troubles: dict[str, int] = field(default_factory=dict)
    """What went wrong, by what it was."""
    tokens: dict[str, int] = field(default_factory=dict)
    """Tokens drawn, by role."""
