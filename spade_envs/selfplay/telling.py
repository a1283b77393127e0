"""What a finished cycle tells whoever watches, and the pages that people read."""

from __future__ import annotations

from collections.abc import Iterator

from ..types import Episode
from .events import DesignEnded, Event, Trouble
from .evidence import Design
from .records import Collected
from .remember import decision_of
from .rewarding import Paid
from .sample_texts import DesignText


def events_of(collected: Collected, paid: Paid) -> Iterator[Event]:
    """Every design, and everything that went wrong."""
    played = {one.key: one for one in collected.played if one.hinted}
    for reply in collected.replies:
        design = paid.evidence[reply.key].design
        decision = decision_of(played[reply.key]) if reply.key in played and design is Design.ADMITTED else None
        regret, band = (decision.regret, decision.band) if decision is not None else (None, "")
        slot = reply.slot
        yield DesignEnded(collected.cycle, slot.number, slot.skill, design, reply.rule, regret, band)
    for what, count in collected.troubles.items():
        yield Trouble(collected.cycle, f"{what}: {count} times")


def designs_of(collected: Collected, paid: Paid) -> list[DesignText]:
    """Designer replies as they are shown to people."""
    rewards = {one.episode_id: one.reward for one in paid.designer}
    found = []
    for reply in collected.replies:
        evidence = paid.evidence[reply.key]
        findings = tuple(f"{one.rule}: {one.message}" for one in reply.report.findings) if reply.report else ()
        if reply.unread is not None:
            findings = (f"{reply.unread.rule}: {reply.unread.problem}",)
        found.append(
            DesignText(
                slot=reply.slot.number,
                skill=reply.slot.skill,
                design=evidence.design,
                reply=reply.text,
                hint=reply.source.hint if reply.source is not None else "",
                findings=findings,
                plain=evidence.plain,
                hinted=evidence.hinted,
                reward=rewards.get(reply.trajectory.episode_id) if reply.trajectory is not None else None,
            )
        )
    return found


def episodes_of(collected: Collected) -> list[Episode]:
    """Every episode of the cycle."""
    return [play.episode for one in collected.played for play in (*one.plain, *one.hinted)]
