"""Mutants: a good source changed by one operator, with what shows that it is broken, or without, as a sound variant."""

from __future__ import annotations

import ast
import dataclasses
import random
from collections.abc import Iterator, Sequence

from .good import Good
from .operator import Operator
from .operators import OPERATORS
from .oracles import ASKED, MINOR, ORACLES, Case, Exhibit
from .specimens import Specimen, known

LIKELY = 0.02
"""A fault shown by fewer of the varied winning plays is rare, and reported apart."""


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One changed source."""

    operator: str
    origin: str
    """Name of the good source it was made from."""
    text: str
    exhibit: Exhibit | None
    """What shows that it is broken; ``None`` for a sound variant."""

    @property
    def rare(self) -> bool:
        """Whether its fault is met too seldom to be asked for."""
        return self.exhibit is not None and self.exhibit.rate < LIKELY


def changed(operator: Operator, text: str, rng: random.Random) -> str | None:
    """A good source's text after one change; ``None`` where the operator finds nothing to change."""
    tree = ast.parse(text)
    if not operator.change(tree, rng):
        return None
    after = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return None if after == ast.unparse(ast.parse(text)) + "\n" else after


def exhibit_of(operator: Operator, original_text: str, text: str) -> Exhibit | None:
    """What shows that a mutant is broken: the operator's own oracles first, then every other."""
    with Specimen(text) as mutant:
        case = Case(known(original_text), original_text, mutant)
        others = [name for name in ORACLES if name not in (*operator.shows, *MINOR, *ASKED)]
        minor = [name for name in MINOR if name not in operator.shows]
        for name in (*operator.shows, *others, *minor):
            exhibit = ORACLES[name](case)
            if exhibit is not None:
                return exhibit
    return None


def mutants_of(operator: Operator, good: Sequence[Good], seed: int, wanted: int) -> Iterator[Mutant]:
    """Mutants of one operator, until ``wanted`` of them are broken for sure or a few times as many were tried.

    Args:
        operator: how to change a source.
        good: good sources; those of other contracts are passed over.
        seed: decides which sources are taken and what is changed in them.
        wanted: how many broken ones to make.
    """
    rng = random.Random(f"{seed}:{operator.name}")
    order = rng.sample(range(len(good)), len(good))
    broken = tried = 0
    for at in order:
        origin = good[at]
        if origin.contract not in operator.contracts or broken >= wanted or tried >= 3 * wanted:
            continue
        text = changed(operator, origin.text, rng)
        if text is None:
            continue
        tried += 1
        mutant = Mutant(operator.name, origin.name, text, exhibit_of(operator, origin.text, text))
        broken += mutant.exhibit is not None and not mutant.rare
        yield mutant


__all__ = ["LIKELY", "OPERATORS", "Mutant", "changed", "exhibit_of", "mutants_of"]
