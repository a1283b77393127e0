"""The files of a pool: which there are, that they stay inside it, and their bytes, read with suspicion."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from ..atomic import explained
from ..corpus.listing import CorpusFile, Kind, kind_of
from ..errors import StoreError
from .problems import Problem, ProblemKind, Refused

MOST_FILES = 1_000_000
"""Files of one pool."""
LARGEST_SOURCE = 1024 * 1024
"""Bytes of a source; far above what the gate lets pass."""
LARGEST_MANIFEST = 64 * 1024 * 1024
"""Bytes of ``manifest.json``, which is read whole."""

_CHUNK = 1024 * 1024
_CHECKSUMS = ("checksums.sha256", "sha256sums", "sha256sums.txt", "checksums.txt")


class Role(enum.StrEnum):
    """What a file is read as."""

    SOURCE = "source"
    ROWS = "rows"
    MANIFEST = "manifest"
    CHECKSUMS = "checksums"


def role_of(name: str) -> Role | None:
    """What a file of this name is read as; ``None`` when it is passed over.

    >>> role_of("a/game_00001_002_optimization.py"), role_of("validation_manifest.jsonl"), role_of("README.md")
    (<Role.SOURCE: 'source'>, <Role.MANIFEST: 'manifest'>, None)
    """
    base = name.rpartition("/")[2].lower()
    if base in _CHECKSUMS:
        return Role.CHECKSUMS
    if base == "manifest.json" or base.endswith("manifest.jsonl"):
        return Role.MANIFEST
    if base.endswith(".py"):
        return Role.SOURCE
    return Role.ROWS if base.endswith((".jsonl", ".jsonl.zst", ".parquet")) else None


@dataclasses.dataclass(frozen=True)
class PoolFile:
    """One file of a pool."""

    name: str
    """Relative to the pool, with ``/``."""
    path: Path
    """Where it lies, all links followed."""
    role: Role
    size: int


class Folder:
    """The folder of a pool, or a single file of one.

    Args:
        path: the folder, a row file, a source, or a ``manifest.json``, which stands for its folder.

    Raises:
        StoreError: there is nothing of the kind, the folder cannot be listed, or holds too many files.
    """

    def __init__(self, path: Path) -> None:
        with explained(f"read {path}"):
            whole = stat.S_ISDIR(os.stat(path).st_mode)
        if not whole and role_of(path.name) is None:
            raise StoreError(
                f"{path} is no pool; name a folder, a manifest.json, or a .py, .jsonl, .jsonl.zst or .parquet file"
            )
        stands_for_folder = not whole and role_of(path.name) in (Role.MANIFEST, Role.CHECKSUMS)
        self.only = "" if whole or stands_for_folder else path.name
        """Name of the only file that is wanted; empty for all."""
        self.root = path if whole else path.absolute().parent
        real = Path(os.path.realpath(self.root))
        self._inside = [real]
        if real.parent.name == "snapshots":
            # Downloads of the Hugging Face hub are links into the folder of blobs beside the snapshots.
            self._inside.append(real.parent.parent / "blobs")
        self.problems: list[Problem] = []
        found = self._listed() if self.only else self._walk()
        self.files = tuple(sorted(found, key=lambda file: os.fsencode(file.name)))
        self.names = frozenset(file.name for file in self.files)

    def of(self, role: Role) -> tuple[PoolFile, ...]:
        """Files of one role, sorted by name."""
        return tuple(file for file in self.files if file.role is role)

    def has(self, name: str) -> bool:
        """Whether there is a file of this name, whatever it is read as."""
        return name in self.names or (inside(name) == name and os.path.isfile(self.root / name))

    def _listed(self) -> Iterator[PoolFile]:
        """The one file, and what tells about it beside it."""
        with explained(f"read {self.root}"):
            beside = sorted(os.listdir(self.root))
        for name in beside:
            role = role_of(name)
            if name == self.only or role in (Role.MANIFEST, Role.CHECKSUMS):
                yield from self._file(name, role)

    def _walk(self) -> Iterator[PoolFile]:
        waiting, count = [""], 0
        while waiting:  # no recursion: a deep tree must not end in a RecursionError
            prefix = waiting.pop()
            try:
                with os.scandir(self.root / prefix) as entries:
                    listed = sorted(entries, key=lambda entry: os.fsencode(entry.name))
            except OSError as error:
                if not prefix:
                    raise StoreError(f"cannot list {self.root}: {error.strerror}; check its permissions") from error
                self._note(ProblemKind.UNREADABLE, prefix, f"the folder cannot be listed: {error.strerror}")
                continue
            for entry in listed:
                name = prefix + entry.name
                if entry.name.startswith(".") or entry.name == "__pycache__":
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{name}/")
                    continue
                count += 1
                if count > MOST_FILES:
                    raise StoreError(f"{self.root} holds more than {MOST_FILES} files; import a part of it at a time")
                if entry.is_symlink() and os.path.isdir(entry.path):
                    self._linked_folder(name)
                    continue
                yield from self._file(name, role_of(name))

    def _linked_folder(self, name: str) -> None:
        """A link to a folder is not entered: what is inside the pool is met anyway."""
        if self._real(name) is None:
            self._note(ProblemKind.OUTSIDE, name, _OUTSIDE)

    def _file(self, name: str, role: Role | None) -> Iterator[PoolFile]:
        if role is None:
            return
        path = self._real(name)
        if path is None:
            self._note(ProblemKind.OUTSIDE, name, _OUTSIDE)
            return
        try:
            status = os.stat(path, follow_symlinks=False)
        except OSError as error:
            self._note(ProblemKind.UNREADABLE, name, f"it cannot be read: {error.strerror}")
            return
        if stat.S_ISREG(status.st_mode):
            yield PoolFile(name, path, role, status.st_size)
        else:
            self._note(ProblemKind.UNREADABLE, name, "it is no regular file")

    def _real(self, name: str) -> Path | None:
        """Where a file lies, all links followed; ``None`` when that is outside of the pool."""
        path = Path(os.path.realpath(self.root / name))
        return path if any(path.is_relative_to(place) for place in self._inside) else None

    def _note(self, kind: ProblemKind, name: str, message: str) -> None:
        self.problems.append(Problem(kind, name, message))


_OUTSIDE = (
    "it is a link that leads out of the pool, which is not followed; copy the pool with what it links to (cp -rL)"
)


def inside(path: str) -> str:
    """A path as it is written in a pool, relative to it; empty when it is absolute or climbs out.

    >>> inside("./games//a.py"), inside("../a.py"), inside("/etc/passwd")
    ('games/a.py', '', '')
    """
    pure = PurePosixPath(path.replace("\\", "/"))
    drive = len(path) > 1 and path[1] == ":"
    if pure.is_absolute() or drive or ".." in pure.parts or "\0" in path:
        return ""
    return "" if str(pure) == "." else str(pure)


def read_bytes(file: PoolFile, most: int) -> bytes:
    """The bytes of a file.

    Raises:
        Refused: it is larger than ``most``, no regular file any more, or cannot be read.
    """
    if file.size > most:
        raise Refused(ProblemKind.TOO_LARGE, f"it has {file.size} bytes; at most {most} are read")
    try:
        with open(_descriptor(file), "rb") as stream:
            data = stream.read(most + 1)
    except OSError as error:
        raise Refused(ProblemKind.UNREADABLE, f"it cannot be read: {error.strerror or error}") from None
    if len(data) > most:
        raise Refused(ProblemKind.TOO_LARGE, f"it has more than {most} bytes")
    return data


def digest(file: PoolFile) -> str:
    """SHA-256 of a file of any size. Raises :class:`Refused` when it cannot be read."""
    hashed = hashlib.sha256()
    try:
        with open(_descriptor(file), "rb", buffering=0) as stream:
            while chunk := stream.read(_CHUNK):
                hashed.update(chunk)
    except OSError as error:
        raise Refused(ProblemKind.UNREADABLE, f"it cannot be read: {error.strerror or error}") from None
    return hashed.hexdigest()


def as_rows(file: PoolFile) -> CorpusFile:
    """The same file, as the readers of rows take it."""
    kind = kind_of(file.name)
    assert kind is not None, "only files of rows come here"
    return CorpusFile(file.path, file.name, kind, file.size, 0)


def as_lines(file: PoolFile) -> CorpusFile:
    """The same file, as the reader of lines takes it, whatever its name is."""
    return CorpusFile(file.path, file.name, Kind.JSONL, file.size, 0)


def _descriptor(file: PoolFile) -> int:
    # Never through a link: where it leads was looked at before. Never waiting: a pipe would block for ever.
    descriptor = os.open(file.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "it is no regular file any more")
    return descriptor
