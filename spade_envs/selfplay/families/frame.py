"""What the environments of all families have in common: items one after the other, a mark for each, a share at the end.

The classes here and in the modules beside are ordinary Python, and their text is what sources are put together from.
"""

from __future__ import annotations

import random
from typing import Any, ClassVar


class ItemsEnv:
    """Short questions, answered by one digit each. The last reward is the share of items that were right."""

    FAMILY = ""
    SIZE = 4
    RULES: ClassVar[list[tuple[str, int, int]]] = []
    DEPTH = 1
    ITEMS = 1
    TURNS = 4

    def __init__(self, max_turns: int = 0) -> None:
        self.max_turns = max_turns or self.TURNS
        self.reset()

    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Draw the items; the first one is the first observation."""
        self.turn, self.at, self.right = 0, 0, 0
        self.draw(random.Random(seed))
        return self.FAMILY + self.ask(), {}

    def draw(self, rng: random.Random) -> None:
        """Draw digits and rules of all items."""
        self.digits = [rng.randrange(self.SIZE) for _ in range(self.ITEMS)]
        self.rules = [rng.choice(self.RULES) if self.RULES else ("", 1, 0) for _ in range(self.ITEMS)]

    def ask(self) -> str:
        """The question of the present item: the rule's letter, as often as it is to be applied, and the digit."""
        return f"{self.rules[self.at][0] * self.DEPTH}{self.digits[self.at]}?"

    def digit(self, said: str) -> int | None:
        """The digit below ``SIZE`` that a reply is."""
        return int(said) if said in map(str, range(self.SIZE)) else None

    def wanted(self) -> str:
        """What is right now."""
        return self.ruled(self.digits[self.at])

    def ruled(self, digit: int) -> str:
        """What the rule of the present item makes of a digit."""
        for _ in range(self.DEPTH):
            digit = (self.rules[self.at][1] * digit + self.rules[self.at][2]) % self.SIZE
        return str(digit)

    def take(self, said: str) -> bool | str:
        """Whether the present item is right, or an observation where it is not over."""
        return said == self.wanted()

    def score(self) -> float:
        """The last reward."""
        return self.right / self.ITEMS

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take one reply; every text is one, and what is no digit is wrong."""
        self.turn += 1
        late = self.turn >= self.max_turns
        heard = self.take(action.removeprefix("\\boxed{").removesuffix("}").strip())
        if isinstance(heard, str):
            return heard, 0.0, False, late, {}
        self.at, self.right = self.at + 1, self.right + heard
        mark = "+" if heard else "-"
        if self.at == self.ITEMS:
            return mark, self.score(), True, False, {}
        return mark + self.ask(), 0.0, False, late, {}

    def solution(self) -> list[str]:
        """The digits that are right."""
        found = []
        for item in range(self.ITEMS):
            self.at = item
            found.append(self.wanted())
        self.at = 0
        return found

    def hint(self) -> str:
        """The rules in plain notation: ``+3`` adds 3 modulo ``SIZE``, ``-3`` takes the digit from 3."""
        marks = [f"{'+' if factor > 0 else '-'}{summand}" for _, factor, summand in self.RULES]
        if len(marks) == 1:
            return marks[0]
        return "".join(rule[0] + mark for rule, mark in zip(self.RULES, marks, strict=True)) or "."
