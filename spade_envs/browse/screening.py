"""The one way hostile text reaches the page.

Markup in it is escaped. What would be invisible, reorder what is read (Unicode technical report 36) or act on a
terminal it is copied to becomes a visible escape, and what is long is cut, with a count.
"""

from __future__ import annotations

import re
import unicodedata

from markupsafe import Markup, escape

MOST = 20_000
"""Characters of a text that are shown before it is cut."""
STACKED = 3
"""Combining marks on one letter; more would climb over the lines above."""

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters and marks that look like nothing, though Unicode calls them printable."""
_JOINER = "\u200d"
_SUSPECT = re.compile(r"[^\x20-\x7e\n\t]")


def escapes(text: str, *, limit: int | None = None) -> str:
    """``text`` with visible escapes in place of what is invisible or acts; for attributes and JSON.

    >>> escapes("a\\u202eb\\x1b[0m")
    'a\\\\u202eb\\\\x1b[0m'
    """
    cut = text if limit is None or len(text) <= limit else f"{text[:limit]}…"
    if not _SUSPECT.search(cut):
        return cut
    return "".join(part for part, _ in _parts(cut))


def screened(text: str, *, limit: int | None = MOST, whole: str = "") -> Markup:
    """``text`` as markup that shows it and does nothing else.

    Args:
        text: anything.
        limit: characters to show at most; ``None`` for all.
        whole: address of the whole text, linked where it is cut.

    >>> screened("<b>\\u200b")
    Markup('&lt;b&gt;<span class="escape">\\\\u200b</span>')
    """
    cut = len(text) - limit if limit is not None else 0
    text = text[:limit] if cut > 0 else text
    if _SUSPECT.search(text):
        parts = (_ESCAPE.format(part) if strange else escape(part) for part, strange in _parts(text))
        shown = Markup("").join(parts)
    else:
        shown = escape(text)
    if cut <= 0:
        return shown
    more = Markup(' <a href="{}">show all</a>').format(whole) if whole else ""
    return shown + Markup('<span class="cut">… {} more characters{}</span>').format(f"{cut:,}", more)


_ESCAPE = Markup('<span class="escape">{}</span>')


def _parts(text: str) -> list[tuple[str, bool]]:
    """Runs of plain text, and runs of escapes (marked true)."""
    parts: list[tuple[str, bool]] = []
    escaped: list[str] = []  # joined once: a text of nothing but escapes must not take the square of its length
    start, marks = 0, 0
    for at, letter in enumerate(text):
        if letter.isascii() and (letter.isprintable() or letter in "\n\t"):
            marks = 0
            continue
        marks = marks + 1 if unicodedata.category(letter).startswith("M") else 0
        if letter.isprintable() and letter not in _BLANK and marks <= STACKED:
            continue
        if letter == _JOINER and _joins(text, at):
            continue
        if start < at:
            if escaped:
                parts.append(("".join(escaped), True))
                escaped = []
            parts.append((text[start:at], False))
        if unicodedata.category(letter) == "Zs":
            if escaped:
                parts.append(("".join(escaped), True))
                escaped = []
            parts.append((" ", False))
        else:
            escaped.append(letter.encode("unicode_escape").decode("ascii"))
        start = at + 1
    if escaped:
        parts.append(("".join(escaped), True))
    return [*parts, (text[start:], False)] if start < len(text) else parts


def _joins(text: str, at: int) -> bool:
    """Whether the joiner at ``at`` stands between two letters that are not ASCII, as in emoji and Indic scripts."""
    around = text[at - 1 : at] + text[at + 1 : at + 2]
    return len(around) == 2 and not any(one.isascii() or one == _JOINER for one in around)
