"""Rows of ``.jsonl``: found by one pass in bounded memory, read again by offset and length."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from .documents import LARGEST_DOCUMENT, Mismatch, NoDocument, Reason, Row, Skipped, text_in
from .listing import CorpusFile

CHUNK = 1024 * 1024
"""Bytes that are read at once."""

LONGEST_LINE = 2 * LARGEST_DOCUMENT
"""Bytes of a line: the text, its escapes, and the other fields."""


class Line(NamedTuple):
    """A line of a stream."""

    number: int
    """From 1."""
    start: int
    """Bytes before it."""
    size: int
    """Bytes of it, without the newline."""
    data: bytes | None
    """``None`` when it is longer than :data:`LONGEST_LINE`."""


def split(chunks: Iterable[bytes]) -> Iterator[Line]:
    """Lines of a stream that comes in pieces; a huge one is passed over without being held.

    >>> [line.data for line in split([b"a\\nb", b"c\\n", b"d"])]
    [b'a', b'bc', b'd']
    """
    pieces: list[bytes] = []
    number = begun = size = 0

    def line() -> Line:
        data = b"".join(pieces) if size <= LONGEST_LINE else None
        return Line(number, begun, size, data)

    for chunk in chunks:
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            size += end - start
            if size <= LONGEST_LINE:
                pieces.append(chunk[start:end])
            number += 1
            yield line()
            begun += size + 1
            start, size = end + 1, 0
            pieces.clear()
        size += len(chunk) - start
        if size <= LONGEST_LINE:
            pieces.append(chunk[start:])
    if size:
        number += 1
        yield line()


def object_of_line(data: bytes | None) -> dict[str, Any] | None:
    """The JSON object of a line, or ``None`` when the line is blank.

    Raises:
        NoDocument: when it holds none.
    """
    if data is None:
        raise NoDocument(Reason.TOO_LARGE, f"a line of more than {LONGEST_LINE} bytes")
    if not data or data.isspace():
        return None
    try:
        # Decoded here, since json.loads would guess UTF-16 from bytes; a byte order mark may begin a file.
        value = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise NoDocument(Reason.NOT_UTF8, f"byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise NoDocument(Reason.NOT_JSON, f"{error.msg}, column {error.colno}") from None
    except (ValueError, RecursionError) as error:  # a number of a million digits; a million brackets
        raise NoDocument(Reason.NOT_JSON, type(error).__name__) from None
    if not isinstance(value, dict):
        raise NoDocument(Reason.NO_OBJECT, type(value).__name__)
    return value


def text_of_line(data: bytes | None) -> str | None:
    """The text of a line, or ``None`` when the line is blank.

    Raises:
        NoDocument: when it holds none.
    """
    value = object_of_line(data)
    return None if value is None else text_in(value)


def chunks_of(file: CorpusFile) -> Iterator[bytes]:
    """The bytes of a file, piece by piece. Raises ``OSError``."""
    with open(file.open(), "rb", buffering=0) as stream:
        while chunk := stream.read(CHUNK):
            yield chunk


def scan_jsonl(file: CorpusFile) -> Iterator[Row | Skipped]:
    """Every row of a file, with offset and length in bytes. Raises ``OSError``."""
    for line in split(chunks_of(file)):
        try:
            text = text_of_line(line.data)
        except NoDocument as no:
            yield no.at(line.number)
        else:
            if text is not None:
                yield Row(line.start, line.size, line.number, text)


def read_jsonl(file: CorpusFile, offset: int, length: int) -> str:
    """The text of one row: reads its bytes and no others.

    Raises:
        Mismatch: when no document lies there.
        OSError: when the file cannot be read.
    """
    if not 0 <= length <= LONGEST_LINE or not 0 <= offset <= file.size:
        raise Mismatch
    descriptor = file.open()
    try:
        data = os.pread(descriptor, length, offset)
    finally:
        os.close(descriptor)
    return document_in(data)


def document_in(data: bytes) -> str:
    """The text of a line that was a document when it was indexed. Raises :class:`Mismatch` when it is none now."""
    try:
        text = text_of_line(data)
    except NoDocument:
        raise Mismatch from None
    if text is None:
        raise Mismatch
    return text
