"""A text space for what language models and environments really say."""

from __future__ import annotations

import string
from typing import Any

import numpy as np
from gymnasium import spaces

_CHARSET = frozenset(string.ascii_letters + string.digits + string.punctuation + " ")


class UnicodeText(spaces.Text):
    """Any ``str`` of up to ``max_length`` characters, the empty one included; ``sample`` gives printable ASCII.

    ``gymnasium.spaces.Text`` lists its characters, which refuses most real text.

    >>> "naïve ✓" in UnicodeText(100)
    True
    """

    def __init__(self, max_length: int, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, min_length=0, charset=_CHARSET, seed=seed)

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is a string within the length."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A short printable text."""
        length = int(self.np_random.integers(0, min(self.max_length, 40) + 1))
        letters = sorted(_CHARSET)
        return "".join(letters[i] for i in self.np_random.integers(0, len(letters), size=length))

    def __repr__(self) -> str:
        return f"UnicodeText({self.max_length})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnicodeText) and other.max_length == self.max_length

    def __hash__(self) -> int:
        return hash((UnicodeText, self.max_length))
