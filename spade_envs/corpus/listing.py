"""The files of a corpus, in an order that is the same on every machine, and a key that tells when they changed."""

from __future__ import annotations

import enum
import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..atomic import explained
from ..errors import StoreError

_ENDS = 64 * 1024
"""Bytes of the head and of the tail of a file of rows that its key looks at."""


class Kind(enum.StrEnum):
    """How the documents of a file are read."""

    JSONL = "jsonl"
    ZST = "jsonl.zst"
    PARQUET = "parquet"
    TEXT = "text"


_SUFFIXES = {
    ".jsonl": Kind.JSONL,
    ".jsonl.zst": Kind.ZST,
    ".parquet": Kind.PARQUET,
    ".txt": Kind.TEXT,
    ".md": Kind.TEXT,
}
ALLOWED = "a .jsonl, .jsonl.zst, .parquet, .txt or .md file, or a folder of them"


@dataclass(frozen=True)
class CorpusFile:
    """One file of a corpus."""

    path: Path
    name: str
    """Relative to the corpus, with ``/``."""
    kind: Kind
    size: int
    modified_ns: int

    def open(self) -> int:
        """A descriptor for reading. Raises ``OSError``, also when it is a regular file no more."""
        descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise StoreError(f"{self.path} is no regular file any more; open the corpus again")
        return descriptor


@dataclass(frozen=True)
class Listing:
    """The files a corpus consists of."""

    files: tuple[CorpusFile, ...]
    special: tuple[str, ...]
    """Names that end like files of a corpus, but are pipes, devices or broken links."""
    passed_over: int
    """Text files beside files of rows."""

    def key(self) -> str:
        """Changes when a file does: names, sizes, times, and the ends of files of rows. Raises ``OSError``."""
        hashed = hashlib.blake2b(digest_size=16)
        for file in self.files:
            hashed.update(f"{file.name!r} {file.kind} {file.size} {file.modified_ns}\n".encode("utf-8", "replace"))
            if file.kind is not Kind.TEXT:
                hashed.update(_ends(file))
        return hashed.hexdigest()


def kind_of(name: str) -> Kind | None:
    """The kind that the end of a file's name says, or ``None``.

    >>> kind_of("part-00.jsonl.ZST"), kind_of("notes.docx")
    (<Kind.ZST: 'jsonl.zst'>, None)
    """
    return next((kind for suffix, kind in _SUFFIXES.items() if name.lower().endswith(suffix)), None)


def list_files(path: Path) -> Listing:
    """The files of the corpus at ``path``, sorted by name.

    Where a folder holds files of rows, text files in it are passed over: a README is no document. Names that begin
    with a dot are skipped. A folder that links lead back to is entered once.

    Raises:
        StoreError: when there is nothing of the kind, or a folder cannot be listed.
    """
    with explained(f"read {path}"):
        status = os.stat(path)
        if not stat.S_ISDIR(status.st_mode):
            kind = kind_of(path.name)
            if kind is None or not stat.S_ISREG(status.st_mode):
                what = "is no regular file" if kind else "is of a kind that is not read"
                raise StoreError(f"{path} {what}; a corpus is {ALLOWED}")
            return Listing((_file(path, path.name, kind, status),), (), 0)
        found = sorted(_walk(path, "", {(status.st_dev, status.st_ino)}), key=lambda entry: os.fsencode(entry[0]))
    files, special = [], []
    for name, kind, entry_status in found:
        if entry_status is not None and stat.S_ISREG(entry_status.st_mode):
            files.append(_file(path / name, name, kind, entry_status))
        else:
            special.append(name)
    rows = [file for file in files if file.kind is not Kind.TEXT]
    if not files:
        raise StoreError(f"{path} holds no file that is read; a corpus is {ALLOWED}")
    return Listing(tuple(rows or files), tuple(special), len(files) - len(rows) if rows else 0)


def _file(path: Path, name: str, kind: Kind, status: os.stat_result) -> CorpusFile:
    return CorpusFile(path, name, kind, status.st_size, status.st_mtime_ns)


def _walk(folder: Path, prefix: str, seen: set[tuple[int, int]]) -> Iterator[tuple[str, Kind, os.stat_result | None]]:
    waiting = [(folder, prefix)]
    while waiting:  # no recursion: a deep tree must not end in a RecursionError
        folder, prefix = waiting.pop()
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: os.fsencode(entry.name))
        for entry in listed:
            if entry.name.startswith("."):
                continue
            try:
                status = os.stat(entry.path)
            except OSError:  # a link to nothing or to itself
                status = None
            if status is not None and stat.S_ISDIR(status.st_mode):
                if (status.st_dev, status.st_ino) not in seen:
                    seen.add((status.st_dev, status.st_ino))
                    waiting.append((Path(entry.path), f"{prefix}{entry.name}/"))
            elif kind := kind_of(entry.name):
                yield prefix + entry.name, kind, status


def _ends(file: CorpusFile) -> bytes:
    descriptor = file.open()
    try:
        head = os.pread(descriptor, _ENDS, 0)
        tail = os.pread(descriptor, _ENDS, max(0, file.size - _ENDS))
    finally:
        os.close(descriptor)
    return hashlib.blake2b(head + tail, digest_size=16).digest()
