"""What a corpus is made of: documents, rows that are none, and the report on both."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import StoreError

FIELDS = ("orig_doc", "text")
"""Fields a row may have its text in; the first that holds more than white space counts."""

LARGEST_DOCUMENT = 16 * 1024 * 1024
"""Bytes of a row or a text file; what is larger is skipped, and never held in memory."""

MOST_EXPANSION = 1000
"""Times that a compressed file may expand; text expands 3 to 10 times, repeated rows a few hundred."""
FREE_EXPANSION = 256 * 1024 * 1024
"""Bytes that do not count in this."""

EXAMPLES = 5
"""Skipped rows that a report names."""


class Reason(enum.StrEnum):
    """Why a row is skipped."""

    NOT_UTF8 = "not UTF-8"
    NOT_JSON = "not JSON"
    NO_OBJECT = "no JSON object"
    NO_TEXT = "no text field"
    EMPTY = "empty text"
    TOO_LARGE = "too large"
    SURROGATE = "half a surrogate pair"
    NO_FILE = "no regular file"


@dataclass(frozen=True)
class Document:
    """A text that a designer is asked to build on."""

    text: str
    """The whole text, as it is: control and bidirectional characters too."""
    name: str
    """Where it came from: the file, relative to the corpus, and the line or row, from 1."""
    sha256: str
    """Of the text in UTF-8; what ``EnvSource.document`` and cards hold."""

    @property
    def title(self) -> str:
        """Its first line that is not blank, without the marks of a Markdown heading, at most 80 characters.

        >>> Document("# Tides\\n\\nTwice a day.", "tides.md", "").title
        'Tides'
        """
        line = self.text[:4000].strip().partition("\n")[0].strip("# \t\r")
        return line if len(line) <= 80 else line[:79] + "…"


@dataclass(frozen=True)
class Skips:
    """Rows that were skipped for one reason."""

    reason: Reason
    rows: int


@dataclass(frozen=True)
class CorpusReport:
    """What was found when a corpus was read through."""

    kinds: tuple[str, ...]
    """Kinds of its files: ``jsonl``, ``jsonl.zst``, ``parquet``, ``text``."""
    files: int
    """Files it consists of."""
    bytes: int
    """Their size together."""
    documents: int
    """Rows and text files that are documents."""
    skipped: tuple[Skips, ...]
    """Counts of the others, by reason."""
    examples: tuple[str, ...]
    """The first of the others: file, line or row, reason."""
    fields: tuple[str, ...]
    """Some fields of rows that have no text."""
    passed_over: int
    """Text files that were left aside, because files of rows lie beside them."""


@dataclass(frozen=True)
class Row:
    """A document where it lies: two numbers that its reader understands, and the line or row for people, from 1."""

    a: int
    b: int
    number: int
    text: str


@dataclass(frozen=True)
class Skipped:
    """A row that is no document."""

    number: int
    reason: Reason
    detail: str = ""
    rows: int = 1
    fields: tuple[str, ...] = ()


class NoDocument(Exception):
    """A row turns out to be no document; becomes a :class:`Skipped`."""

    def __init__(self, reason: Reason, detail: str = "", fields: tuple[str, ...] = ()) -> None:
        super().__init__(reason, detail, fields)
        self.reason, self.detail, self.fields = reason, detail, fields

    def at(self, number: int) -> Skipped:
        """The row ``number``, skipped for this."""
        return Skipped(number, self.reason, self.detail, fields=self.fields)


class Mismatch(Exception):
    """An index does not fit what lies there; it is built again, and the reader never sees this."""


def text_in(row: Mapping[str, object]) -> str:
    """The text of a row.

    Raises:
        NoDocument: when there is none that can be used.
    """
    texts = [value for field in FIELDS if isinstance(value := row.get(field), str)]
    if not texts:
        raise NoDocument(Reason.NO_TEXT, fields=tuple(str(key)[:60] for key in list(row)[:10]))
    return checked(next((text for text in texts if text and not text.isspace()), ""))


def checked(text: str) -> str:
    """``text``, when it can be a document.

    Raises:
        NoDocument: when it is blank, too large or cannot be written as UTF-8.
    """
    if not text or text.isspace():
        raise NoDocument(Reason.EMPTY)
    try:
        size = len(text) if text.isascii() else len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise NoDocument(Reason.SURROGATE) from None
    if size > LARGEST_DOCUMENT:
        raise NoDocument(Reason.TOO_LARGE, f"{size} bytes, at most {LARGEST_DOCUMENT}")
    return text


def check_expansion(path: Path, made: int, taken: int) -> None:
    """Refuse a file that goes on for ever: ``made`` is what the first ``taken`` bytes of it expanded to.

    Raises:
        StoreError: above :data:`MOST_EXPANSION` times ``taken`` and :data:`FREE_EXPANSION` bytes.
    """
    if made > FREE_EXPANSION + MOST_EXPANSION * taken:
        raise StoreError(
            f"{path} expands more than {MOST_EXPANSION} times ({made} bytes out of {taken}). No text does; take it out "
            "of the corpus"
        )


def digest_of(text: str) -> bytes:
    """SHA-256 of the text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8")).digest()
