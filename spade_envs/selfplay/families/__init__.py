"""Families of short environments for tiny models, and how a compact specification becomes a whole source.

A source is the text of the classes in these modules and one more class with the numbers of the specification, so what
is read here is what runs in the box.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from .frame import ItemsEnv
from .ruled import ApplyEnv, BackEnv, GuessEnv, LookupEnv
from .unruled import CoinEnv, EchoEnv, GiftEnv, NoiseEnv, TrapEnv

RULED: dict[str, type[ItemsEnv]] = {kind.FAMILY: kind for kind in (ApplyEnv, BackEnv, LookupEnv, GuessEnv)}
"""Families whose items follow a rule, by letter."""
UNRULED: dict[str, type[ItemsEnv]] = {kind.FAMILY: kind for kind in (EchoEnv, CoinEnv, NoiseEnv, GiftEnv, TrapEnv)}
"""Families without rules, by letter."""
FAMILIES = RULED | UNRULED
SIZE = ItemsEnv.SIZE
"""Digits there are, from 0."""

_HEAD = """\
# spec {name}
from __future__ import annotations

import random
from typing import Any, ClassVar
"""
_TAIL = '''\
class TaskEnv({kind}):
    """The family's items with the numbers of the specification."""

    RULES: ClassVar[list[tuple[str, int, int]]] = {rules}
    DEPTH = {depth}
    ITEMS = {items}
    TURNS = {turns}
'''


@dataclass(frozen=True)
class Rule:
    """A digit becomes ``(factor * digit + summand) % SIZE``."""

    letter: str
    factor: int
    """1 or -1."""
    summand: int


@dataclass(frozen=True)
class Shape:
    """One environment of a family.

    Raises:
        ValueError: for a family that does not exist, rules that it has no use for, or numbers out of range.
    """

    family: str
    rules: tuple[Rule, ...] = ()
    """Each item has one of them."""
    depth: int = 1
    """How often a rule is applied."""
    items: int = 1
    turns: int = 0
    """Turn limit; 0 for that of the family."""

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise ValueError(f"there is no family {self.family[:20]!r}; allowed: {', '.join(FAMILIES)}")
        if bool(self.rules) != (self.family in RULED):
            raise ValueError(f"family {self.family!r} and {len(self.rules)} rules do not go together")
        if min(self.depth, self.items) < 1 or max(self.depth, self.items, self.turns) > 99 or self.turns < 0:
            raise ValueError(f"depth and items are 1 to 99, not {self.depth} and {self.items}; turns 0 to 99")

    def env(self) -> ItemsEnv:
        """An instance on this side of the box, of the class that the source has the text of."""
        kind = FAMILIES[self.family]
        env: ItemsEnv = type("TaskEnv", (kind,), self._numbers(kind))()
        return env

    def source(self, name: str) -> str:
        """The whole source; ``name`` stands in its first line."""
        kind = FAMILIES[self.family]
        numbers = {key.lower(): value for key, value in self._numbers(kind).items()}
        parts = [_HEAD.format(name=name), inspect.getsource(ItemsEnv), inspect.getsource(kind)]
        return "\n\n".join([*parts, _TAIL.format(kind=kind.__name__, **numbers)])

    def hint(self) -> str:
        """What the environment's ``hint()`` says."""
        return self.env().hint()

    def _numbers(self, kind: type[ItemsEnv]) -> dict[str, object]:
        rules = [(rule.letter, rule.factor, rule.summand) for rule in self.rules]
        return {"RULES": rules, "DEPTH": self.depth, "ITEMS": self.items, "TURNS": self.turns or kind.TURNS}
