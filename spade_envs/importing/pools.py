"""A pool: its sources one after the other as candidates, and its problems in between.

A pool is hostile input. Nothing in it is run here, nothing outside of its folder is read, and of its texts one is
held at a time; file names, manifests and the hashes of texts that were met are kept.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..types import EnvSource
from .claims import LONGEST_NAME, Claims, claims_in, claims_of_name, described, one_line
from .folders import LARGEST_SOURCE, Folder, PoolFile, Role, digest, read_bytes
from .manifests import Manifests
from .problems import Problem, ProblemKind, Refused
from .rows import TEXTS, FoundRow, count_rows, rows


@dataclasses.dataclass(frozen=True)
class Candidate:
    """A source as a pool holds it, with what the pool tells about it."""

    source: EnvSource
    place: str
    """Where it lies in the pool: a path, or ``rows.parquet:17``."""


class Pool:
    """A released pool: a folder, a file of rows, or a source. Iterate over it for candidates and problems, in order.

    Files come first, by name, then the rows of each file of rows. The order is the same on every machine.

    Args:
        path: the folder or file; a ``manifest.json`` stands for its folder.
        name: what the pool is called; by default after the folder or file.
        made_by: who wrote the sources, where the pool does not tell.

    Raises:
        StoreError: there is no such pool, or it cannot be listed.
    """

    def __init__(self, path: Path | str, *, name: str = "", made_by: str = "") -> None:
        self.path = Path(path)
        self._folder = Folder(self.path)
        self._manifests = Manifests(self._folder)
        self.name = one_line(name, LONGEST_NAME) or _name_of(self._folder)
        self._common = Claims(made_by=one_line(made_by, LONGEST_NAME))

    @property
    def expected(self) -> int | None:
        """How many candidates and problems there will be at most, about; ``None`` where only reading would tell."""
        counts = [count_rows(file) for file in self._folder.of(Role.ROWS)]
        known = [count for count in counts if count is not None]
        return len(self._folder.of(Role.SOURCE)) + sum(known) if len(known) == len(counts) else None

    def __iter__(self) -> Iterator[Candidate | Problem]:
        """Candidates and problems; a text that comes again is a problem."""
        seen: dict[bytes, str] = {}
        yield from self._folder.problems
        yield from self._manifests.problems.told()
        for item in self._items():
            if isinstance(item, Candidate):
                first = seen.setdefault(bytes.fromhex(item.source.sha256), item.place)
                if first != item.place:
                    message = f"its text is that of {first}"
                    item = Problem(ProblemKind.DUPLICATE, item.place, message)
            yield item
        if not self._folder.only:
            yield from self._manifests.missing()

    def _items(self) -> Iterator[Candidate | Problem]:
        for file in self._folder.of(Role.SOURCE):
            yield from self._file(file)
        for file in self._folder.of(Role.ROWS):
            try:
                expected = self._manifests.checksum(file.name)
                if expected and digest(file) != expected:
                    raise Refused(ProblemKind.CHECKSUM, "its checksum is wrong; no row of it is read, fetch it again")
                for row in rows(file):
                    yield from self._row(file, row)
            except Refused as refused:
                yield refused.at(file.name)

    def _file(self, file: PoolFile) -> Iterator[Candidate | Problem]:
        told, problems = self._manifests.claims(file.name)
        yield from problems
        claims = told.over(claims_of_name(file.name)).over(self._common)
        try:
            data = read_bytes(file, LARGEST_SOURCE)
            for expected in (self._manifests.checksum(file.name), claims.sha256):
                _check_digest(data, expected)
            yield self._candidate(_decoded(data), claims, file.name)
        except Refused as refused:
            yield refused.at(file.name)

    def _row(self, file: PoolFile, row: FoundRow) -> Iterator[Candidate | Problem]:
        place = f"{file.name}:{row.number}"
        if isinstance(row.value, Refused):
            yield row.value.at(place)
            return
        claims, problems = claims_in(row.value, place)
        try:
            text = _text_in(row.value)
            data = text.encode("utf-8", "surrogatepass")
            if len(data) > LARGEST_SOURCE:
                raise Refused(ProblemKind.TOO_LARGE, f"it has {len(data)} bytes; at most {LARGEST_SOURCE} are read")
            _check_digest(data, claims.sha256)
            if claims.size is not None and claims.size != len(data):
                raise Refused(ProblemKind.CHECKSUM, f"it has {len(data)} bytes, not {claims.size}; it is left out")
            yield from problems
            yield self._candidate(text, claims.over(self._common), place)
        except Refused as refused:
            yield refused.at(place)

    def _candidate(self, text: str, claims: Claims, place: str) -> Candidate:
        return Candidate(claims.source(text, self.name, place), place)


def _text_in(row: Mapping[str, Any]) -> str:
    given = next((row[key] for key in TEXTS if row.get(key) is not None), None)
    if given is None:
        keys = ", ".join(one_line(str(key), 40) for key in list(row)[:10])
        raise Refused(ProblemKind.NO_CODE, f"no source under {', '.join(TEXTS)}; keys: {keys or 'none'}")
    if not isinstance(given, str):
        raise Refused(ProblemKind.NO_CODE, f"the source is {described(given)}; a text is read")
    if not given.strip():
        raise Refused(ProblemKind.NO_CODE, "the source is blank")
    return given


def _decoded(data: bytes) -> str:
    if not data.strip():
        raise Refused(ProblemKind.NO_CODE, "the file is blank")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(ProblemKind.NOT_UTF8, f"it is no UTF-8 (byte {error.start})") from None


def _check_digest(data: bytes, expected: str) -> None:
    found = hashlib.sha256(data).hexdigest() if expected else ""
    if found != expected:
        message = f"its SHA-256 is {found[:12]}..., not {expected[:12]}...; it is left out, fetch it again"
        raise Refused(ProblemKind.CHECKSUM, message)


def _name_of(folder: Folder) -> str:
    """The pool's own name; a download of the Hugging Face hub is called after its repository."""
    real = folder.root.resolve()
    if real.parent.name == "snapshots" and "--" in real.parent.parent.name:
        name = "/".join(real.parent.parent.name.split("--")[1:])
    else:
        name = folder.only or real.name
    return one_line(name, LONGEST_NAME) or "pool"
