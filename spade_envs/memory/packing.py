"""Values on their way into the file and out of it: hashes as 32 bytes, texts compressed, words to search for."""

from __future__ import annotations

import json
import re
import zlib
from typing import TypeVar

from ..codec import from_json, to_json
from ..errors import StoreError
from ..types import EnvSource, Episode, Probe, Report

LEVEL = 5
"""Of the compression."""
LONGEST = 64 * 1024 * 1024
"""Bytes of one value; a file from elsewhere may hold one that grows without end."""
INDEXED = 256 * 1024
"""Characters of a source whose words are searched for."""

_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
_CLASS = re.compile(r"^class[ \t]+(\w{1,200})", re.MULTILINE)
_PART = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_WORD = re.compile(r"\w+")

Body = TypeVar("Body", Report, Probe, Episode)


def hash_in(sha256: str) -> bytes | str:
    """A hash as bytes; anything else, which an author may have written, as text.

    >>> hash_in("ab" * 32) == b"\\xab" * 32, hash_in("the one before")
    (True, 'the one before')
    """
    return bytes.fromhex(sha256) if _HASH.fullmatch(sha256) else storable(sha256)


def hash_out(value: bytes | str | None) -> str:
    """What :func:`hash_in` took; empty for ``None``."""
    return value.hex() if isinstance(value, bytes) else value or ""


def storable(text: str) -> str:
    """Text without lone surrogates: SQLite keeps UTF-8, which has none. Sources are kept as bytes, exactly."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def text_in(text: str) -> bytes:
    """Text as it is kept."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), LEVEL)


def text_out(body: bytes) -> str:
    """Text as it was.

    Raises:
        StoreError: it is damaged, or larger than :data:`LONGEST`.
    """
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(body, LONGEST)
        if unpacker.unconsumed_tail or not unpacker.eof:
            raise StoreError(f"a text in the memory is cut off or has more than {LONGEST} bytes; restore a copy")
        return data.decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError, TypeError) as error:
        raise StoreError(f"a text in the memory is damaged: {error}; restore a copy") from None


def body_in(value: Report | Probe | Episode) -> bytes:
    """A record as it is kept.

    Raises:
        StoreError: for a NaN in it.
    """
    try:
        return zlib.compress(json.dumps(to_json(value), allow_nan=False).encode("ascii"), LEVEL)
    except ValueError as error:
        raise StoreError(f"{type(value).__name__} cannot be kept: {error}; NaN is an error everywhere") from None


def body_out(cls: type[Body], body: bytes) -> Body:
    """A record as it was.

    Raises:
        StoreError: it is damaged.
    """
    try:
        return from_json(cls, json.loads(text_out(body)))
    except (ValueError, RecursionError) as error:
        raise StoreError(f"the memory holds a broken {cls.__name__}: {error}; restore a copy") from None


def name_of(text: str) -> str:
    """Name of the environment class: the first one that ends in Env, or the first.

    >>> name_of("class Crate:\\n    pass\\nclass BottlesEnv:\\n    pass\\n")
    'BottlesEnv'
    """
    names = _CLASS.findall(text[:INDEXED])
    return storable(next((name for name in names if name.endswith("Env")), names[0] if names else ""))


def words_of(source: EnvSource) -> tuple[str, str]:
    """What is searched for: words about a source, and the words of its text, each once."""
    name = name_of(source.text)
    about = [name, *_PART.findall(name), source.skill, source.contract, source.hint, source.document, source.made_by]
    about += [source.origin.run, source.origin.path]
    code = " ".join(dict.fromkeys(_WORD.findall(source.text[:INDEXED])))
    return storable(" ".join(about)), storable(code)
