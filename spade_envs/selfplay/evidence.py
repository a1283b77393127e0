"""What is known about one designer reply when it is paid: the gate's word, and how its environment was played."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Design(enum.StrEnum):
    """What became of a designer's reply."""

    ADMITTED = "admitted"
    STATIC = "static"
    """Refused, or without a source, before it ran: also what holds no source at all."""
    LOAD = "load"
    """Refused by the load stage or for its contract."""
    BEHAVIOUR = "behaviour"
    """Refused for what it does: determinism, robustness."""
    WORTH = "worth"
    """Refused for what it is worth: feasibility, exploits, leaks, tools, hints, duplicates."""
    FAULTY = "faulty"
    """Admitted, and failed while it was played: an exception, a limit, a broken contract; not a hang."""
    HUNG = "hung"
    """Admitted, and met a time limit while it was played."""
    UNDECIDED = "undecided"
    """Ours or nobody's doing: no sample."""


@dataclass(frozen=True)
class Evidence:
    """One designer reply.

    Outcomes are in [-1, 1]; ``None`` is missing, never 0.
    """

    skill: str
    design: Design
    plain: tuple[float | None, ...] = ()
    """Outcomes without the hint, of the policy version that designed it; pair ``i`` has one seed in both arms."""
    hinted: tuple[float | None, ...] = ()
    """Outcomes with it, as long as ``plain``; empty where none was played."""
    later: tuple[tuple[float | None, ...], ...] = ()
    """Plain outcomes of later cycles, oldest first: of other policy versions, so no part of a regret."""
    repaired: bool = False
    """Whether the reply answers findings on an earlier one."""
