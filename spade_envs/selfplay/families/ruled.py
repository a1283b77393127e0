"""Families in which a letter names a rule. Who knows the rule, or reads it in the hint, can be right every time."""

from __future__ import annotations

import random

from .frame import ItemsEnv


class ApplyEnv(ItemsEnv):
    """Apply the rule that the letter names to the digit."""

    FAMILY = "r"


class BackEnv(ItemsEnv):
    """Remember: apply the rule to the digit of the question before; the first question is about its own."""

    FAMILY = "b"

    def wanted(self) -> str:
        """What the rule makes of an earlier digit."""
        return self.ruled(self.digits[max(0, self.at - 1)])


class LookupEnv(ItemsEnv):
    """A tool of one call: open the cell that the rule names, then say what lies in it."""

    FAMILY = "l"
    TURNS = 8

    def draw(self, rng: random.Random) -> None:
        """Every item has cells with all digits in them, in an order of its own."""
        super().draw(rng)
        self.cells = [rng.sample(range(self.SIZE), self.SIZE) for _ in range(self.ITEMS)]
        self.opened = False

    def take(self, said: str) -> bool | str:
        """The first reply opens a cell, the second one counts."""
        self.opened = not self.opened
        if self.opened:
            digit = self.digit(said)
            return "=." if digit is None else f"={self.cells[self.at][digit]}"
        return said == str(self.cells[self.at][int(self.wanted())])

    def solution(self) -> list[str]:
        """Open a cell and say what is in it, for every item."""
        found: list[str] = []
        for item in range(self.ITEMS):
            self.at = item
            cell = int(self.wanted())
            found += [str(cell), str(self.cells[self.at][cell])]
        self.at = 0
        return found


class GuessEnv(ItemsEnv):
    """Guess the digit that the rule hides, with a second try after being told on which side it is."""

    FAMILY = "g"
    TURNS = 8

    def draw(self, rng: random.Random) -> None:
        """Every item has two tries."""
        super().draw(rng)
        self.tried = False

    def take(self, said: str) -> bool | str:
        """Right on the first try, or on the second."""
        if said == self.wanted() or self.tried:
            self.tried = False
            return said == self.wanted()
        self.tried = True
        digit = self.digit(said)
        if digit is None:
            return "."
        return ">" if int(self.wanted()) > digit else "<"
