"""A corpus: opened once, and any document of it read by number."""

from __future__ import annotations

import contextlib
import hashlib
import io
import operator
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ..atomic import explained, locked, remove_stale, writing
from ..errors import StoreError
from ..store import cache
from .compressed import BlockReader, BlockWriter, read_zst, scan_zst
from .documents import EXAMPLES, FIELDS, CorpusReport, Document, Mismatch, Reason, Row, Skipped, Skips, digest_of
from .index import Index, IndexWriter, check_of, in_memory, load
from .lines import read_jsonl, scan_jsonl
from .listing import CorpusFile, Kind, Listing, list_files
from .parquet import ParquetReader, scan_parquet
from .texts import read_text, scan_text

KEPT_ABOVE = 1024 * 1024
"""Bytes of a corpus above which its index is kept on disk; a smaller one is read through each time it is opened."""


class Corpus:
    """Documents by number, from 0, in the order of file names and rows.

    Made by :meth:`open`. Nothing of the documents is held in memory; threads may share one.

    >>> corpus = Corpus.open()
    >>> len(corpus) >= 60, corpus.document(0).sha256 == corpus.document(0).sha256
    (True, True)
    """

    def __init__(self, path: Path, listing: Listing, key: str, index: Index, blocks: Path) -> None:
        self.path = path
        """Where it lies."""
        self._listing, self._key, self._index, self._blocks_path = listing, key, index, blocks
        self._blocks = BlockReader(blocks)
        self._parquet = ParquetReader()

    @classmethod
    def open(cls, path: str | os.PathLike[str] | None = None) -> Corpus:
        """Open a ``.jsonl``, ``.jsonl.zst``, ``.parquet``, ``.txt`` or ``.md`` file, or a folder of them.

        Without a path it is the corpus that comes with the package. The first time, a corpus above
        :data:`KEPT_ABOVE` bytes is read through, and an index of it is kept in the cache folder.

        Raises:
            StoreError: when it cannot be read, holds no document, or needs a library that is not installed.
        """
        place = Path(__file__).with_name("bundled") if path is None else Path(os.path.abspath(path))
        listing = list_files(place)
        blocks = _kept_at(place).with_suffix(".blocks")
        with explained(f"read {place}"):
            key = listing.key()
        return cls(place, listing, key, _index_of(place, listing, key), blocks)

    def __len__(self) -> int:
        return self.report.documents

    @property
    def report(self) -> CorpusReport:
        """What was found in it, and what was skipped."""
        return self._index.footer.report

    @property
    def fingerprint(self) -> str:
        """A hash of all documents in order: the same on every machine, and in whatever kind of file they lie."""
        return self._index.footer.fingerprint

    def document(self, number: int) -> Document:
        """Document ``number``.

        Raises:
            IndexError: when it is not in ``range(len(corpus))``.
            StoreError: when the corpus has changed since it was opened, or cannot be read.
        """
        number = operator.index(number)
        if not 0 <= number < len(self):
            raise IndexError(f"there is no document {number}; this corpus has documents 0 to {len(self) - 1}")
        with explained(f"read {self.path}"):
            try:
                return self._read(number)
            except Mismatch:
                self._build_again()
            try:
                return self._read(number)
            except Mismatch:
                raise self._changed() from None

    def __iter__(self) -> Iterator[Document]:
        """All documents in order."""
        return (self.document(number) for number in range(len(self)))

    def _read(self, number: int) -> Document:
        at, a, b, row, check = (int(value) for value in self._index.rows[number])
        if not 0 <= at < len(self._listing.files):
            raise Mismatch
        file = self._listing.files[at]
        if file.kind is Kind.JSONL:
            text = read_jsonl(file, a, b)
        elif file.kind is Kind.ZST:
            text = read_zst(self._blocks, a, b)
        elif file.kind is Kind.PARQUET:
            text = self._parquet.text(file, a, b)
        else:
            text = read_text(file)
        digest = digest_of(text)
        if check_of(number, digest) != check:
            raise Mismatch
        return Document(text, _place(file, row), digest.hex())

    def _build_again(self) -> None:
        """An index that misleads is replaced, when the corpus is still the one that was opened."""
        if list_files(self.path).key() != self._key:
            raise self._changed()
        index = _build(self.path, self._listing, self._key)
        if index.footer.fingerprint != self.fingerprint:
            raise self._changed()
        self._index, self._blocks, self._parquet = index, BlockReader(self._blocks_path), ParquetReader()

    def _changed(self) -> StoreError:
        return StoreError(f"{self.path} has changed since it was opened; open it again when it is finished")


