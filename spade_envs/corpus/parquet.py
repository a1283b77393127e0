"""Rows of parquet files, one row group at a time, and of those only the columns that hold text.

A document costs its row group; the last one is kept. Columns stay dictionary-encoded, so that a long text that is
repeated a million times is held once.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection, Iterator
from typing import Any

from ..errors import StoreError
from .documents import FIELDS, LARGEST_DOCUMENT, Mismatch, NoDocument, Reason, Row, Skipped, check_expansion, text_in
from .extras import library
from .listing import CorpusFile

LARGEST_GROUP = 1024 * 1024 * 1024
"""Bytes of text in a row group; larger ones are skipped."""


def scan_parquet(file: CorpusFile) -> Iterator[Row | Skipped]:
    """Every row of a file, with its row group and its place in it.

    Raises:
        StoreError: when the file is damaged or no parquet file.
        OSError: when it cannot be read.
    """
    before = made = 0
    with opened(file) as (parquet, columns):
        for group in range(parquet.metadata.num_row_groups):
            rows = parquet.metadata.row_group(group).num_rows
            if not columns:
                yield Skipped(before + 1, Reason.NO_TEXT, rows=rows, fields=tuple(parquet.schema_arrow.names[:10]))
            elif (size := group_bytes(parquet, group, columns)) > LARGEST_GROUP:
                detail = f"a row group of {size} bytes, at most {LARGEST_GROUP}"
                yield Skipped(before + 1, Reason.TOO_LARGE, detail, rows)
            else:
                table = parquet.read_row_group(group, columns=columns)
                for found in _rows(table, group, before):
                    made += len(found.text) if isinstance(found, Row) else 0
                    check_expansion(file.path, made, file.size)
                    yield found
            before += rows


def _rows(table: Any, group: int, before: int) -> Iterator[Row | Skipped]:
    for at in range(table.num_rows):
        try:
            yield Row(group, at, before + at + 1, _text(table, at))
        except NoDocument as no:
            yield no.at(before + at + 1)


class ParquetReader:
    """Reads single rows; the row group that was used last is kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: tuple[str, int] | None = None
        self._table: Any = None

    def text(self, file: CorpusFile, group: int, at: int) -> str:
        """The text of one row.

        Raises:
            Mismatch: when no document lies there.
            StoreError: when the file is damaged.
            OSError: when it cannot be read.
        """
        with self._lock:
            if self._last != (file.name, group):
                self._last, self._table = None, None
                with opened(file) as (parquet, columns):
                    if not columns or not 0 <= group < parquet.metadata.num_row_groups:
                        raise Mismatch
                    if group_bytes(parquet, group, columns) > LARGEST_GROUP:
                        raise Mismatch
                    self._table = parquet.read_row_group(group, columns=columns)
                self._last = file.name, group
            table = self._table
        if not 0 <= at < table.num_rows:
            raise Mismatch
        try:
            return _text(table, at)
        except NoDocument:
            raise Mismatch from None


@contextlib.contextmanager
def opened(file: CorpusFile, names: Collection[str] = FIELDS) -> Iterator[tuple[Any, list[str]]]:
    """The file, and which of the columns called so hold text.

    Raises:
        StoreError: when the file is damaged or no parquet file.
        OSError: when it cannot be read.
    """
    arrow = library("pyarrow", f"{file.path}")
    pq = library("pyarrow.parquet", f"{file.path}")
    try:
        with open(file.open(), "rb") as stream:
            columns = [field.name for field in pq.read_schema(stream) if field.name in names and _is_text(arrow, field)]
            stream.seek(0)
            yield pq.ParquetFile(stream, read_dictionary=columns), columns
    except (arrow.ArrowException, ValueError, OSError) as error:
        if isinstance(error, StoreError) or getattr(error, "errno", None) is not None:
            raise  # of the system, not of the file
        reason = str(error).partition("\n")[0]
        raise StoreError(f"{file.path} is no parquet file that can be read: {reason}. Fetch it again") from None


def _is_text(arrow: Any, field: Any) -> bool:
    kind = field.type.value_type if arrow.types.is_dictionary(field.type) else field.type
    kinds = (arrow.types.is_string, arrow.types.is_large_string, arrow.types.is_string_view)
    return any(is_kind(kind) for is_kind in kinds)


def group_bytes(parquet: Any, group: int, columns: Collection[str]) -> int:
    """Bytes of some columns of a row group, as the file itself says."""
    found = parquet.metadata.row_group(group)
    chunks = [found.column(at) for at in range(found.num_columns)]
    return sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema in columns)


def _text(table: Any, at: int) -> str:
    row: dict[str, object] = {}
    for name in table.column_names:
        value = table.column(name)[at]
        value = value.value if hasattr(value, "dictionary") else value
        if value is None or not value.is_valid:
            continue
        buffer = value.as_buffer()
        if buffer.size > LARGEST_DOCUMENT:
            raise NoDocument(Reason.TOO_LARGE, f"{buffer.size} bytes, at most {LARGEST_DOCUMENT}")
        try:
            row[name] = buffer.to_pybytes().decode("utf-8")
        except UnicodeDecodeError as error:
            raise NoDocument(Reason.NOT_UTF8, f"byte {error.start}") from None
    return text_in(row)
