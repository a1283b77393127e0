"""Rows of ``.jsonl``, ``.jsonl.zst`` and parquet as objects, one at a time; what is none is told and passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..corpus.compressed import expanded
from ..corpus.documents import NoDocument, Reason, check_expansion
from ..corpus.extras import library
from ..corpus.lines import chunks_of, object_of_line, split
from ..corpus.listing import CorpusFile, Kind
from ..corpus.parquet import LARGEST_GROUP, group_bytes, opened
from ..errors import StoreError
from .claims import KEYS
from .folders import PoolFile, as_rows
from .problems import ProblemKind, Refused

BATCH = 64
"""Rows of a parquet file that are held at once."""
LONGEST_VALUE = 4 * 1024 * 1024
"""Bytes of one value of a parquet file."""
TEXTS = ("code", "source_code", "game_code")
"""Keys that the text of a source goes by; the first that is there counts."""

_KINDS = {
    Reason.NOT_UTF8: ProblemKind.NOT_UTF8,
    Reason.NOT_JSON: ProblemKind.NOT_JSON,
    Reason.NO_OBJECT: ProblemKind.NOT_JSON,
    Reason.TOO_LARGE: ProblemKind.TOO_LARGE,
}


class FoundRow(NamedTuple):
    """A row, or why it is none."""

    number: int
    """From 1."""
    value: Mapping[str, Any] | Refused


def rows(file: PoolFile) -> Iterator[FoundRow]:
    """Every row of a file, in order, in bounded memory.

    Raises:
        Refused: the file is damaged, or needs a library that is not installed; rows before that are good.
    """
    source = as_rows(file)
    try:
        if source.kind is Kind.PARQUET:
            yield from _parquet_rows(source)
        else:
            yield from _lines(chunks_of(source) if source.kind is Kind.JSONL else expanded(source))
    except (OSError, StoreError) as error:
        raise Refused(ProblemKind.UNREADABLE, f"{error}; its other rows are not read") from None


def count_rows(file: PoolFile) -> int | None:
    """How many rows a file says it has, where that is cheap to know."""
    source = as_rows(file)
    if source.kind is not Kind.PARQUET:
        return None
    try:
        with opened(source, ()) as (parquet, _):
            return int(parquet.metadata.num_rows)
    except (OSError, StoreError):
        return None


def _lines(chunks: Iterable[bytes]) -> Iterator[FoundRow]:
    for line in split(chunks):
        try:
            value = object_of_line(line.data)
        except NoDocument as no:
            what = "no object" if no.reason is Reason.NO_OBJECT else no.detail
            yield FoundRow(line.number, Refused(_KINDS[no.reason], f"the line is passed over: {what}"))
        else:
            if value is not None:
                yield FoundRow(line.number, value)


def _parquet_rows(file: CorpusFile) -> Iterator[FoundRow]:
    before = made = 0
    with opened(file, (*TEXTS, *KEYS)) as (parquet, texts):
        columns = [*texts, *_numbers(parquet.schema_arrow)]
        for group in range(parquet.metadata.num_row_groups):
            count = parquet.metadata.row_group(group).num_rows
            if not columns:
                message = f"no column is read; columns: {', '.join(parquet.schema_arrow.names[:10])}"
                yield FoundRow(before + 1, Refused(ProblemKind.NO_CODE, message, count))
            elif (size := group_bytes(parquet, group, columns)) > LARGEST_GROUP:
                message = f"a row group of {size} bytes; at most {LARGEST_GROUP} are read"
                yield FoundRow(before + 1, Refused(ProblemKind.TOO_LARGE, message, count))
            else:
                number = before
                for batch in parquet.iter_batches(BATCH, row_groups=[group], columns=columns):
                    made += batch.nbytes
                    check_expansion(file.path, made, file.size)
                    for at in range(batch.num_rows):
                        number += 1
                        yield FoundRow(number, _row(batch, at))
            before += count


def _numbers(schema: Any) -> list[str]:
    """Columns of numbers and flags that are read."""
    types = library("pyarrow", "a parquet file").types
    kinds = (types.is_integer, types.is_floating, types.is_boolean)
    return [field.name for field in schema if field.name in KEYS and any(is_kind(field.type) for is_kind in kinds)]


def _row(batch: Any, at: int) -> Mapping[str, Any] | Refused:
    row: dict[str, Any] = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        value = column[at]
        value = value.value if hasattr(value, "dictionary") else value
        if value is None or not value.is_valid:
            continue
        if not hasattr(value, "as_buffer"):
            row[name] = value.as_py()
            continue
        buffer = value.as_buffer()
        if buffer.size > LONGEST_VALUE:
            return Refused(ProblemKind.TOO_LARGE, f"{name!r} has {buffer.size} bytes; at most {LONGEST_VALUE} are read")
        try:
            row[name] = buffer.to_pybytes().decode("utf-8")
        except UnicodeDecodeError as error:
            return Refused(ProblemKind.NOT_UTF8, f"{name!r} is no UTF-8 (byte {error.start})")
    return row
