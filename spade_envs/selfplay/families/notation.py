"""The notation of specifications: four characters for a whole environment.

A specification names a family, a rule, how often the rule is applied, and the number of items: ``rA14`` asks to apply
rule A once, four times over.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...types import EnvSource
from ..tasks import Said
from . import FAMILIES, RULED, Rule, Shape

_MARKS = ((1, 3), (-1, 1), (1, 2), (1, 1), (-1, 3))
"""Factor and summand: three that add, two that take from; none leaves any digit as it is."""
NEW = {letter: Rule(letter, *_MARKS[at % 5]) for at, letter in enumerate("ABCDEF")}
"""Rules that are to be learned, by letter."""
KNOWN = {letter: Rule(letter, *_MARKS[at % 5]) for at, letter in enumerate("ZYXWVU")}
"""The same rules under letters that are taught before self-play begins."""
RULES = NEW | KNOWN
DEPTHS = "12"
ITEMS = "24"
CONTRACT = "interactive"
ALPHABET = "".join(sorted({*"0123456789+-<>=?!.D: \nHINT", *RULES, *FAMILIES}))
"""Every character that is said by or to a policy in this task, save for faults."""

_SPEC = re.compile(f"[{''.join(FAMILIES)}][{''.join(RULES)}][{DEPTHS}][{ITEMS}]")


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

    >>> parse("rA14").text, parse("eC24").text, parse("rA1"), parse("rZ13")
    ('rA14', 'eA14', None, None)
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

    >>> asked(["rA14", "bB12"], ["zA14"]).user
    'D+rA14+bB12-zA14?'
    """
    marked = [f"{mark}{text}" for mark, texts in (("+", shown), ("-", avoided)) for text in texts if text]
    return Said("", f"D{''.join(marked)}?")
