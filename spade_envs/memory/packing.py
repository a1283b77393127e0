"""Values on their way into the file and out of it: hashes as 32 bytes, texts compressed, words to search for."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import TypeVar

import zstandard

from ..codec import from_json, to_json
from ..errors import StoreError
from ..types import EnvSource, Episode, Probe, Report

LEVEL = 3
"""Of the compression."""
LONGEST = 64 * 1024 * 1024
"""Bytes of one value; a file from elsewhere may hold one that grows without end."""
INDEXED = 256 * 1024
"""Characters of a source whose words are searched for."""

_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
_ENV_CLASS = re.compile(r"^class[ \t]+(\w{1,197}Env)\b", re.MULTILINE)
_CLASS = re.compile(r"^class[ \t]+(\w{1,200})", re.MULTILINE)
_PART = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_ENCODER = json.JSONEncoder(allow_nan=False)
_WORD = re.compile(r"[^\W_]+")

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


class Packer:
    """Compresses texts and records with a dictionary, which makes short ones half as long; threads may share one.

    Zstandard (RFC 8878) with a raw dictionary: the file that was written with it keeps it.

    >>> packer = Packer(b"class CrateEnv:")
    >>> packer.text(packer.packed("class BottlesEnv:\\ud800"))
    'class BottlesEnv:\\ud800'
    """

    def __init__(self, dictionary: bytes) -> None:
        shared = None
        if dictionary:
            shared = zstandard.ZstdCompressionDict(dictionary, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
            shared.precompute_compress(level=LEVEL)
        self._in = zstandard.ZstdCompressor(level=LEVEL, dict_data=shared)
        self._out = zstandard.ZstdDecompressor(dict_data=shared)
        self._lock = threading.Lock()

    def packed(self, text: str) -> bytes:
        """Text as it is kept, lone surrogates and all."""
        with self._lock:
            return self._in.compress(text.encode("utf-8", "surrogatepass"))

    def text(self, body: bytes) -> str:
        """Text as it was.

        Raises:
            StoreError: it is damaged, or larger than :data:`LONGEST`.
        """
        try:
            if zstandard.frame_content_size(body) > LONGEST:
                raise StoreError(f"a text in the memory has more than {LONGEST} bytes; restore a copy")
            with self._lock:
                return self._out.decompress(body, allow_extra_data=False).decode("utf-8", "surrogatepass")
        except (zstandard.ZstdError, UnicodeDecodeError, TypeError) as error:
            raise StoreError(f"a text in the memory is damaged: {error}; restore a copy") from None

    def record(self, value: Report | Probe | Episode) -> bytes:
        """A record as it is kept.

        Raises:
            StoreError: for a NaN in it.
        """
        try:
            return self.packed(_ENCODER.encode(to_json(value)))
        except ValueError as error:
            raise StoreError(f"{type(value).__name__} cannot be kept: {error}; NaN is an error everywhere") from None

    def read(self, cls: type[Body], body: bytes) -> Body:
        """A record as it was.

        Raises:
            StoreError: it is damaged.
        """
        try:
            return from_json(cls, json.loads(self.text(body)))
        except (ValueError, RecursionError) as error:
            raise StoreError(f"the memory holds a broken {cls.__name__}: {error}; restore a copy") from None


def bundled_dictionary() -> bytes:
    """What new files are compressed with: the bundled shelf, sources and cards, in the order of their numbers."""
    shelf = Path(__file__).parent.parent / "generated"
    return b"".join(path.read_bytes() for name in ("card.json", "env.py") for path in sorted(shelf.glob(f"*/{name}")))


def name_of(text: str) -> str:
    """Name of the environment class: the first one that ends in Env, or the first.

    >>> name_of("class Crate:\\n    pass\\nclass BottlesEnv:\\n    pass\\n")
    'BottlesEnv'
    """
    found = _ENV_CLASS.search(text, 0, INDEXED) or _CLASS.search(text, 0, INDEXED)
    return storable(found[1]) if found else ""


def words_of(source: EnvSource, name: str) -> str:
    """What is searched for: what is known about a source, its class ``name`` also in parts, and its text."""
    about = [name, *_PART.findall(name), source.skill, source.contract, source.hint, source.document, source.made_by]
    return storable("\n".join([*about, source.origin.run, source.origin.path, source.text[:INDEXED]]))


def split(text: str) -> list[str]:
    """Words of what is asked, in lower case: letters and digits, as the index takes them apart.

    >>> split("self.queue_length = 3  # Länge")
    ['self', 'queue', 'length', '3', 'länge']
    """
    return _WORD.findall(storable(text).lower())
