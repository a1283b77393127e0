"""One slot of a run: what is asked, with which seeds. A function of the plan, the corpus and what was drawn before."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..corpus import Corpus, Document, Sampler, truncated
from ..prompts import Design, Messages, designer_messages, names, prompt
from ..prompts.examples import example
from ..seeds import derive_seeds
from ..types import EnvSource, Memory
from .lines import Grounds, Header
from .plan import SEED_CHARACTERS, DesignPlan

MOST_HINTS = 3
"""Hints that are written for one environment at most."""
SEED_POOL = 128
"""Environments of the memory that the slots of a skill choose from."""


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


def draw(plan: DesignPlan, corpus: Corpus | None, memory: Memory) -> tuple[tuple[Grounds, ...], tuple[EnvSource, ...]]:
    """What every slot is built on, and the environments of the memory that this speaks of.

    Documents go on where the epoch before ended. A slot is shown only environments of its skill and contract, and none
    longer than ``plan.SEED_CHARACTERS``: half an environment teaches faults.

    Raises:
        StoreError: when the corpus or the memory cannot be read.
    """
    sampler = None if corpus is None else Sampler(corpus, plan.seed, plan.epoch * plan.count)
    pools = _pools(plan, memory)
    grounds, found = [], {}
    for number in range(plan.count):
        document = None if sampler is None else next(sampler)
        seeds = _seeds(plan, number, pools)
        found.update({source.sha256: source for source in seeds})
        shown = tuple(source.sha256 for source in seeds)
        grounds.append(Grounds(document.sha256 if document else "", document.name if document else "", shown))
    return tuple(grounds), tuple(found[sha256] for sha256 in sorted(found))


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
    known = {source.sha256: source for source in header.seeds}
    return asked(plan, slot, document, [known[sha256] for sha256 in header.grounds[number].seeds])


def asked(plan: DesignPlan, slot: Slot, document: Document | None, seeds: Sequence[EnvSource]) -> Messages:
    """What the designer is told first, with this document and these environments of the memory."""
    text = "" if document is None else truncated(document, plan.document_tokens).text
    return designer_messages(Design(slot.skill, slot.contract, plan.difficulty, text, tuple(seeds)))


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


def _pools(plan: DesignPlan, memory: Memory) -> dict[str, list[EnvSource]]:
    """Environments of the memory that may be shown, by skill: one draw each, since a memory may be large."""
    if not plan.memory_seeds:
        return {}
    pools = {}
    for skill in plan.active[: plan.count]:
        (seed,) = derive_seeds(f"design:{plan.epoch}:{skill}:memory", plan.seed, 1)
        drawn = memory.sample_seeds(SEED_POOL, skill=skill, seed=seed)
        pools[skill] = [source for source in drawn if len(source.text) <= SEED_CHARACTERS]
    return pools


def _seeds(plan: DesignPlan, number: int, pools: Mapping[str, Sequence[EnvSource]]) -> list[EnvSource]:
    slot = slot_of(plan, number)
    fitting = [source for source in pools.get(slot.skill, ()) if source.contract in ("", slot.contract)]
    (seed,) = derive_seeds(f"design:{plan.epoch}:{number}:memory", plan.seed, 1)
    return random.Random(seed).sample(fitting, min(plan.memory_seeds, len(fitting)))
