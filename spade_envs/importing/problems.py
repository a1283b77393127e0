"""What may be wrong with a pool. A problem is data: it is counted and told, and the rest of the pool is read."""

from __future__ import annotations

import collections
import dataclasses
import enum

MOST_TOLD = 100
"""Problems of one kind in one manifest that are told one by one."""


class ProblemKind(enum.StrEnum):
    """What is wrong."""

    MANIFEST = "manifest"
    """A manifest or a list of checksums, or an entry of one, cannot be read; sources are read without it."""
    MISSING = "missing"
    """A file that the pool tells of is not there."""
    OUTSIDE = "outside"
    """A path or a link leads out of the pool."""
    UNREADABLE = "unreadable"
    """A file cannot be read: damaged, no regular file, a library that is not installed."""
    TOO_LARGE = "too large"
    NOT_UTF8 = "not UTF-8"
    NOT_JSON = "not JSON"
    NO_CODE = "no code"
    """A row without a source in it."""
    CHECKSUM = "checksum"
    """A source is not what the pool says it is."""
    NO_CARD = "no card"
    """A source passed, but what is told about it does not fit on a card; it is remembered and on no shelf."""
    FIELD = "field"
    """Something told about a source is of a wrong type or too long; the source is read without it."""
    UNCLEAR = "unclear"
    """Several entries of a manifest may mean a file; it is read without them."""
    DUPLICATE = "duplicate"
    """The text was there before in this pool."""

    @property
    def loses(self) -> bool:
        """Whether a source was left out that may be nowhere else in the pool."""
        return self not in (ProblemKind.FIELD, ProblemKind.UNCLEAR, ProblemKind.DUPLICATE)


@dataclasses.dataclass(frozen=True)
class Problem:
    """One thing that could not be read as a source, or as what is told about one."""

    kind: ProblemKind
    place: str
    """File or row in the pool."""
    message: str
    """What was found and what to do about it."""
    count: int = 1
    """How many it stands for: a row group that is skipped has many rows."""


class Problems:
    """Problems of the manifests of a pool. There may be any number: the first of a kind are told, all are counted.

    >>> problems = Problems()
    >>> for number in range(250):
    ...     problems.note(ProblemKind.MANIFEST, f"manifest.json:{number}", "no object")
    >>> len(problems.told()), sum(problem.count for problem in problems.told()), problems.told()[-1].message
    (101, 250, '150 more of this kind')
    """

    def __init__(self) -> None:
        self._told: list[Problem] = []
        self._counts: collections.Counter[tuple[ProblemKind, str]] = collections.Counter()

    def note(self, kind: ProblemKind, place: str, message: str) -> None:
        """One more."""
        self.add(Problem(kind, place, message))

    def add(self, *problems: Problem) -> None:
        """Some more."""
        for problem in problems:
            key = problem.kind, problem.place.partition(":")[0]
            self._counts[key] += problem.count
            if self._counts[key] <= MOST_TOLD:
                self._told.append(problem)

    def told(self) -> tuple[Problem, ...]:
        """The first of each kind and file, then one for all others of that kind and file."""
        told = collections.Counter[tuple[ProblemKind, str]]()
        for problem in self._told:
            told[problem.kind, problem.place.partition(":")[0]] += problem.count
        rest = [
            Problem(kind, file, f"{count - told[kind, file]} more of this kind", count - told[kind, file])
            for (kind, file), count in self._counts.items()
            if count > told[kind, file]
        ]
        return (*self._told, *rest)


class Refused(Exception):
    """A file or a row turns out to be no source; becomes a :class:`Problem`."""

    def __init__(self, kind: ProblemKind, message: str, count: int = 1) -> None:
        super().__init__(kind, message, count)
        self.kind, self.message, self.count = kind, message, count

    def at(self, place: str) -> Problem:
        """The problem, now that its place is known."""
        return Problem(self.kind, place, self.message, self.count)
