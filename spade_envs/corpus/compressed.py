"""Rows of ``.jsonl.zst``: read through once, and kept in blocks that can be reached one by one.

A Zstandard stream (RFC 8878) can only be read from its start. While the index is built, its good lines are therefore
copied to a file of blocks in the cache folder, each compressed by itself. A document then costs one block, whatever
the size of the corpus; the copy takes about as much disk as the original.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from ..errors import StoreError
from .documents import Mismatch, NoDocument, Row, Skipped, check_expansion
from .extras import library
from .lines import LONGEST_LINE, document_in, split, text_of_line
from .listing import CorpusFile

BLOCK = 256 * 1024
"""Bytes of lines after which a block is closed."""

_INPUT = 1024
"""Compressed bytes that are expanded at once: at most 32 MiB, as 4 bytes say 128 KiB at most (RFC 8878, 3.1.1.2)."""

_LARGEST_WINDOW = 128 * 1024 * 1024
"""Memory a stream may ask for: what ``zstd`` itself allows without ``--long=31``."""

_LENGTH = struct.Struct("<I")


class BlockWriter:
    """Writes lines to blocks."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._compressor = library("zstandard", "a .jsonl.zst file").ZstdCompressor(level=1)
        self._lines: list[bytes] = []
        self._filled = 0
        self.written = 0
        """Bytes of the file so far."""

    def add(self, line: bytes) -> tuple[int, int]:
        """Take a line; where its block begins in the file, and where in the block it does."""
        at = self.written, self._filled
        self._lines.append(line + b"\n")
        self._filled += len(line) + 1
        if self._filled >= BLOCK:
            self.flush()
        return at

    def flush(self) -> None:
        """Close the block that is open."""
        if self._lines:
            data = self._compressor.compress(b"".join(self._lines))
            self._stream.write(_LENGTH.pack(len(data)) + data)
            self.written += _LENGTH.size + len(data)
            self._lines, self._filled = [], 0


class BlockReader:
    """Reads lines from blocks; the last block is kept."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last: tuple[int, bytes] = (-1, b"")

    def line(self, block: int, start: int) -> bytes:
        """The line at ``start`` of the block at ``block``. Raises :class:`Mismatch` when there is none."""
        at, data = self._last
        if at != block:
            data = self._block(block)
            self._last = block, data
        end = data.find(b"\n", start)
        if end < 0:
            raise Mismatch
        return data[start:end]

    def _block(self, at: int) -> bytes:
        zstd = library("zstandard", "a .jsonl.zst file")
        try:
            with open(self._path, "rb") as stream:
                room = os.fstat(stream.fileno()).st_size
                stream.seek(at)
                head = stream.read(_LENGTH.size)
                length = _LENGTH.unpack(head)[0] if len(head) == _LENGTH.size else room
                if at + _LENGTH.size + length > room:
                    raise Mismatch
                data: bytes = zstd.ZstdDecompressor().decompress(
                    stream.read(length), max_output_size=BLOCK + LONGEST_LINE + 1
                )
        except (OSError, ValueError, zstd.ZstdError):
            raise Mismatch from None
        return data


def scan_zst(file: CorpusFile, blocks: BlockWriter) -> Iterator[Row | Skipped]:
    """Every row of a file; good ones are copied to ``blocks``.

    Raises:
        StoreError: when the stream is damaged, cut short, asks for too much memory, or expands like no text does.
        OSError: when it cannot be read.
    """
    for line in split(expanded(file)):
        try:
            text = text_of_line(line.data)
        except NoDocument as no:
            yield no.at(line.number)
        else:
            if text is not None and line.data is not None:
                yield Row(*blocks.add(line.data), line.number, text)


def read_zst(blocks: BlockReader, block: int, start: int) -> str:
    """The text of one row, from its block. Raises :class:`Mismatch` when no document lies there."""
    return document_in(blocks.line(block, start))


def expanded(file: CorpusFile) -> Iterator[bytes]:
    """The bytes of all frames of a file, in bounded pieces. Raises as :func:`scan_zst` does."""
    zstd = library("zstandard", f"{file.path}")
    try:
        yield from _frames(file, zstd.ZstdDecompressor(max_window_size=_LARGEST_WINDOW))
    except zstd.ZstdError as error:
        raise StoreError(
            f"{file.path} is no Zstandard stream that can be read: {error}. Fetch it again, or compress it again "
            "without --long when it needs a window above 128 MiB"
        ) from None


def _frames(file: CorpusFile, decompressor: Any) -> Iterator[bytes]:
    taken = made = 0
    frame = None
    with open(file.open(), "rb") as stream:
        while data := stream.read(_INPUT):
            taken += len(data)
            while data:
                frame = frame or decompressor.decompressobj()
                piece = frame.decompress(data)
                made += len(piece)
                check_expansion(file.path, made, taken)
                if piece:
                    yield piece
                data = b""
                if frame.eof:
                    data, frame = frame.unused_data, None
    if frame is not None:
        raise StoreError(f"{file.path} ends in the middle of a Zstandard frame, after {taken} bytes; fetch it again")
