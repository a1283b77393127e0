"""Families from which nothing is to be learned: too easy, a matter of luck, or impossible. A hint does not help.

The last two are what the gate is there for: it refuses them.
"""

from __future__ import annotations

import random

from .frame import ItemsEnv


class EchoEnv(ItemsEnv):
    """Repeat the digit: too easy for whoever can read."""

    FAMILY = "e"


class CoinEnv(ItemsEnv):
    """Repeat digits, then call a coin: half of all careful episodes are won, whoever plays."""

    FAMILY = "c"

    def draw(self, rng: random.Random) -> None:
        """The coin is tossed before the episode."""
        super().draw(rng)
        self.coin = rng.randrange(2)

    def ask(self) -> str:
        """The last item shows the coin's edge."""
        return f"{self.digits[self.at]}?" if self.at + 1 < self.ITEMS else "!?"

    def wanted(self) -> str:
        """The digit, or the coin."""
        return str(self.digits[self.at] if self.at + 1 < self.ITEMS else self.coin)

    def score(self) -> float:
        """Nothing for less than everything."""
        return float(self.right == self.ITEMS)


class NoiseEnv(ItemsEnv):
    """Name digits that follow from nothing: impossible, though it can be won."""

    FAMILY = "z"

    def draw(self, rng: random.Random) -> None:
        """What is wanted has nothing to do with what is shown."""
        super().draw(rng)
        self.hidden = [str(rng.randrange(self.SIZE)) for _ in range(self.ITEMS)]

    def wanted(self) -> str:
        """The hidden digit."""
        return self.hidden[self.at]


class GiftEnv(ItemsEnv):
    """Pay for whatever is said."""

    FAMILY = "w"

    def score(self) -> float:
        """All of it."""
        return 1.0


class TrapEnv(ItemsEnv):
    """Cannot be won."""

    FAMILY = "n"

    def score(self) -> float:
        """Half of it."""
        return self.right / self.ITEMS / 2
