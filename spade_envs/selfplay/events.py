"""What a run of self-play tells while it goes on, for whoever watches.

Nothing of a run depends on who watches: events are told after the fact, in one thread, and are never waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .evidence import Design

PHASES = ("design", "check", "hint", "play", "train", "publish", "remember", "checkpoint")
"""What a cycle does, in order; a cycle that plays earlier environments again leaves the first three out."""


@dataclass(frozen=True)
class CycleBegan:
    """A cycle begins."""

    cycle: int
    """From 0."""


@dataclass(frozen=True)
class Phase:
    """How far a phase of a cycle is."""

    cycle: int
    name: str
    """One of :data:`PHASES`."""
    done: int
    of: int
    """Replies, sources, episodes or steps in all; 0 where it is not known."""


@dataclass(frozen=True)
class DesignEnded:
    """What became of one designer reply."""

    cycle: int
    slot: int
    skill: str
    design: Design
    rule: str = ""
    """The rule that refused it; empty where none did."""
    regret: float | None = None
    """Mean of hinted minus plain outcome; ``None`` where it was not played in both arms."""
    band: str = ""
    """Band of the regret (:mod:`spade_envs.sequential`); empty where there is none."""


@dataclass(frozen=True)
class CycleEnded:
    """A cycle has ended.

    The live table looks for ``regret``, ``plain``, ``hinted`` (mean outcome per arm), ``agent/reward``, ``loss``,
    ``gap/mean`` and ``tokens`` (sampled in the cycle); all else is for the log.
    """

    cycle: int
    metrics: Mapping[str, float]
    """As :class:`~spade_envs.selfplay.metrics.MetricsLog` was given them."""


@dataclass(frozen=True)
class Trouble:
    """Something went wrong that does not end the run: it is counted."""

    cycle: int
    what: str
    """Kind and, after a colon, what happened, in words: ``server: no answer from ...``. Perhaps hostile text."""

    @property
    def kind(self) -> str:
        """What it is counted as.

        >>> Trouble(3, "disk: no room for metrics").kind
        'disk'
        """
        return self.what.partition(":")[0]


@dataclass(frozen=True)
class Saved:
    """A checkpoint was written."""

    cycle: int
    """The cycle that a resumed run begins with."""
    path: Path


Event = CycleBegan | Phase | DesignEnded | CycleEnded | Trouble | Saved
Watch = Callable[[Event], None]
"""Told every event; it must not raise, save ``KeyboardInterrupt``."""


@dataclass(frozen=True)
class Result:
    """What a run came to."""

    cycles: int
    """Cycles that have ended, those before a resumption included."""
    policy_version: int
    """Of the last weights."""
    folder: Path
    troubles: Mapping[str, int]
    """How often what went wrong, by kind."""
    stopped: str
    """``done``, ``interrupted``, or why it could not go on, in words."""
