"""Designs of four characters: what a designer of a few hundred thousand weights writes in place of Python.

A specification (:mod:`.families.notation`) is expanded into a whole source, which goes through the gate, the box and
the memory like any other. What a rule does is nowhere told but in the hint, so it has to be learned by playing:
regret is high where a rule is not known yet and falls as it is learned. Other designs are worth nothing to learn from:
too easy, luck, impossible, beyond what the hint helps with, or refused.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..memory.records import Drawn as Shown
from ..types import EnvSource
from .families import FAMILIES, RULED, Shape
from .families.examples import examples
from .families.notation import ALPHABET, CONTRACT, DEPTHS, ITEMS, NEW, RULES, asked, drawn, parse, spec_of
from .tasks import Held, Refused, Said, Slot, Unread

__all__ = ["ALPHABET", "SpecTask"]

_LONGEST_SHOWN = 80
_HELD_ITEMS = (2, 6)


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
        """For every family with rules, environments that mix all new rules: as long as designs, and longer."""
        held = []
        for family in RULED:
            for items in _HELD_ITEMS:
                shape = Shape(family, tuple(NEW.values()), items=items, turns=2 * items)
                name = f"{family}-mixed-{items}"
                held.append(Held(name, EnvSource(shape.source(name), contract=CONTRACT)))
        return held

    def warm_up(self, seed: int, count: int) -> Sequence[tuple[Said, tuple[str, ...]]]:
        """How specifications look, and how to play when the hint tells the rule; see :mod:`.families.examples`."""
        return examples(seed, count)
