"""Designs of four characters: what a designer of a few hundred thousand weights writes in place of Python.

A specification names a family, a rule, how often the rule is applied, and the number of items: ``rA13`` asks to apply
rule A once, three times over. It is expanded into a whole source (:mod:`.families`), which goes through the gate, the
box and the memory like any other. What a rule does is nowhere told but in the hint, so it has to be learned by playing:
regret is high where a rule is not known yet and falls as it is learned. Other designs are worth nothing to learn from:
too easy, luck, impossible, beyond what the hint helps with, or refused.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..memory.records import Drawn as Shown
from ..types import EnvSource
from .families import FAMILIES, RULED, Rule, Shape
from .tasks import Held, Refused, Said, Slot, Unread

RULES = {
    letter: Rule(letter, factor, summand)
    for letter, (factor, summand) in zip(
        "ABCDEFGJKLM",
        [(1, 3), (7, 5), (1, 6), (1, 1), (7, 1), (1, 4), (1, 7), (7, 7), (1, 2), (7, 3), (1, 5)],
        strict=True,
    )
}
"""The rules, by letter: seven that add, four that take from; none leaves a digit as it is."""
DEPTHS = "12"
ITEMS = "1234"
CONTRACT = "interactive"
ALPHABET = "".join(sorted({*"0123456789+-<>=?!.D: \nHINT", *RULES, *FAMILIES}))
"""Every character that is said by or to a policy in this task, save for faults."""

_SPEC = re.compile(f"[{''.join(FAMILIES)}][{''.join(RULES)}][{DEPTHS}][{ITEMS}]")
_LONGEST_SHOWN = 80
_HELD_ITEMS = (2, 6)


@dataclass(frozen=True)
class Spec:
    """A specification that says something."""

    family: str
    rule: str
    """Letter; of no effect in families without rules."""
    depth: int
    items: int

    @property
    def text(self) -> str:
        """As a designer writes it, in the one form that all specifications of the same source share."""
        return f"{self.family}{self.rule}{self.depth}{self.items}"

    def shape(self) -> Shape:
        """What it asks of the family."""
        return Shape(self.family, (RULES[self.rule],) if self.family in RULED else (), self.depth, self.items)

    def source(self, skill: str = "") -> EnvSource:
        """The environment, with its hint."""
        shape = self.shape()
        return EnvSource(shape.source(self.text), skill=skill, contract=CONTRACT, hint=shape.hint())


def parse(text: str) -> Spec | None:
    """Read a specification; ``None`` where it is none.

    >>> parse("rA13").text, parse("eC24").text, parse("rA1"), parse("rZ13")
    ('rA13', 'eA14', None, None)
    """
    if not _SPEC.fullmatch(text):
        return None
    ruled = text[0] in RULED
    return Spec(text[0], text[1] if ruled else next(iter(RULES)), int(text[2]) if ruled else 1, int(text[3]))


def spec_of(source: EnvSource) -> str:
    """The specification that a source was made from; empty where it was made otherwise."""
    first = source.text.partition("\n")[0]
    spec = parse(first.removeprefix("# spec "))
    return spec.text if spec and first.startswith("# spec ") and spec.source().text == source.text else ""


def drawn(rng: random.Random) -> str:
    """Any specification, all equally likely; families without rules come in many spellings."""
    return "".join(rng.choice(characters) for characters in (list(FAMILIES), list(RULES), DEPTHS, ITEMS))


def asked(shown: Sequence[str], avoided: Sequence[str]) -> Said:
    """What a designer is asked: specifications to learn from after ``+``, and useless ones after ``-``.

    >>> asked(["rA13", "sB12"], ["zA14"]).user
    'D+rA13+sB12-zA14?'
    """
    marked = [f"{mark}{text}" for mark, texts in (("+", shown), ("-", avoided)) for text in texts if text]
    return Said("", f"D{''.join(marked)}?")


class SpecTask:
    """Compact specifications, as a task of self-play (:class:`.tasks.Task`)."""

    def prompt(self, slot: Slot, shown: Shown) -> Said:
        """The specifications of what the memory shows."""
        return asked([spec_of(one.source) for one in shown.positives], [spec_of(one.source) for one in shown.negatives])

    def repair(self, slot: Slot, shown: Shown, refused: Sequence[Refused]) -> Said:
        """The same, with the refused ones as useless."""
        avoided = [spec_of(one.source) for one in refused if one.source is not None]
        return asked([spec_of(one.source) for one in shown.positives], avoided)

    def read(self, slot: Slot, reply: str, *, ended: bool) -> EnvSource | Unread:
        """The expanded source."""
        if not ended:
            return Unread("reply.cut", "The reply was cut off; a specification is four characters and an end.")
        spec = parse(reply)
        if spec is None:
            found = repr(reply[:_LONGEST_SHOWN])
            wanted = f"one of {''.join(FAMILIES)}, one of {''.join(RULES)}, one of {DEPTHS}, one of {ITEMS}"
            return Unread("reply.no_source", f"The reply {found} is no specification: {wanted}.")
        return spec.source(slot.skill)

    def hint_prompt(self, source: EnvSource, contract: str, refused: Sequence[str]) -> Said | None:
        """Nothing: the expander writes hints."""
        return None

    def hint(self, reply: str, *, ended: bool) -> str | Unread:
        """Nothing that was asked for."""
        return Unread("reply.no_hint", "Hints of this task are not written by a model.")

    def agent_system(self, contract: str) -> str:
        """Nothing: every token costs a tiny model time."""
        return ""

    def uniform(self, slot: Slot) -> str | None:
        """Any specification."""
        return drawn(random.Random(slot.seed))

    def held_out(self) -> Sequence[Held]:
        """For every family with rules, environments that mix all rules, shorter and longer than a designer can ask."""
        held = []
        for family in RULED:
            for items in _HELD_ITEMS:
                shape = Shape(family, tuple(RULES.values()), items=items, turns=2 * items)
                name = f"{family}-mixed-{items}"
                held.append(Held(name, EnvSource(shape.source(name), contract=CONTRACT)))
        return held

    def warm_up(self, seed: int, count: int) -> Sequence[tuple[Said, tuple[str, ...]]]:
        """How specifications look, and how to play when the hint tells the rule; see :mod:`.spec_examples`."""
        from .spec_examples import examples

        return examples(seed, count)
