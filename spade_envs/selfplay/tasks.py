"""What a designer is asked for, and what its replies are read as: the seam between language models and tiny ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..memory.records import Drawn as Shown
from ..types import EnvSource, Report


@dataclass(frozen=True)
class Slot:
    """One environment to ask for."""

    number: int
    """Within the cycle, from 0."""
    cycle: int
    skill: str
    contract: str
    """The one that is asked for; empty where the task leaves it open."""
    seed: int
    """What the slot leaves to chance follows from it."""


@dataclass(frozen=True)
class Said:
    """What is said to a policy, once or at the beginning of a conversation."""

    system: str
    user: str


@dataclass(frozen=True)
class Unread:
    """A reply without a source."""

    rule: str
    """``reply.*``"""
    problem: str
    """In a sentence, for the designer and for people."""


@dataclass(frozen=True)
class Refused:
    """An earlier reply of the same slot, to be mended."""

    reply: str
    source: EnvSource | None
    report: Report | None
    unread: Unread | None


@dataclass(frozen=True)
class Held:
    """An environment to measure the agent on that no designer has seen."""

    name: str
    source: EnvSource


class Task(Protocol):
    """One kind of designs. Everything it does follows from its arguments."""

    def prompt(self, slot: Slot, shown: Shown) -> Said:
        """What the designer is asked."""

    def repair(self, slot: Slot, shown: Shown, refused: Sequence[Refused]) -> Said:
        """What it is asked after its replies were refused; the last one is to be mended."""

    def read(self, slot: Slot, reply: str, *, ended: bool) -> EnvSource | Unread:
        """The source in a reply, with skill, and with a hint where the task itself knows one.

        Args:
            ended: whether the reply ended by itself, not by its length.
        """

    def hint_prompt(self, source: EnvSource, contract: str, refused: Sequence[str]) -> Said | None:
        """What the writer of a hint is asked; ``None`` where this task's hints are not written by a model."""

    def hint(self, reply: str, *, ended: bool) -> str | Unread:
        """The hint in a reply."""

    def agent_system(self, contract: str) -> str:
        """System message of the agent."""

    def uniform(self, slot: Slot) -> str | None:
        """A reply as a designer without any preference would give it; ``None`` where there is no such thing."""

    def held_out(self) -> Sequence[Held]:
        """Environments to measure the agent on; none where the task has none."""

    def warm_up(self, seed: int, count: int) -> Sequence[tuple[Said, tuple[str, ...]]]:
        """Examples for supervised steps: what is said first, then replies and observations in turn, a reply last."""
