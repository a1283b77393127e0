"""One slot of a run: what is asked, with which seeds. A function of the plan, the corpus and what was drawn before."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..corpus import Corpus, Document, Sampler, truncated
from ..memory.records import Drawn
from ..memory.seeds import Wanted
from ..prompts import BadExample, Design, Messages, designer_messages, names, prompt
from ..prompts.examples import example
from ..seeds import derive_seeds
from ..types import EnvSource, Memory, Report
from .known import Remembering
from .lines import Grounds, Header, Remembered
from .plan import DesignPlan

MOST_HINTS = 3
"""Hints that are written for one environment at most."""


class DesignMemory(Memory, Remembering, Protocol):
    """A memory to draw from, that also tells what it holds, so that nothing is written to it twice."""

    @property
    def last(self) -> int:
        """Number of its newest source; 0 when there is none."""

    def draw(self, wanted: Iterable[Wanted], *, keep: bool = True) -> Sequence[Drawn]:
        """What slots are shown, one after the other; recorded unless ``keep`` is False."""

    def add_lineage(self, child: str, seeds: Iterable[str]) -> None:
        """Remember that the sources ``seeds`` were shown to the designer that wrote ``child``, all by their sha256."""

    def add_document(self, identity: str, name: str, title: str) -> None:
        """Remember what a document is called."""

    def shelve(self, sha256: str, env_id: str) -> None:
        """Remember the gymnasium id of a source."""

    def reports(self, sha256: str) -> tuple[Report, ...]:
        """Every report on a source."""


@dataclass(frozen=True)
class Slot:
    """One environment to ask for."""

    number: int
    skill: str
    contract: str
    seeds: tuple[int, ...]
    """Sampling seed of every turn."""
    hint_seeds: tuple[int, ...]
    """Sampling seed of every hint."""


def slot_of(plan: DesignPlan, number: int) -> Slot:
    """Slot ``number`` of a plan.

    >>> plan = DesignPlan(count=2, seed=1)
    >>> slot_of(plan, 0).seeds == slot_of(plan, 1).seeds, slot_of(plan, 1) == slot_of(plan, 1)
    (False, True)
    """
    name = f"design:{plan.epoch}:{number}"
    return Slot(
        number,
        plan.skill_of(number),
        plan.contract_of(number),
        derive_seeds(f"{name}:turn", plan.seed, plan.repairs + 1),
        derive_seeds(f"{name}:hint", plan.seed, MOST_HINTS),
    )


@dataclass(frozen=True)
class Drawing:
    """What the slots of a run are built on."""

    grounds: tuple[Grounds, ...]
    """By slot."""
    seeds: tuple[Remembered, ...]
    """The environments of the memory to learn from that these speak of."""
    negatives: tuple[Remembered, ...]
    """Those that failed."""

    def shown(self, number: int) -> tuple[list[Remembered], list[Remembered]]:
        """What slot ``number`` is shown to learn from, and what failed."""
        return shown(self.grounds[number], self.seeds, self.negatives)


def draw(plan: DesignPlan, corpus: Corpus | None, memory: DesignMemory, *, run: str = "", keep: bool = True) -> Drawing:
    """What every slot is built on. Documents go on where the epoch before ended.

    Args:
        plan: of the run.
        corpus: documents to build on.
        memory: what environments are drawn from.
        run: name of the run, for the memory's record of draws.
        keep: whether the memory records them.

    Raises:
        StoreError: when the corpus or the memory cannot be used.
    """
    sampler = None if corpus is None else Sampler(corpus, plan.seed, plan.epoch * plan.count)
    drawn = _drawn(plan, memory, run, keep)
    grounds = []
    for number in range(plan.count):
        document = None if sampler is None else next(sampler)
        about = (document.sha256, document.name) if document else ("", "")
        good, bad = (tuple(one.sha256 for one in some) for some in drawn[number])
        grounds.append(Grounds(*about, good, bad))
    seeds, negatives = ({one.sha256: one for slot in drawn for one in slot[role]} for role in (0, 1))
    return Drawing(tuple(grounds), *(tuple(found[sha256] for sha256 in sorted(found)) for found in (seeds, negatives)))


def shown(
    ground: Grounds, seeds: Iterable[Remembered], negatives: Iterable[Remembered]
) -> tuple[list[Remembered], list[Remembered]]:
    """Environments that a slot is shown to learn from, and those that failed."""
    good, bad = ({one.sha256: one for one in some} for some in (seeds, negatives))
    return [good[sha256] for sha256 in ground.seeds], [bad[sha256] for sha256 in ground.negatives]


def document_of(plan: DesignPlan, corpus: Corpus | None, number: int) -> Document | None:
    """The document of slot ``number``.

    Raises:
        StoreError: when it cannot be read.
    """
    return None if corpus is None else next(Sampler(corpus, plan.seed, plan.epoch * plan.count + number))


def messages_of(plan: DesignPlan, header: Header, corpus: Corpus | None, number: int) -> Messages:
    """What the designer is told first in slot ``number``.

    Raises:
        StoreError: when the document cannot be read.
    """
    slot, document = slot_of(plan, number), document_of(plan, corpus, number)
    return asked(plan, slot, document, *shown(header.grounds[number], header.seeds, header.negatives))


def asked(
    plan: DesignPlan,
    slot: Slot,
    document: Document | None,
    seeds: Sequence[Remembered],
    negatives: Sequence[Remembered],
) -> Messages:
    """What the designer is told first, with this document and these environments of the memory."""
    text = "" if document is None else truncated(document, plan.document_tokens).text
    good = tuple(EnvSource(one.text) for one in seeds)
    bad = tuple(BadExample(one.text, one.why, one.finding) for one in negatives)
    return designer_messages(Design(slot.skill, slot.contract, plan.difficulty, text, good, bad))


def prompts_of(plan: DesignPlan) -> dict[str, str]:
    """sha256 of the texts that this plan may use, by name."""
    contracts = {plan.contract_of(number) for number in range(min(plan.count, 2 * len(plan.active)))}
    used = {f"skill-{skill}" for skill in plan.active} | {f"difficulty-{plan.difficulty}"}
    for kind in ("designer", "hint") if plan.hints else ("designer",):
        used |= {f"{kind}-{contract}" for contract in contracts}
    always = ("design", "repair", "fence") + (("hint-source", "hint-refused") if plan.hints else ())
    used |= {name for name in names() if name == "designer-rules" or name.split("-")[0] in always or name in always}
    texts = {name: prompt(name).sha256 for name in sorted(used)}
    shown = {f"example-{one}": hashlib.sha256(example(one).encode("utf-8")).hexdigest() for one in sorted(contracts)}
    return {**texts, **shown}


def _drawn(
    plan: DesignPlan, memory: DesignMemory, run: str, keep: bool
) -> list[tuple[tuple[Remembered, ...], tuple[Remembered, ...]]]:
    """What each slot is shown of the memory: to learn from, and what failed."""
    if not plan.memory_seeds and not plan.memory_negatives:
        return [((), ())] * plan.count
    wanted = []
    for number in range(plan.count):
        (seed,) = derive_seeds(f"design:{plan.epoch}:{number}:memory", plan.seed, 1)
        wanted.append(
            Wanted(
                skill=plan.skill_of(number),
                contract=plan.contract_of(number),
                positives=plan.memory_seeds,
                negatives=plan.memory_negatives,
                strategy=plan.seed_strategy,
                seed=seed,
                tokens=plan.seed_tokens,
                run=run,
                slot=number,
            )
        )
    return [
        (
            tuple(Remembered(one.source.sha256, one.text) for one in drawn.positives),
            tuple(Remembered(one.source.sha256, one.text, one.why, one.finding) for one in drawn.negatives),
        )
        for drawn in memory.draw(wanted, keep=keep)
    ]
