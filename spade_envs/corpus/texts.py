"""Text files: one document each."""

from __future__ import annotations

from collections.abc import Iterator

from .documents import LARGEST_DOCUMENT, Mismatch, NoDocument, Reason, Row, Skipped, checked
from .listing import CorpusFile


def scan_text(file: CorpusFile) -> Iterator[Row | Skipped]:
    """The one document of a file, or why it is none. Raises ``OSError``."""
    try:
        yield Row(0, 0, 0, _text(file))
    except NoDocument as no:
        yield no.at(0)


def read_text(file: CorpusFile) -> str:
    """The document of a file. Raises :class:`Mismatch` when it is none any more, or ``OSError``."""
    try:
        return _text(file)
    except NoDocument:
        raise Mismatch from None


def _text(file: CorpusFile) -> str:
    with open(file.open(), "rb") as stream:
        data = stream.read(LARGEST_DOCUMENT + 1)
    if len(data) > LARGEST_DOCUMENT:
        raise NoDocument(Reason.TOO_LARGE, f"{file.size} bytes, at most {LARGEST_DOCUMENT}")
    try:
        return checked(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise NoDocument(Reason.NOT_UTF8, f"byte {error.start}") from None
