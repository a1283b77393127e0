"""Sources shown to a designer within a number of tokens: whole, or as an outline that is Python still.

An outline keeps signatures, and bodies whole or not at all: half a function teaches faults.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
import warnings
from collections.abc import Callable, Iterator, Sequence

from ..encodings import CHARACTERS_PER_TOKEN, encoding
from ..sandbox.source import PARSING
from ..types import EnvSource

BYTES_PER_TOKEN = 3
"""Bytes of a source that are taken for a token where no encoding is at hand; of Python a token holds 3 to 4."""
LONGEST_SOURCE = 128 * 1024
"""Characters of a source that is outlined: what the gate takes. Longer ones are not even parsed."""
KEPT_FIRST = ("step", "reset", "solution", "__init__")
"""Methods whose bodies are kept first, in this order: what the task is."""
LONG = 200
"""Characters of a statement outside of functions, or of the value it assigns, from which on it may be left out."""
LONGEST_DOCSTRING = 120
"""Characters of a docstring's first line."""
MOST_TRIES = 48
"""Parts that are tried to be kept, beside those of :data:`KEPT_FIRST`: counting tokens takes time."""

_LINE_END = re.compile(rb"\r\n|\r|\n")
_Body = ast.FunctionDef | ast.AsyncFunctionDef


@functools.cache
def source_counter(name: str = "cl100k_base") -> Callable[[str], int]:
    """Count the tokens of a source as tiktoken's encoding ``name`` does; where its file is not at hand, estimate.

    >>> source_counter("bytes")("x = 1\\n")
    2
    """
    found = encoding(name)
    if found is None:
        return lambda text: -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)
    return lambda text: len(found.encode_ordinary(text.encode("utf-8", "replace").decode("utf-8")))


def outlined(source: EnvSource, tokens: int, count: Callable[[str], int] | None = None) -> str | None:
    """The whole text of ``source`` when it has at most ``tokens`` tokens, else an outline of it that has.

    An outline is the source with ``...`` for bodies of functions and for long statements outside of them; docstrings of
    what is left out keep their first line. Bodies are kept whole while they fit: first of :data:`KEPT_FIRST`, then of
    other functions, in their order. It is a function of the text, of ``tokens`` and of what counts.

    Args:
        source: any text; one that does not parse is returned whole or not at all.
        tokens: at most so many.
        count: counts the tokens of a text; :func:`source_counter` unless given.

    Returns:
        Python, or ``None`` when even the signatures do not fit.

    >>> source = EnvSource("def add(a, b):\\n    '''Add.'''\\n    return a + b\\n\\ndef step(a):\\n    return a\\n")
    >>> print(outlined(source, 24, source_counter("bytes")))
    def add(a, b):
        \"""Add.\"""
        ...
    <BLANKLINE>
    def step(a):
        return a
    <BLANKLINE>
    """
    count = count or source_counter()
    if _fits(source.text, tokens, count):
        return source.text
    text = source.text.removeprefix("\ufeff")
    tree = _parsed(text)
    if tree is None:
        return None
    found = _Outline(text, tree).within(lambda outline: _fits(outline, tokens, count))
    return found if found is not None and _parsed(found) is not None else None


def _fits(text: str, tokens: int, count: Callable[[str], int]) -> bool:
    # Counting a hostile text may take very long: no more is counted than could ever fit.
    return len(text) <= tokens * CHARACTERS_PER_TOKEN and count(text) <= tokens


def _parsed(text: str) -> ast.Module | None:
    if len(text) > LONGEST_SOURCE:
        return None
    try:
        with PARSING, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return None


@dataclasses.dataclass(frozen=True)
class _Part:
    """What can be left out: bytes ``start`` to ``end``, for which ``instead`` stands then."""

    start: int
    end: int
    instead: bytes
    rank: int
    """Smaller ones are kept first."""


class _Outline:
    """A text and the parts of it that can be left out; parts do not overlap."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self._text = text.encode("utf-8")
        self._lines = [0, *(match.end() for match in _LINE_END.finditer(self._text))]
        self._parts = sorted(self._in_block(tree), key=lambda part: part.start)

    def within(self, fits: Callable[[str], bool]) -> str | None:
        """The outline that keeps most, or ``None`` when nothing fits."""
        kept: set[_Part] = set()
        best = self._without(kept)
        if not fits(best):
            return None
        tried = 0
        for part in sorted(self._parts, key=lambda part: (part.rank, part.start)):
            tried += part.rank >= len(KEPT_FIRST)
            if tried > MOST_TRIES:
                break
            if fits(more := self._without(kept | {part})):
                kept, best = kept | {part}, more
        return best

    def _without(self, kept: set[_Part]) -> str:
        pieces, at = [], 0
        for part in self._parts:
            if part not in kept:
                pieces += [self._text[at : part.start], part.instead]
                at = part.end
        return b"".join([*pieces, self._text[at:]]).decode("utf-8")

    def _in_block(self, block: ast.Module | ast.ClassDef) -> Iterator[_Part]:
        body: Sequence[ast.stmt] = block.body
        if _docstring(body) is not None:
            yield self._part(body[0], body[0], _quoted(_docstring(body)), len(KEPT_FIRST) + 1)
            body = body[1:]
        for one in body:
            if isinstance(one, ast.ClassDef):
                yield from self._in_block(one)
            elif isinstance(one, _Body):
                yield self._in_function(one)
            elif self._size(one) > LONG:
                value = getattr(one, "value", None) if isinstance(one, ast.Assign | ast.AnnAssign) else None
                yield self._part(value or one, value or one, b"...", len(KEPT_FIRST) + 1)

    def _in_function(self, function: _Body) -> _Part:
        rank = KEPT_FIRST.index(function.name) if function.name in KEPT_FIRST else len(KEPT_FIRST)
        first, said = function.body[0], _docstring(function.body)
        instead = b"..."
        if said is not None:
            start = self._start(first)
            margin = self._text[self._line_start(start) : start]
            # A body may stand behind its signature, on the same line.
            between = b"; " if margin.strip() else b"\n" + margin
            instead = _quoted(said) + between + instead
        return self._part(first, function.body[-1], instead, rank)

    def _part(self, first: ast.stmt | ast.expr, last: ast.stmt | ast.expr, instead: bytes, rank: int) -> _Part:
        return _Part(self._start(first), self._end(last), instead, rank)

    def _size(self, node: ast.stmt) -> int:
        return self._end(node) - self._start(node)

    def _start(self, node: ast.stmt | ast.expr) -> int:
        decorators = getattr(node, "decorator_list", None)
        if decorators:
            node = decorators[0]
            return self._text.rindex(b"@", 0, self._lines[node.lineno - 1] + node.col_offset)
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.stmt | ast.expr) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None, "the parser sets them"
        return self._lines[node.end_lineno - 1] + node.end_col_offset

    def _line_start(self, at: int) -> int:
        return max(self._text.rfind(b"\n", 0, at), self._text.rfind(b"\r", 0, at)) + 1


def _docstring(body: Sequence[ast.stmt]) -> str | None:
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.value.value
    return None


def _quoted(docstring: str | None) -> bytes:
    said = (docstring or "").lstrip().partition("\n")[0].rstrip()
    said = said if len(said) <= LONGEST_DOCSTRING else f"{said[: LONGEST_DOCSTRING - 4]} ..."
    plain = said.isprintable() and not set('\\"') & set(said)
    return (f'"""{said}"""' if plain else ascii(said)).encode("utf-8")
