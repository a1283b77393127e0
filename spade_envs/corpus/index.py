"""The index of a corpus: five integers per document, memory-mapped, so that a corpus may be larger than memory.

An index file is the rows, then a footer in JSON, then :data:`_TAIL`. It can be derived again at any time: one that is
old, cut short or broken counts as none, and each row holds a check of the text it leads to.
"""

from __future__ import annotations

import hashlib
import io
import json
import mmap
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from ..codec import from_json, to_json
from .documents import CorpusReport

WIDTH = 5
"""File, two numbers for its reader, line or row, check."""

_FORMAT = 1
_MAGIC = b"SPADEIDX"
_TAIL = struct.Struct("<I32s8s")
"""Length of the footer, its SHA-256, magic."""
_BUFFERED = 8192


@dataclass(frozen=True)
class Footer:
    """What an index says about itself."""

    format: int
    key: str
    """Of the files that were indexed."""
    fingerprint: str
    """Of all documents in order: the same wherever and however the corpus is stored."""
    blocks_bytes: int
    """Size of the file of blocks that belongs to it."""
    report: CorpusReport


@dataclass(frozen=True)
class Index:
    """Where the documents of a corpus lie."""

    rows: NDArray[np.int64]
    """Of shape ``(documents, WIDTH)``."""
    footer: Footer


def check_of(number: int, digest: bytes) -> int:
    """What row ``number`` says of a text with this SHA-256; 64 bits, signed."""
    hashed = hashlib.blake2b(digest, key=struct.pack("<q", number), digest_size=8)
    return int.from_bytes(hashed.digest(), "little", signed=True)


class IndexWriter:
    """Writes rows as they are found, in bounded memory."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._rows: list[tuple[int, ...]] = []
        self._fingerprint = hashlib.blake2b(digest_size=16)
        self.documents = 0

    def add(self, file: int, a: int, b: int, number: int, digest: bytes) -> None:
        """Take the next document."""
        self._rows.append((file, a, b, number, check_of(self.documents, digest)))
        self._fingerprint.update(digest)
        self.documents += 1
        if len(self._rows) >= _BUFFERED:
            self._flush()

    def finish(self, key: str, blocks_bytes: int, report: CorpusReport) -> Footer:
        """Write the footer; it is returned."""
        self._flush()
        footer = Footer(_FORMAT, key, self._fingerprint.hexdigest(), blocks_bytes, report)
        data = json.dumps(to_json(footer)).encode("ascii")
        self._stream.write(data + _TAIL.pack(len(data), hashlib.sha256(data).digest(), _MAGIC))
        return footer

    def _flush(self) -> None:
        self._stream.write(np.array(self._rows, "<i8").tobytes())
        self._rows.clear()


def load(path: Path, key: str, blocks: Path) -> Index | None:
    """The index at ``path``, or ``None`` when there is none that is whole and made for ``key``."""
    try:
        with open(path, "rb") as stream:
            footer, size = _read_footer(stream)
            if footer.key != key or (footer.blocks_bytes and blocks.stat().st_size != footer.blocks_bytes):
                return None
            mapped = mmap.mmap(stream.fileno(), size, access=mmap.ACCESS_READ)
        return Index(_shaped(mapped, size), footer)
    except (OSError, ValueError, RecursionError, struct.error):
        return None


def in_memory(data: bytes) -> Index:
    """The index in the bytes that an :class:`IndexWriter` wrote."""
    footer, size = _read_footer(io.BytesIO(data))
    return Index(_shaped(data, size), footer)


def _shaped(buffer: mmap.mmap | bytes, size: int) -> NDArray[np.int64]:
    count = size // 8
    return np.frombuffer(buffer, "<i8", count).reshape(-1, WIDTH)


def _read_footer(stream: IO[bytes]) -> tuple[Footer, int]:
    """The footer, and the bytes before it. Raises ``ValueError`` when they do not fit together."""
    end = stream.seek(0, io.SEEK_END) - _TAIL.size
    stream.seek(end)
    length, digest, magic = _TAIL.unpack(stream.read(_TAIL.size))
    size = end - length
    stream.seek(size)
    data = stream.read(length)
    if magic != _MAGIC or hashlib.sha256(data).digest() != digest:
        raise ValueError("no index")
    footer = from_json(Footer, json.loads(data))
    if footer.format != _FORMAT or size != footer.report.documents * WIDTH * 8:
        raise ValueError("another format")
    return footer, size
