"""What a run of the designer is: how many environments, of which skills, asked for how.

The window of skills turns with the epoch as in the paper's code (SPADE, arXiv 2608.19197): epoch ``e`` begins at
``(e * k) mod n`` and takes ``k`` of the ``n`` skills, wrapping round.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..client import Sampling
from ..contract import CONTRACTS, REASONING_SKILLS, SKILLS, TOOL_SKILLS
from ..memory.choosing import STRATEGIES
from ..types import Limits

DIFFICULTIES = ("easy", "medium", "hard")
"""How hard an environment should be."""

MOST_SLOTS = 100_000
MOST_REPAIRS = 8
DESIGNER_SAMPLING = Sampling(temperature=0.6, top_p=0.95, top_k=20, max_tokens=16384)
"""As the paper's recipes sample the designer."""


@dataclass(frozen=True, kw_only=True)
class DesignPlan:
    """One run of the designer. The same plan, memory, corpus and replies give the same shelf.

    Raises:
        ValueError: for a value out of range; the message says what is allowed.

    >>> plan = DesignPlan(count=4, skills=("logical-deduction", "optimization", "tool-selection"), window=2, epoch=1)
    >>> plan.active
    ('tool-selection', 'logical-deduction')
    >>> [plan.contract_of(slot) for slot in range(4)]
    ['tools', 'answer', 'tools', 'interactive']
    """

    count: int
    """Environments to ask for: each is a slot, numbered from 0."""
    skills: tuple[str, ...] = REASONING_SKILLS + TOOL_SKILLS
    """Skills to choose from, in this order."""
    window: int = 0
    """Skills of one epoch; 0 is all of them."""
    epoch: int = 0
    """Number of the run in a series: it turns the window, and goes on in the corpus."""
    contract: str = ""
    """Ask for this contract only; empty lets skills decide: tools for tool use, else answer and interactive in turn."""
    difficulty: str = "medium"
    repairs: int = 2
    """How many times findings are sent back."""
    hints: bool = True
    """Whether hints are written for those admitted that have none of their author's."""
    document_tokens: int = 1500
    """Most tokens of a document; longer ones are cut."""
    memory_seeds: int = 2
    """Environments of the memory that a designer is shown to learn from."""
    memory_negatives: int = 1
    """Environments of the memory that it is shown since they failed, with the reason."""
    seed_strategy: str = "balanced"
    """How these are chosen (``memory.choosing``)."""
    seed_tokens: int = 5000
    """Most tokens of each of these; longer ones are outlined, or not shown."""
    seed: int = 0
    """Decides the documents, what is drawn from the memory, every seed of sampling and of the gate."""
    model: str = ""
    """Name of the designer's model; empty where the server has one only."""
    agent_model: str = ""
    """Name of the model that writes hints; empty for the designer's."""
    sampling: Sampling = field(default_factory=lambda: DESIGNER_SAMPLING)
    """Of the designer; its ``seed`` is set for every request."""
    limits: Limits = field(default_factory=Limits)
    """Of the gate."""
    reply_seconds: float = 600.0
    """Deadline of one reply."""
    slot_seconds: float = 900.0
    """Deadline of one slot, replies and checks together."""

    def __post_init__(self) -> None:
        _whole("count", self.count, 1, MOST_SLOTS)
        _whole("window", self.window, 0, len(self.skills))
        _whole("epoch", self.epoch, 0, 10**9)
        _whole("repairs", self.repairs, 0, MOST_REPAIRS)
        _whole("document_tokens", self.document_tokens, 1, 10**6)
        _whole("memory_seeds", self.memory_seeds, 0, 8)
        _whole("memory_negatives", self.memory_negatives, 0, 8)
        _whole("seed_tokens", self.seed_tokens, 1, 10**5)
        _named("seed_strategy", self.seed_strategy, STRATEGIES)
        _named("difficulty", self.difficulty, DIFFICULTIES)
        if self.contract:
            _named("contract", self.contract, CONTRACTS)
        if not self.skills or len(set(self.skills)) != len(self.skills):
            raise ValueError(
                f"skills must name at least one, and none twice, not {', '.join(self.skills) or 'nothing'}"
            )
        for skill in self.skills:
            _named("skill", skill, SKILLS)
            if self.contract and self.contract not in contracts_of(skill):
                fitting = ", ".join(contracts_of(skill))
                raise ValueError(f"{skill} is exercised by {fitting}, not by {self.contract}; leave one of the two out")
        if self.sampling.n != 1:
            raise ValueError(f"sampling.n must be 1, not {self.sampling.n}: a slot asks for one reply at a time")
        for name in ("reply_seconds", "slot_seconds"):
            if not 0 < getattr(self, name) <= 86_400:
                raise ValueError(f"{name} must be above 0 and at most 86400, not {getattr(self, name)!r}")

    @property
    def active(self) -> tuple[str, ...]:
        """Skills of this epoch."""
        taken = self.window or len(self.skills)
        begin = self.epoch * taken % len(self.skills)
        return tuple(self.skills[(begin + at) % len(self.skills)] for at in range(taken))

    def skill_of(self, slot: int) -> str:
        """Skill that slot ``slot`` asks for."""
        return self.active[slot % len(self.active)]

    def contract_of(self, slot: int) -> str:
        """Contract that slot ``slot`` asks for."""
        if self.contract:
            return self.contract
        choices = contracts_of(self.skill_of(slot))
        turn, at = divmod(slot, len(self.active))
        # Neighbours differ, and so does each skill from one round to the next.
        return choices[(turn + at + self.epoch) % len(choices)]


def contracts_of(skill: str) -> tuple[str, ...]:
    """Contracts that exercise a skill.

    >>> contracts_of("tool-selection"), contracts_of("optimization")
    (('tools',), ('answer', 'interactive'))
    """
    return ("tools",) if skill in TOOL_SKILLS else ("answer", "interactive")


def skills_for(contract: str) -> tuple[str, ...]:
    """The paper's twelve skills, or those of them that ``contract`` exercises.

    >>> len(skills_for("")), skills_for("tools")[0]
    (12, 'api-orchestration')
    """
    every = REASONING_SKILLS + TOOL_SKILLS
    return tuple(skill for skill in every if not contract or contract in contracts_of(skill))


def _whole(name: str, value: int, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}, not {value!r}")


def _named(what: str, found: str, allowed: Iterable[str]) -> None:
    names = list(allowed)
    if found not in names:
        near = difflib.get_close_matches(found, names, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ValueError(f"there is no {what} {found[:80]!r}; {hint}Allowed: {', '.join(names)}")
