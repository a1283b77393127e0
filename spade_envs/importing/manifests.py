"""Manifests and lists of checksums: what a pool tells about its files, by name."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..corpus.lines import chunks_of, split
from ..errors import StoreError
from .claims import Claims, claims_in, described
from .folders import LARGEST_MANIFEST, Folder, PoolFile, Role, as_lines, digest, inside, read_bytes
from .problems import Problem, ProblemKind, Problems, Refused

MOST_ENTRIES = 1_000_000
"""Entries of all manifests of a pool."""

_LISTS = ("games", "environments", "entries", "files", "sources")
"""Keys that the entries of a manifest lie under; the first that holds a list counts."""
_PATHS = ("path_in_dataset", "path", "relative_path", "file_path")
_NAMES = ("filename", "file_name", "file")
_SUM = re.compile(r"(\\?)([0-9a-fA-F]{64}) [ *](.+)", re.ASCII)


@dataclasses.dataclass
class _Told:
    """What one entry tells of one file."""

    claims: Claims
    place: str
    """Of the entry."""
    name: str
    """Of the file: a path in the pool, or a bare name."""
    used: bool = False


@dataclasses.dataclass
class _Alike:
    """What entries of one manifest tell of files of one bare name: kept together, since each may have thousands."""

    first: _Told
    order: int
    """Of the first, among all entries."""
    count: int = 0
    differ: bool = False
    used: bool = False

    def add(self, told: _Told) -> None:
        self.count += 1
        self.differ = self.differ or told.claims != self.first.claims


@dataclasses.dataclass
class _Named:
    """The same, and apart for each run that entries name."""

    whole: _Alike
    by_run: dict[str, _Alike]


class Manifests:
    """All that the files of a pool tell about other files of it.

    Args:
        folder: the pool.
    """

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self.problems = Problems()
        """Of the manifests themselves."""
        self._sums: dict[str, str] = {}
        self._by_path: dict[str, list[_Told]] = {}
        self._by_name: dict[tuple[str, str], dict[str, _Named]] = {}
        """By bare name and folder of the manifest, then by manifest."""
        self._entries = 0
        for file in folder.of(Role.CHECKSUMS):
            self._read_checksums(file)
        for file in folder.of(Role.MANIFEST):
            self._read_manifest(file)

    def checksum(self, name: str) -> str:
        """The SHA-256 that a list gives for a file, in small hexadecimal digits; empty when none does."""
        return self._sums.get(name, "")

    def claims(self, name: str) -> tuple[Claims, tuple[Problem, ...]]:
        """What all entries together tell about the file ``name``, and which of them are unclear."""
        by_manifest: dict[str, list[_Alike]] = {}
        for told in self._by_path.get(name, ()):
            told.used = True
            by_manifest.setdefault(_manifest_of(told), []).append(_Alike(told, -1, 1))
        for alike in sorted(self._bare(name), key=lambda one: one.order):
            alike.used = True
            by_manifest.setdefault(_manifest_of(alike.first), []).append(alike)
        merged, problems = Claims(), []
        for manifest, found in by_manifest.items():
            if any(one.differ for one in found) or len({one.first.claims for one in found}) > 1:
                message = (
                    f"{sum(one.count for one in found)} entries of {manifest} may mean it; it is read without them"
                )
                problems.append(Problem(ProblemKind.UNCLEAR, name, message))
            else:
                merged = merged.over(found[0].first.claims)
        return merged, tuple(problems)

    def _bare(self, name: str) -> list[_Alike]:
        """What is told of a file by its bare name, from its folder or one above."""
        folder, _, base = name.rpartition("/")
        parts = folder.split("/") if folder else []
        above = ["", *("".join(f"{part}/" for part in parts[: end + 1]) for end in range(len(parts)))]
        found = [named for prefix in above for named in self._by_name.get((base, prefix), {}).values()]
        # The same bare name in several runs: the one whose run is a folder on the way.
        runs = [one.by_run[part] for one in found for part in dict.fromkeys(parts) if part in one.by_run]
        return runs or [one.whole for one in found]

    def missing(self) -> Iterator[Problem]:
        """Files that are told of and are not there; ask when every file was looked at."""
        gone: dict[str, str] = {}
        for told in (one for entries in self._by_path.values() for one in entries):
            if not told.used and not self._folder.has(told.name):
                gone.setdefault(told.name, told.place)
        for named in (one for manifests in self._by_name.values() for one in manifests.values()):
            if named.whole.used or self._folder.has(named.whole.first.name):
                continue
            alone = next((one for one in named.by_run.values() if not one.used), None)
            if alone is not None:
                gone.setdefault(alone.first.name, alone.first.place)
        for name in self._sums:
            if not self._folder.has(name):
                gone.setdefault(name, "a list of checksums")
        for name, place in gone.items():
            yield Problem(ProblemKind.MISSING, name, f"{place} tells of it, but it is not there; fetch the pool again")

    def _read_checksums(self, file: PoolFile) -> None:
        try:
            self._take_checksums(file)
        except (OSError, StoreError) as error:
            self.problems.note(ProblemKind.UNREADABLE, file.name, f"it cannot be read: {error}")

    def _take_checksums(self, file: PoolFile) -> None:
        prefix = _prefix(file)
        for line in split(chunks_of(as_lines(file))):
            place = f"{file.name}:{line.number}"
            text = (line.data or b"").decode("utf-8", "surrogateescape").rstrip("\r")
            if line.data is not None and (not text.strip() or text.startswith("#")):
                continue
            match = _SUM.fullmatch(text)
            if match is None:
                self.problems.note(ProblemKind.MANIFEST, place, "it is no line of a list of SHA-256 checksums")
                continue
            escaped, found, written = match.groups()
            written = re.sub(r"\\([n\\])", lambda m: "\n" if m[1] == "n" else "\\", written) if escaped else written
            name = inside(written)
            if not name:
                self.problems.note(ProblemKind.OUTSIDE, place, "its path leads out of the pool; it is passed over")
            elif len(self._sums) < MOST_ENTRIES:
                self._sums[prefix + name] = found.lower()

    def _read_manifest(self, file: PoolFile) -> None:
        try:
            expected = self.checksum(file.name)
            if expected and digest(file) != expected:
                raise Refused(ProblemKind.CHECKSUM, "its checksum is wrong; what it tells is passed over")
            if file.name.lower().endswith(".json"):
                self._read_document(file)
            else:
                self._read_lines(file)
        except Refused as refused:
            self.problems.add(refused.at(file.name))

    def _read_document(self, file: PoolFile) -> None:
        """``{"summary": {...}, "games": [...]}``."""
        value = parsed(read_bytes(file, LARGEST_MANIFEST))
        summary: Mapping[str, Any] = {}
        if isinstance(value, dict):
            given = value.get("summary")
            summary = given if isinstance(given, dict) else {}
            value = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)
        if not isinstance(value, list):
            message = f"it holds no list of sources under {', '.join(_LISTS)}; sources are read without it"
            raise Refused(ProblemKind.MANIFEST, message)
        common, problems = claims_in(summary, file.name)
        self.problems.add(*problems)
        self._take(file, enumerate(value), common)

    def _read_lines(self, file: PoolFile) -> None:
        """A JSON object per line."""

        def objects() -> Iterator[tuple[int, object]]:
            for line in split(chunks_of(as_lines(file))):
                if line.data is None:
                    self.problems.note(ProblemKind.TOO_LARGE, f"{file.name}:{line.number}", "the line is too long")
                elif line.data.strip():
                    try:
                        yield line.number, parsed(line.data)
                    except Refused as refused:
                        self.problems.add(refused.at(f"{file.name}:{line.number}"))

        try:
            self._take(file, objects(), Claims())
        except (OSError, StoreError) as error:
            raise Refused(ProblemKind.UNREADABLE, f"it cannot be read: {error}") from None

    def _take(self, file: PoolFile, entries: Iterable[tuple[int, object]], common: Claims) -> None:
        prefix = _prefix(file)
        for number, entry in entries:
            place = f"{file.name}:{number}"
            self._entries += 1
            if self._entries > MOST_ENTRIES:
                raise Refused(ProblemKind.TOO_LARGE, f"more than {MOST_ENTRIES} entries; the rest is not read")
            if not isinstance(entry, dict):
                self.problems.note(ProblemKind.MANIFEST, place, f"the entry is {described(entry)}; an object is read")
                continue
            claims, problems = claims_in(entry, place)
            self.problems.add(*problems)
            self._place(prefix, place, entry, claims.over(common))

    def _place(self, prefix: str, place: str, entry: Mapping[str, Any], claims: Claims) -> None:
        path = next((entry[key] for key in _PATHS if isinstance(entry.get(key), str) and entry[key]), "")
        name = next((entry[key] for key in _NAMES if isinstance(entry.get(key), str) and entry[key]), "")
        if not path and not name:
            allowed = ", ".join((*_PATHS, *_NAMES))
            self.problems.note(ProblemKind.MANIFEST, place, f"the entry names no file; one of {allowed} is read")
            return
        clean = inside(path or name)
        if not clean:
            self.problems.note(ProblemKind.OUTSIDE, place, "its path leads out of the pool; it is passed over")
        elif path or "/" in clean:
            self._by_path.setdefault(prefix + clean, []).append(_Told(claims, place, prefix + clean))
        else:
            self._add_bare(clean, prefix, _Told(claims, place, prefix + clean))

    def _add_bare(self, name: str, prefix: str, told: _Told) -> None:
        manifests = self._by_name.setdefault((name, prefix), {})
        named = manifests.setdefault(_manifest_of(told), _Named(_Alike(told, self._entries), {}))
        named.whole.add(told)
        named.by_run.setdefault(told.claims.origin.run, _Alike(told, self._entries)).add(told)


def parsed(data: bytes) -> object:
    """The JSON value in some bytes.

    Raises:
        Refused: they are no UTF-8 or no JSON.
    """
    try:
        value: object = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise Refused(ProblemKind.NOT_UTF8, f"it is no UTF-8 (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise Refused(ProblemKind.NOT_JSON, f"it is no JSON: {error.msg}, line {error.lineno}") from None
    except (ValueError, RecursionError) as error:  # a number of a million digits; a million brackets
        raise Refused(ProblemKind.NOT_JSON, f"it is no JSON that can be read ({type(error).__name__})") from None
    return value


def _prefix(file: PoolFile) -> str:
    """The folder that a manifest lies in, with a slash at its end; empty at the top."""
    folder = file.name.rpartition("/")[0]
    return f"{folder}/" if folder else ""


def _manifest_of(told: _Told) -> str:
    """The manifest that an entry is in."""
    return told.place.rpartition(":")[0]
