"""What texts and states name: commands that an observation offers, and scalars that a state holds.

Pure functions on plain values, for both sides of the box.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from typing import Any

MOST_VERBS = 30
MOST_TEXT = 40_000
"""Characters of a text that are searched for commands."""
MOST_TOKENS = 20
MOST_PARTS = 20_000
"""Parts of a value that are looked at."""
LONGEST_INT = 256
"""Bits of a whole number that is still a scalar worth looking at."""

_BOXED = re.compile(r"\\boxed\{([^{}]{1,80})\}")
_QUOTED = re.compile(r"[`'\"]([^`'\"\n]{1,40})[`'\"]")
_UPPER = re.compile(r"\b[A-Z][A-Z_]{1,15}\b")
# Every repetition is bounded, and none crosses lines it need not: observations may be hostile, and long.
_BULLET = re.compile(r"^[ \t]{0,12}(?:[-*\u2022]|\d{1,4}[.)])[ \t]{0,12}([A-Za-z_][\w ]{0,30})", re.MULTILINE)
_LISTED = re.compile(r"(?:commands?|actions?|moves?|options?)[^:\n]{0,40}:\s*([^\n]{1,200})", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z0-9_][\w-]*")
_PLACEHOLDER = re.compile(r"^(?:<[^<>]*>|\[[^\[\]]*\]|[A-Z_]{1,12}|your[_ ].*|answer|command|action|\.\.\.)$")


def scalars(value: Any, depth: int = 3, most: int = 40) -> list[Any]:
    """Numbers and short texts inside a value, in order of depth, without repeats."""
    found: list[Any] = []
    seen: set[tuple[type, Any]] = set()
    stack: list[tuple[Any, int]] = [(value, depth)]
    at = 0
    while at < len(stack) and len(found) < most:
        item, level = stack[at]
        at += 1
        if type(item) is int and item.bit_length() > LONGEST_INT:
            continue  # writing it down may take for ever, or raise
        if type(item) in (int, float) or (type(item) is str and 0 < len(item) <= 60):
            if (type(item), item) not in seen:
                seen.add((type(item), item))
                found.append(item)
        elif level > 0 and len(stack) < MOST_PARTS:
            stack.extend((part, level - 1) for part in itertools.islice(_parts(item), 80))
    return found


def _parts(item: Any) -> Iterator[Any]:
    if type(item) is dict:
        yield from itertools.chain.from_iterable(item.items())
    elif type(item) in (list, tuple, set, frozenset):
        yield from item
    elif not isinstance(item, type):
        values = getattr(item, "__dict__", None)
        yield from values.values() if type(values) is dict else ()


@functools.lru_cache(maxsize=64)
def _marked(text: str) -> tuple[tuple[str, ...], ...]:
    """Texts that are boxed, quoted, in a list, in capitals, and after "commands:"."""
    marks = [tuple(match.strip() for match in kind.findall(text)) for kind in (_BOXED, _QUOTED, _BULLET, _UPPER)]
    lists = [re.split(r"[,;/|]| or ", listed) for listed in _LISTED.findall(text)]
    return (*marks, tuple(part.strip(" .`'\"") for parts in lists for part in parts))


def boxed(text: str) -> list[str]:
    """What a text puts into boxes, in order, without repeats."""
    return list(dict.fromkeys(_marked(text[:MOST_TEXT])[0]))


def is_hole(word: str) -> bool:
    """Whether a word of a command stands for an argument.

    >>> is_hole("DIRECTION"), is_hole("north")
    (True, False)
    """
    return _PLACEHOLDER.match(word) is not None


def named(task: str, observation: str) -> list[str]:
    """Texts that two texts mark as commands, by the manner in which they do."""
    both = zip(_marked(task[:MOST_TEXT]), _marked(observation[:MOST_TEXT]), strict=True)
    verbs = dict.fromkeys(match for first, second in both for match in (*first, *second))
    # What stands in the hole of a command is no command.
    holes = {word for verb in verbs for word in verb.split()[1:] if is_hole(word)}
    return [verb for verb in list(verbs)[:MOST_VERBS] if 0 < len(verb.split()) <= 4 and verb not in holes]


def words_of(text: str) -> list[str]:
    """Different words of a text that may be arguments, the first twenty."""
    return [token for token in dict.fromkeys(_TOKEN.findall(text)) if len(token) <= 20][:MOST_TOKENS]


def commands(task: str, observation: str) -> list[str]:
    """Boxed commands named by the texts, plain and with arguments seen in the latest one in their holes.

    >>> commands("Commands: look, take", "A lamp.")[:2]
    ['\\\\boxed{look}', '\\\\boxed{look A}']
    """
    tokens = words_of(observation)
    actions: dict[str, None] = {}
    for verb in named(task, observation):
        words = verb.split()
        holes = [i for i, word in enumerate(words) if i and is_hole(word)]
        if not holes:
            actions.setdefault(f"\\boxed{{{verb}}}")
        for token in tokens if holes or len(words) == 1 else []:
            filled = [token if i in holes else word for i, word in enumerate(words)] if holes else [verb, token]
            actions.setdefault(f"\\boxed{{{' '.join(filled)}}}")
    return list(actions)


def offers(task: str, observation: str) -> list[tuple[str, ...]]:
    """Commands that the texts offer, word by word; an empty word is a hole for an argument.

    >>> offers("Say \\\\boxed{go DIRECTION} or \\\\boxed{wait}.", "")
    [('go', ''), ('wait',)]
    """
    found: dict[tuple[str, ...], None] = {}
    for verb in named(task, observation):
        words = verb.split()
        found.setdefault(tuple("" if i and is_hole(word) else word for i, word in enumerate(words)))
    return list(found)