def _place(file: CorpusFile, row: int) -> str:
    return f"{file.name}:{row}" if row else file.name


def _kept_at(place: Path) -> Path:
    name = hashlib.blake2b(os.fsencode(place), digest_size=16).hexdigest()
    return cache() / "corpora" / f"{name}.index"


def _index_of(place: Path, listing: Listing, key: str) -> Index:
    kept = _kept_at(place)
    return load(kept, key, kept.with_suffix(".blocks")) or _build(place, listing, key)


def _build(place: Path, listing: Listing, key: str) -> Index:
    compressed = any(file.kind is Kind.ZST for file in listing.files)
    if not compressed and sum(file.size for file in listing.files) <= KEPT_ABOVE:
        held = io.BytesIO()
        with explained(f"read {place}"):
            _fill(place, listing, key, IndexWriter(held), None)
        return in_memory(held.getvalue())
    kept = _kept_at(place)
    blocks = kept.with_suffix(".blocks")
    with explained(f"index {place} in {kept.parent}"):
        kept.parent.mkdir(parents=True, exist_ok=True)
        with locked(kept.parent / ".lock"):
            remove_stale(kept.parent, spare_own=True)
        with writing(kept) as stream, contextlib.ExitStack() as stack:
            # The blocks are there before the index that leads to them.
            copies = BlockWriter(stack.enter_context(writing(blocks))) if compressed else None
            _fill(place, listing, key, IndexWriter(stream), copies)
    index = load(kept, key, blocks)
    if index is None:
        raise StoreError(f"the index of {place} in {kept.parent} was replaced while it was opened; open it again")
    return index


def _fill(place: Path, listing: Listing, key: str, index: IndexWriter, blocks: BlockWriter | None) -> None:
    """Read every file through, and write the index of what it holds."""
    skipped = Counter({Reason.NO_FILE: len(listing.special)})
    examples = [f"{name}: {Reason.NO_FILE}" for name in listing.special]
    fields: dict[str, None] = {}
    for at, file in enumerate(listing.files):
        for found in _scan(file, blocks):
            if isinstance(found, Row):
                index.add(at, found.a, found.b, found.number, digest_of(found.text))
                continue
            skipped[found.reason] += found.rows
            fields |= dict.fromkeys(found.fields) if len(fields) < 10 else {}
            if len(examples) < EXAMPLES:
                detail = f" ({found.detail})" if found.detail else ""
                examples.append(f"{_place(file, found.number)}: {found.reason}{detail}")
    if blocks is not None:
        blocks.flush()
    report = CorpusReport(
        kinds=tuple(sorted({str(file.kind) for file in listing.files})),
        files=len(listing.files),
        bytes=sum(file.size for file in listing.files),
        documents=index.documents,
        skipped=tuple(Skips(reason, skipped[reason]) for reason in Reason if skipped[reason]),
        examples=tuple(examples[:EXAMPLES]),
        fields=tuple(fields),
        passed_over=listing.passed_over,
    )
    if list_files(place).key() != key:
        raise StoreError(f"{place} changed while it was read; open it again when it is finished")
    if not report.documents:
        raise _no_document(place, report)
    index.finish(key, blocks.written if blocks is not None else 0, report)


def _scan(file: CorpusFile, blocks: BlockWriter | None) -> Iterator[Row | Skipped]:
    if file.kind is Kind.JSONL:
        return scan_jsonl(file)
    if file.kind is Kind.PARQUET:
        return scan_parquet(file)
    if file.kind is Kind.ZST and blocks is not None:
        return scan_zst(file, blocks)
    return scan_text(file)


def _no_document(place: Path, report: CorpusReport) -> StoreError:
    counts = ", ".join(f"{one.rows} skipped: {one.reason}" for one in report.skipped) or "no row at all"
    fields = f"; fields found: {', '.join(report.fields)}" if report.fields else ""
    first = f"; first: {report.examples[0]}" if report.examples else ""
    allowed = " or ".join(f'"{field}"' for field in FIELDS)
    return StoreError(
        f"{place} holds no document ({counts}{fields}{first}). A row needs its text as a string in {allowed}; "
        "rename the field, or name another file"
    )
