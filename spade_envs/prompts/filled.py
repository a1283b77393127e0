"""Prompts filled in: what is asked of a designer, of a writer of hints, and of an agent."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..contract import CONTRACTS, SKILLS
from ..types import EnvSource, Finding
from .examples import example
from .fences import fenced
from .repairs import finding_text, one_line
from .texts import Prompt, prompt, unknown

DIFFICULTIES = ("easy", "medium", "hard")
"""How hard a designer may be asked to make an environment."""


@dataclass(frozen=True)
class Messages:
    """The two messages that begin a chat."""

    system: str
    user: str
    sha256: str
    """Hex digest over the digests of all texts used, in order: of templates and examples, not of what was filled in."""


@dataclass(frozen=True)
class BadExample:
    """An environment that a designer should not write."""

    text: str
    """The source, or an outline of it; untrusted."""
    why: str
    """A sentence."""
    finding: Finding | None = None
    """What the gate found; untrusted, since it quotes the source."""


@dataclass(frozen=True)
class Design:
    """What a designer is asked for.

    Raises:
        ValueError: for a skill, contract or difficulty that does not exist.
    """

    skill: str
    contract: str
    difficulty: str
    document: str = ""
    """Text to build on, already cut to a budget; untrusted."""
    seeds: tuple[EnvSource, ...] = ()
    """Environments to learn from and not to copy; untrusted."""
    negatives: tuple[BadExample, ...] = ()
    """Environments that failed."""

    def __post_init__(self) -> None:
        _known("skill", self.skill, SKILLS)
        _known("contract", self.contract, CONTRACTS)
        _known("difficulty", self.difficulty, DIFFICULTIES)


def designer_messages(design: Design) -> Messages:
    """What a designer is told: the rules of the contract with an example, then the task.

    The system message depends on the contract alone, so that servers can keep its prefix.
    """
    shown = example(design.contract)
    system, rules = prompt(f"designer-{design.contract}"), prompt("designer-rules")
    task, skill, difficulty = (
        prompt(name) for name in ("design", f"skill-{design.skill}", f"difficulty-{design.difficulty}")
    )
    used = [system, rules, task, skill, difficulty]
    parts = [task.fill(contract=design.contract, skill=skill.fill(), difficulty=difficulty.fill())]
    if design.document.strip():
        used.append(prompt("design-document"))
        parts.append(used[-1].fill(document=fenced(design.document, "document")))
    if design.seeds:
        used.append(prompt("design-seeds"))
        shelf = [fenced(seed.text, f"environment {number}") for number, seed in enumerate(design.seeds, 1)]
        parts.append(used[-1].fill(environments="\n\n".join(shelf)))
    if design.negatives:
        used += [prompt("design-negatives"), prompt("design-negative")]
        told = [_shown(used[-1], number, one) for number, one in enumerate(design.negatives, 1)]
        parts.append(used[-2].fill(failures="\n\n".join(told)))
    used.append(prompt("design-end"))
    parts.append(used[-1].fill())
    return Messages(
        system=system.fill(rules=rules.fill(), example=shown.strip("\n")),
        user="\n\n".join(parts),
        sha256=_digest([*used, prompt("fence")], shown),
    )


def hint_messages(source: EnvSource, contract: str, refused: Sequence[str] = ()) -> Messages:
    """What the writer of a hint is told: the manner of the contract, then the source.

    Args:
        source: of the environment; untrusted.
        contract: of the environment, as the gate found it.
        refused: what the gate said about earlier hints, a sentence each; untrusted.

    Raises:
        ValueError: for a contract that does not exist.
    """
    _known("contract", contract, CONTRACTS)
    system, task = prompt(f"hint-{contract}"), prompt("hint-source")
    used = [system, task]
    parts = [task.fill(source=fenced(source.text, "source"))]
    if refused:
        used.append(prompt("hint-refused"))
        reasons = "\n".join(f"- {' '.join(reason.split())}" for reason in refused)
        parts.append(used[-1].fill(reasons=fenced(reasons, "list of reasons")))
    return Messages(system.fill(), "\n\n".join(parts), _digest([*used, prompt("fence")]))


def agent_system(contract: str) -> Prompt:
    """The system prompt of an agent, which has no fields; it is the same with and without a hint.

    Raises:
        ValueError: for a contract that does not exist.
    """
    _known("contract", contract, CONTRACTS)
    return prompt(f"agent-{contract}")


def _shown(one: Prompt, number: int, bad: BadExample) -> str:
    shown = fenced(bad.text, f"failed environment {number}")
    if bad.finding is not None:
        shown = f"{fenced(finding_text(bad.finding), 'finding')}\n\n{shown}"
    return one.fill(number=str(number), why=one_line(bad.why), source=shown)


def _known(what: str, found: str, allowed: Sequence[str]) -> None:
    if found not in allowed:
        raise ValueError(unknown(what, found, allowed))


def _digest(used: Iterable[Prompt], example: str = "") -> str:
    parts = [f"{one.name} {one.sha256}" for one in used]
    parts += [f"example {hashlib.sha256(example.encode('utf-8')).hexdigest()}"] if example else []
    return hashlib.sha256("\n".join(parts).encode("utf-8")).hexdigest()
