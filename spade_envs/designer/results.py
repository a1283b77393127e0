"""What became of a run: how every slot ended, and what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .lines import Decision, EndLine, Told
from .plan import DesignPlan


@dataclass(frozen=True)
class SlotEnd:
    """One slot that ended."""

    slot: int
    skill: str
    contract: str
    """The one that was asked for."""
    decision: Decision
    env_id: str
    """Of what was admitted, or of what was there already."""
    sha256: str
    """Of the last source."""
    rule: str
    """First rule that stood in the way; ``reply.*`` where a reply held no source, ``request.*`` where none came."""
    why: str
    """In a sentence; it may quote a model."""
    hint: str
    """Of what was admitted: ``author``, ``written``, ``none``, or why none was written."""
    replies: int
    """Replies the designer gave."""
    prompt_tokens: int
    completion_tokens: int

    @property
    def repaired(self) -> bool:
        """Whether it was admitted after findings had been sent back."""
        return self.decision is Decision.ADMITTED and self.replies > 1


@dataclass(frozen=True)
class DesignResult:
    """What became of a run."""

    plan: DesignPlan
    ends: tuple[SlotEnd, ...]
    """By slot."""
    log: Path
    asked: int
    """Replies that this call asked for."""
    was_over: bool = False
    """Whether every slot had ended before this call."""

    def count(self, decision: Decision) -> int:
        """Slots that ended so."""
        return sum(end.decision is decision for end in self.ends)

    @property
    def stopped_by(self) -> Counter[str]:
        """Slots that were not admitted, by the rule that stood in the way."""
        return Counter(end.rule for end in self.ends if end.decision is not Decision.ADMITTED)

    @property
    def prompt_tokens(self) -> int:
        """Tokens of all prompts to the designer, as far as its server counts."""
        return sum(end.prompt_tokens for end in self.ends)

    @property
    def completion_tokens(self) -> int:
        """Tokens of all its replies."""
        return sum(end.completion_tokens for end in self.ends)


@dataclass(frozen=True)
class Progress:
    """Where a run stands."""

    slots: int
    asked: int
    """Replies that came, those of earlier runs too."""
    gated: int
    """Reports of the gate, alike."""
    ended: int
    """Slots that ended."""
    admitted: int
    refused: int
    """Slots that ended otherwise, but for those that failed."""
    tokens: int
    """Of prompts and replies of the designer."""
    end: SlotEnd | None = None
    """The slot that ended just now; they end in order."""


OnProgress = Callable[[Progress], None]
"""Called in the event loop whenever something has changed."""


def end_of(plan: DesignPlan, line: EndLine, told: Told) -> SlotEnd:
    """A line of a log, with what the slot cost."""
    return SlotEnd(
        slot=line.slot,
        skill=plan.skill_of(line.slot),
        contract=plan.contract_of(line.slot),
        decision=line.decision,
        env_id=line.env_id,
        sha256=line.sha256,
        rule=line.rule,
        why=line.why,
        hint=line.hint,
        replies=len(told.replies),
        prompt_tokens=sum(reply.prompt_tokens for reply in told.replies),
        completion_tokens=sum(reply.completion_tokens for reply in told.replies),
    )
