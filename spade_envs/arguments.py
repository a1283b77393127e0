"""What a text shows that commands may be about: numbers, letters, codes, and the members of lists.

Every pattern is bounded, and a text is read up to :data:`MOST_TEXT` characters: observations may be hostile, and long.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Iterator, Sequence

from .sandbox import mentions

MOST_TEXT = 20_000
"""Characters of a text that are searched for arguments."""
MOST_VALUES = 32
"""Values that one argument is filled with."""
LONGEST_RANGE = 40
"""Numbers of a range, as in "from 0 to 99", that are counted up."""

NUMERIC = frozenset("N M K X Y Z I J n m k x y z i j ROW COL COLUMN NUMBER COUNT AMOUNT".split())
"""Words that stand for a number as a rule."""

_COMPASS = ("north", "east", "south", "west", "up", "down")
_LIST = re.compile(r"[\w'-]{1,24}(?:, (?!and |or )[\w'-]{1,24}){1,60}(?:,? (?:and|or) [\w'-]{1,24})?")
_BETWEEN = re.compile(r", (?:and |or )?| (?:and|or) ")
_RANGE = re.compile(r"\b([A-Za-z]?)(\d{1,3}) ?(?:\.\.|to|-|\u2013|and) ?\1(\d{1,3})\b", re.ASCII)
_LETTERS = re.compile(r"\b([A-Z])(?: to |\.\.|-)([A-Z])\b", re.ASCII)
_SIDES = re.compile(r"\b(\d{1,2}) ?(?:x|by) ?(\d{1,2})\b", re.ASCII)
_TOKEN = re.compile(r"(?<![\w-])(?:[A-Za-z]{0,2}\d{1,3}|(?<!\w')[A-Za-z])(?![\w-])", re.ASCII)
_CODE = re.compile(r"[A-Za-z]{1,2}\d{1,3}", re.ASCII)


class Shown:
    """What one text shows.

    Args:
        text: an observation.
        words: whether its first words, besides members of lists, may fill a hole.

    >>> Shown("Stops A, B and C; gauges g1..g3.").like("g2")
    ['g1', 'g2', 'g3']
    """

    def __init__(self, text: str, *, words: bool = False) -> None:
        text = text[:MOST_TEXT]
        self.lists = [_BETWEEN.split(found) for found in _LIST.findall(text)]
        """Members of every list, as in "a lamp, rope and oil"."""
        self.tokens = list(dict.fromkeys([*_TOKEN.findall(text), *_counted(text)]))
        """Numbers, single letters, and codes such as ``g4``."""
        self.words = list(dict.fromkeys([*itertools.chain(*self.lists), *(mentions.words_of(text) if words else ())]))
        """What may fill a hole that says nothing about what fills it."""

    @property
    def numbers(self) -> list[str]:
        """The numbers, small to large."""
        return list(map(str, sorted({int(token) for token in self.tokens if token.isdecimal()})))

    def __or__(self, other: Shown) -> Shown:
        """What two texts show, this one first."""
        both = copy.copy(self)
        both.lists = [*self.lists, *other.lists]
        both.tokens = list(dict.fromkeys([*self.tokens, *other.tokens]))
        both.words = list(dict.fromkeys([*self.words, *other.words]))
        return both

    def like(self, word: str) -> Sequence[str]:
        """Values of the kind of ``word``: numbers, letters, codes, members of its list; for a hole, all of these."""
        if word.isdecimal():
            return self.numbers
        letters = self.letters(word)
        if word in NUMERIC:
            return [*self.numbers, *letters] if self.numbers else [*letters, *self.words]
        if letters:
            return letters
        if _CODE.fullmatch(word):
            return self._codes(word)
        if mentions.is_hole(word):
            # "turn LEFT" may mean just that, in an environment that writes its commands in capitals.
            return [*([word] if word.isupper() else []), *self.words, *self.numbers]
        listed = next((found for found in self.lists if word in found), [])
        return list(dict.fromkeys([*listed, *(_COMPASS if word in _COMPASS else ())]))

    def letters(self, word: str) -> list[str]:
        """Single letters of the same case, where ``word`` is one."""
        if len(word) != 1 or not word.isalpha():
            return []
        return sorted(t for t in self.tokens if len(t) == 1 and t.isalpha() and t.isupper() == word.isupper())

    def _codes(self, word: str) -> list[str]:
        """Letters with a number: those that are shown, or else every letter with every number."""
        found = {t for t in self.tokens if _CODE.fullmatch(t) and t[0].isupper() == word[0].isupper()}
        if len(found) < 3:
            letters = dict.fromkeys([*self.letters(word[0]), word[0]])
            found |= {letter + number for letter in letters for number in self.numbers[:MOST_VALUES]}
        return sorted(found, key=lambda code: (len(code), code))


def _counted(text: str) -> Iterator[str]:
    """Members of ranges ("1 to 9", "g1..g5", "A to H") and coordinates of grids ("8 by 8")."""
    for prefix, low, high in dict.fromkeys(_RANGE.findall(text)):
        yield from (f"{prefix}{number}" for number in range(int(low), min(int(high), int(low) + LONGEST_RANGE) + 1))
    for start, end in dict.fromkeys(_LETTERS.findall(text)):
        yield from map(chr, range(ord(start), ord(end) + 1))
    for sides in dict.fromkeys(_SIDES.findall(text)):
        yield from map(str, range(max(map(int, sides)) + 1))
