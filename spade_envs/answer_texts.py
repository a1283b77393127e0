"""Answers as texts: what an action submits, what it looks like, and where an observation shows it.

A blind player knows the shape of right answers after a few episodes, and so may the gate: candidates of that shape
are what a guess is drawn from.
"""

from __future__ import annotations

import collections
import functools
import itertools
import re
from collections.abc import Iterable, Sequence

from .actions import between, last_boxed

_TOKEN = re.compile(
    r"[-+]?\$?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:/\d+)?%?(?:(?=[A-Za-z]{1,3}(?!\w))|(?![A-Za-z_\d]))|[^\W_](?:[\w'-]*\w)?|_+|[^\w\s]"
)
_WHOLE = re.compile(r"\.0+$")
_WORD = re.compile(r"\w", re.UNICODE)
_SEPARATORS = (" -> ", "->", ", ", ",", "; ", ";", " | ", "|", " ", "-")
_SHAPES = (
    ("integer", re.compile(r"[-+]?\d+")),
    ("decimal", re.compile(r"[-+]?\d*\.\d+")),
    ("fraction", re.compile(r"[-+]?\d+/\d+")),
    ("letter", re.compile(r"[A-Za-z]")),
    ("code", re.compile(r"(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[\w.:#/-]+")),
    ("capitals", re.compile(r"[A-Z]{2,}")),
    ("name", re.compile(r"[A-Z][\w'-]+")),
    ("word", re.compile(r"[^\W\d_][\w'-]*")),
)
MOST_TOKENS = 4000


def answer_of(action: str) -> str | None:
    """What an action submits as an answer: the inside of its last box, or of its answer tags.

    >>> answer_of("\\\\boxed{42}"), answer_of("<answer> done </answer>"), answer_of("hm")
    ('42', 'done', None)
    """
    inside = last_boxed(action)
    if inside is None:
        inside = next(iter(between(action, "<answer>", "</answer>")), None)
    return None if inside is None else inside.strip()


def as_action(answer: str, contract: str) -> str:
    """Submit an answer in the manner of a contract."""
    return f"<answer>{answer}</answer>" if contract == "tools" else f"\\boxed{{{answer}}}"


def tokens(text: str) -> list[str]:
    """Words, numbers and signs of a text, lower case, numbers without ``,`` and ``$``; at most 4,000.

    >>> tokens("Pay $1,200 now!")
    ['pay', '1200', 'now', '!']
    """
    return list(_tokens(text))


@functools.lru_cache(maxsize=512)  # a check asks about the same texts again and again
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(_plain(match.group()) for match in itertools.islice(_TOKEN.finditer(text), MOST_TOKENS))


def _plain(token: str) -> str:
    if token[-1:].isdigit():
        token = _WHOLE.sub("", token.replace("$", "").replace(",", "")) or token
    return token.lower()


def shape(text: str) -> str:
    """What kind of text it is: ``integer``, ``name``, ``word``, ...; ``text`` for anything longer.

    >>> [shape(text) for text in ("12", "B", "Ann", "R2-D2", "a b")]
    ['integer', 'letter', 'name', 'code', 'text']
    """
    return next((name for name, pattern in _SHAPES if pattern.fullmatch(text)), "text")


def parts(answer: str) -> tuple[str, list[str]]:
    """Separator and items of an answer that is a list; an empty separator for a single item.

    >>> parts("3, 1, 2"), parts("12")
    ((', ', ['3', '1', '2']), ('', ['12']))
    """
    for separator in _SEPARATORS:
        items = [item.strip() for item in answer.split(separator)]
        if len(items) > 1 and all(items):
            return separator, items
    return "", [answer]


def candidates(text: str, kinds: Iterable[str], common: frozenset[str] = frozenset()) -> list[str]:
    """Pieces of a text that have one of these shapes, as written, without repeats, without ``common`` ones.

    >>> candidates("Ann met Bo at 12.", {"name"})
    ['Ann', 'Bo']
    """
    wanted = set(kinds)
    found: dict[str, None] = {}
    for match in itertools.islice(_TOKEN.finditer(text), MOST_TOKENS):
        piece = match.group().replace("$", "").replace(",", "").rstrip("%'")
        if shape(piece) in wanted and piece.lower() not in common:
            found.setdefault(piece)
    return list(found)


def template(texts: Sequence[str]) -> frozenset[str]:
    """Tokens that nearly every one of several texts holds: they belong to the telling, not to the instance."""
    counts = collections.Counter(token for text in texts for token in set(tokens(text)))
    return frozenset(token for token, count in counts.items() if count > 0.8 * len(texts))


def holds(text: Sequence[str], answer: Sequence[str]) -> bool:
    """Whether the tokens of an answer stand in a row among those of a text."""
    return any(True for _ in places(text, answer))


def places(text: Sequence[str], answer: Sequence[str]) -> Iterable[int]:
    """Where in a text the tokens of an answer stand in a row."""
    if not answer:
        return
    first, size = answer[0], len(answer)
    for at, token in enumerate(text):
        if token == first and list(text[at : at + size]) == list(answer):
            yield at


def is_wordy(text: str) -> bool:
    """Whether it holds a letter or a digit at all."""
    return bool(_WORD.search(text))


def best_slot(texts: Sequence[Sequence[str]], answers: Sequence[Sequence[str]]) -> float:
    """How often the answer stands in the best of all fixed places: after the same words, or so far from an end.

    An option among others stands anywhere; an answer that was left in a text by mistake stands in its place.

    >>> best_slot([["a", "is", "1"], ["b", "is", "2"]], [["1"], ["2"]])
    1.0
    """
    counts: collections.Counter[tuple[object, ...]] = collections.Counter()
    for text, answer in zip(texts, answers, strict=True):
        slots: set[tuple[object, ...]] = set()
        for at in itertools.islice(places(text, answer), 8):
            end = at + len(answer)
            slots |= {("from start", at), ("from end", len(text) - at)}
            for size in (1, 2, 3):
                before, after = tuple(text[max(0, at - size) : at]), tuple(text[end : end + size])
                slots.add(("after", before, _nth(text, before, at - len(before))))
                if size > 1:
                    slots.add(("before", after, _nth(text, after, end)))
        counts.update(slots)
    return max(counts.values(), default=0) / max(1, len(texts))


def _nth(text: Sequence[str], context: tuple[str, ...], at: int) -> int:
    """How many times the context stood before this place."""
    size = len(context)
    return sum(tuple(text[i : i + size]) == context for i in range(max(0, at)))
