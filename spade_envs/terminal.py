"""The one way hostile text reaches a terminal.

Source, observations, messages and model replies may hold escape sequences, bidirectional marks that reorder what is
read, or markup. :func:`tame` makes all of that visible; :func:`shown` wraps the result so that no markup is read.
"""

from __future__ import annotations

import unicodedata

from rich.text import Text

# Format characters that reorder or hide text; the zero-width joiner stays, since emoji need it.
_KEPT_FORMATS = frozenset("\u200d")


def tame(text: str, *, limit: int | None = None) -> str:
    """Text with nothing left that a terminal would act on: newline and tab stay, the rest becomes visible escapes.

    Args:
        text: anything.
        limit: characters to show at most; the rest is counted.

    >>> tame("a\\x1b[31mb\\u202ec\\r\\n")
    'a\\\\x1b[31mb\\\\u202ec\\\\r\\n'
    """
    cut = 0
    if limit is not None and len(text) > limit:
        cut = len(text) - limit
        text = text[:limit]
    if not text.isprintable():
        text = "".join(_visible(letter) for letter in text)
    return f"{text} … ({cut} more characters)" if cut else text


def _visible(letter: str) -> str:
    if letter in "\n\t" or letter.isprintable() or letter in _KEPT_FORMATS:
        return letter
    if unicodedata.category(letter) == "Zs":
        return " "
    return letter.encode("unicode_escape").decode("ascii")


def shown(text: str, style: str = "", *, limit: int | None = None) -> Text:
    """:func:`tame` d text for rich, whose markup is not read."""
    return Text(tame(text, limit=limit), style=style)
