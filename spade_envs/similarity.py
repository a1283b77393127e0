"""How much of two sources is the same code: MinHash signatures of what stays when names, texts and numbers are changed.

A source becomes a set of shingles, :data:`SHINGLE` tokens in a row; the similarity of two is the Jaccard similarity of
their sets. A signature estimates it from the least values that :data:`PERMUTATIONS` hash functions take on the set
(Broder, "On the resemblance and containment of documents", 1997), of which 16 bits each are kept (Li and König, "b-Bit
minwise hashing", 2010). For a similarity J the standard error is sqrt(J (1 - J) / 128): 0.035 at 0.8.

The tokens are Python's, read without parsing, so that every version of Python sees the same. Comments, docstrings,
layout, brackets and commas are dropped; each of the author's names becomes the same token, and so does each text and
each number: the same code about another theme is what has to be found. Python's own words, the methods of the contract,
names of methods that are called (``.append``) and what formatted texts compute stay as they are.
``benchmarks/bench_near.py`` measures what this finds, and what it takes for the same without reason.

The numbers in a signature depend on this file and on NumPy's integers only; :data:`FORMAT` must change with them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

FORMAT = 1
"""First byte of a signature. Signatures of different formats are not compared."""
PERMUTATIONS = 128
"""Hash functions of a signature."""
SHINGLE = 5
"""Tokens in a row that are compared together."""
BYTES = 1 + 2 * PERMUTATIONS
"""Length of a signature."""
LONGEST = 256 * 1024
"""Characters of a text above which it has no signature; the gate refuses such sources anyway."""
BANDS = 21
"""Keys of a signature."""
ROWS = 6
"""Values of a signature that a key is made of."""

_TEXT = (
    r"[rRbBuUfF]{0,2}(?:"
    r'"""(?:[^"\\]|\\(?:.|\Z)|"(?!""))*+(?:"""|\Z)'
    r"|'''(?:[^'\\]|\\(?:.|\Z)|'(?!''))*+(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\(?:.|\Z))*+"?'
    r"|'(?:[^'\\\n]|\\(?:.|\Z))*+'?)"
)
# Possessive throughout, and what is not closed runs to the end: no text takes more than a few passes.
_TOKENS = re.compile(
    rf"\s*+(?:((?:self)?\.[^\W\d]\w*+|[^\W\d]\w*+(?![\"'])|:[ \t\r]*+(?:\#[^\n]*+)?+\n\s*+{_TEXT}|{_TEXT}|[^\W\d]\w*+"
    r"|\#[^\n]*+|\d[\w.]*+|[^\s\w(),;\\]=?)|[(),;\\])|\s++",
    re.DOTALL,
)
"""Tokens in order, empty ones among them. A docstring is one token with the colon before it."""

_FIELD = re.compile(r"\{([^{}:!]++)")
"""What is computed in a formatted text, without its format."""

_KEPT = frozenset(
    """False None True and as assert async await break class continue def del elif else except finally for from global
    if import in is lambda nonlocal not or pass raise return try while with yield match case
    abs all any bool bytes callable chr complex dict divmod enumerate filter float format frozenset getattr hasattr
    hash int isinstance issubclass iter len list map max min next object ord pow print property range repr reversed
    round set setattr slice sorted staticmethod classmethod str sum super tuple type zip
    self seed action reset step solution hint get_tools max_turns __init__""".split()
)
"""Names that are not the author's: Python's words, its usual functions, and the contract's. Part of the format."""


def _drawn(label: str, count: int) -> NDArray[np.uint64]:
    """Fixed odd numbers that look random."""
    digests = [hashlib.blake2b(f"{label}:{i}".encode(), digest_size=8).digest() for i in range(count)]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64) | np.uint64(1)


_PLACES = _drawn("place", SHINGLE)
_FACTORS = _drawn("factor", PERMUTATIONS)
_TERMS = _drawn("term", PERMUTATIONS)
_CHUNK = 128
"""Shingles that are hashed at a time: what fits into a processor's cache."""


def _hashed(token: str) -> int:
    data = token.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little") | 1


_NAME, _NUMBER, _WORDS = ((_hashed(kind),) for kind in ("a name", "a number", "a text"))
_SIGNS = "+ - * / % = < > : [ ] { } . | & ^ ~ @ ! += -= *= /= == <= >= != := |=".split()
_COMMON: dict[str, tuple[int, ...]] = {"": ()} | {token: (_hashed(token),) for token in (*_KEPT, *_SIGNS)}


class _Values(dict[str, tuple[int, ...]]):
    """The values of every token: none for a comment, several for a text that computes; made when first met."""

    def __missing__(self, token: str) -> tuple[int, ...]:
        values = self[token] = _values(token)
        return values


def _values(token: str) -> tuple[int, ...]:
    first = token[0]
    if first == ".":
        return (_hashed(token),)
    if token.isidentifier() or token.startswith("self."):
        return _NAME
    if first == "#":
        return ()
    if first == ":":
        return _COMMON[":"]
    if "'" in token or '"' in token:
        prefix = token[:2].lower()
        return _WORDS + tuple(_computed(token)) if "f" in prefix else _WORDS
    return _NUMBER if first.isalnum() else (_hashed(token),)


def _computed(text: str) -> Iterator[int]:
    """A value for everything that a formatted text computes; that it names something is no computation."""
    for field in _FIELD.findall(text.replace("{{", "").replace("}}", "")):
        inner = [
            value
            for token in _TOKENS.findall(field)
            for value in (_COMMON[token] if token in _COMMON else _values(token))
        ]
        if inner and tuple(inner) != _NAME:
            yield _hashed(" ".join(map(str, inner)))


def signature(text: str) -> bytes:
    """The signature of a source, :data:`BYTES` long; empty for a text without code or longer than :data:`LONGEST`.

    A text that is no Python has one too. The time it takes grows with the length only, whatever the text is.

    >>> signature("total = 1  # one") == signature("count = (22)"), len(signature("x = 1")), signature("# nothing")
    (True, 257, b'')
    """
    if len(text) > LONGEST:
        return b""
    tokens = np.array(_read(text), dtype=np.uint64)
    if not len(tokens):
        return b""
    length = min(SHINGLE, len(tokens))
    count = len(tokens) - length + 1
    shingles = np.zeros(count, dtype=np.uint64)
    for place in range(length):
        shingles += tokens[place : place + count] * _PLACES[place]
    shingles ^= shingles >> np.uint64(32)
    least = np.full(PERMUTATIONS, np.iinfo(np.uint64).max, dtype=np.uint64)
    for start in range(0, count, _CHUNK):
        hashed = shingles[start : start + _CHUNK, None] * _FACTORS
        hashed += _TERMS
        np.minimum(least, hashed.min(axis=0), out=least)
    # The high bits of a least value are nearly always 0; the low ones tell whose it is.
    return bytes([FORMAT]) + (least & np.uint64(0xFFFF)).astype("<u2").tobytes()


def _read(text: str) -> list[int]:
    """Values of all tokens in order. A text may be written in pieces; one at the very beginning is a docstring."""
    found: list[int] = []
    values, in_text = _Values(_COMMON), True
    for token in _TOKENS.findall(text.removeprefix("\ufeff")):
        several = values[token]
        if several[:1] == _WORDS:
            found += several[1:] if in_text else several
            in_text = True
        elif several:
            found += several
            in_text = False
    return found


def similarity(a: bytes, b: bytes) -> float:
    """Estimated Jaccard similarity of two signatures, in [0, 1]; 0 where one is empty or of another format.

    >>> one = signature("def f(x): return x + 1")
    >>> similarity(one, one), similarity(one, b"")
    (1.0, 0.0)
    """
    if not (is_signature(a) and is_signature(b)):
        return 0.0
    same = np.frombuffer(a, dtype="<u2", offset=1) == np.frombuffer(b, dtype="<u2", offset=1)
    return float(np.count_nonzero(same)) / PERMUTATIONS


def is_signature(data: bytes) -> bool:
    """Whether this is a signature of the format of this version."""
    return len(data) == BYTES and data[0] == FORMAT


def bands(signature: bytes) -> tuple[int, ...]:
    """Keys from 0 to 2^63 - 1 for locality-sensitive hashing: sources that are alike share at least one.

    With 21 bands of 6 values two sources of similarity J share one with probability 1 - (1 - J^6)^21: 0.04 at 0.35,
    0.28 at 0.5, 0.80 at 0.65, 0.93 at 0.7, 0.998 at 0.8 and nearly 1 above (Leskovec, Rajaraman and Ullman, "Mining of
    Massive Datasets", section 3.4). Empty for what is no signature of this format.
    """
    if not is_signature(signature):
        return ()
    width = 2 * ROWS
    parts = [bytes([FORMAT, band]) + signature[1 + band * width : 1 + (band + 1) * width] for band in range(BANDS)]
    return tuple(int.from_bytes(hashlib.blake2b(part, digest_size=8).digest(), "little") >> 1 for part in parts)
