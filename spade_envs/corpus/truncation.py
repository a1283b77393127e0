"""Documents cut to a number of tokens, where a reader would cut them."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ..encodings import CHARACTERS_PER_TOKEN, encoding
from .documents import Document

Boundary = Literal["whole", "paragraph", "sentence", "word", "character", "nothing"]

_PARAGRAPH = re.compile(r"\r?\n[ \t\r]*\n")
_SENTENCE = re.compile(r"[.!?…][\"'”’)\]]*(?=\s)|[。！？]")
_WORD = re.compile(r"\s+")


@dataclass(frozen=True)
class Truncated:
    """The beginning of a text, and how much of it was cut off."""

    text: str
    tokens: int
    """Of what is kept, by the counter that was given."""
    characters: int
    """Of the whole text; ``len(text)`` of them are kept."""
    boundary: Boundary
    """What the cut follows; ``whole`` when nothing was cut, ``nothing`` when not one character fits."""

    @property
    def cut(self) -> int:
        """Characters that were cut off."""
        return self.characters - len(self.text)


@functools.cache
def token_counter(name: str = "cl100k_base") -> Callable[[str], int]:
    """Count tokens as tiktoken's encoding ``name`` does; where its file is not at hand, count bytes.

    A token holds at least one byte, so bytes never let more through than was allowed. Nothing is downloaded.

    >>> token_counter("bytes")("Zürich")
    7
    """
    found = encoding(name)
    if found is None:
        return lambda text: len(text.encode("utf-8", "replace"))
    return lambda text: len(found.encode_ordinary(text.encode("utf-8", "replace").decode("utf-8")))


def truncated(document: Document | str, tokens: int, count: Callable[[str], int] | None = None) -> Truncated:
    """The longest beginning of at most ``tokens`` tokens that ends well.

    It ends with a paragraph, a sentence or a word, the first of these that keeps at least half of what fits; else
    between two characters as people see them (grapheme clusters, Unicode Standard Annex 29). No more than 16 characters
    per token are looked at, since counting a hostile text may take very long.

    Args:
        document: a document or its text.
        tokens: at most so many.
        count: counts the tokens of a text, such as a server's tokenizer; without it :func:`token_counter` does.

    Raises:
        ValueError: when ``tokens`` is below 1.

    >>> cut = truncated("One is odd. Two is even. Three is odd again.", 26, token_counter("bytes"))
    >>> cut.text, cut.boundary, cut.cut
    ('One is odd. Two is even.', 'sentence', 20)
    """
    text = document if isinstance(document, str) else document.text
    if operator.index(tokens) < 1:
        raise ValueError(f"tokens must be at least 1, not {tokens}")
    if not text:
        return Truncated("", 0, 0, "whole")
    count = count or token_counter()
    window = text[: tokens * CHARACTERS_PER_TOKEN]
    if len(window) == len(text) and (needed := count(text)) <= tokens:
        return Truncated(text, needed, len(text), "whole")
    fits = _longest(window, tokens, count)
    while fits > 0:
        end, boundary = _cut(text, fits)
        kept = text[:end].rstrip()
        # Counts need not grow with the text: what is kept is counted itself.
        if not kept:
            break
        if (needed := count(kept)) <= tokens:
            return Truncated(kept, needed, len(text), boundary)
        fits = len(kept) - 1 - len(kept) // 16
    return Truncated("", 0, len(text), "nothing")


def _longest(window: str, tokens: int, count: Callable[[str], int]) -> int:
    """Characters of the longest beginning that fits, by bisection."""
    low, high = 0, len(window)
    if count(window) <= tokens:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if count(window[:middle]) <= tokens:
            low = middle
        else:
            high = middle
    return low


def _cut(text: str, fits: int) -> tuple[int, Boundary]:
    """Where to cut, at most ``fits`` characters on, and what lies before the cut."""
    look = text[: fits + 2]  # a blank line or white space after the last character that fits
    half = fits / 2
    ways: tuple[tuple[Boundary, re.Pattern[str], bool], ...] = (
        ("paragraph", _PARAGRAPH, False),
        ("sentence", _SENTENCE, True),
        ("word", _WORD, False),
    )
    for boundary, pattern, after in ways:
        ends = [match.end() if after else match.start() for match in pattern.finditer(look)]
        good = [end for end in ends if half <= end <= fits]
        if good and _grapheme_start(text, good[-1]) == good[-1]:
            return good[-1], boundary
    return _grapheme_start(text, fits), "character"


def _grapheme_start(text: str, at: int) -> int:
    """The last place up to ``at`` where no character as people see it is cut in two."""
    import regex

    if at >= len(text):
        return len(text)
    line = text.rfind("\n", 0, at) + 1  # a newline ends every cluster
    begin = line
    for match in regex.compile(r"\X").finditer(text, line):
        begin = match.start() if match.end() > at else match.end()
        if match.end() >= at:
            break
    # In a Python string the halves of a surrogate pair are two characters.
    if 0 < begin < len(text) and "\ud800" <= text[begin - 1] <= "\udbff" and "\udc00" <= text[begin] <= "\udfff":
        begin -= 1
    return begin
