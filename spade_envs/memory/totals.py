"""What the memory holds in all: sums over every source, in one pass each."""

from __future__ import annotations

import contextlib
import dataclasses
import os

from ..types import Verdict
from .records import Count
from .remembering import SqliteMemory

BINS = 20
"""Of the histogram of regrets, from -1 to 1."""


@dataclasses.dataclass(frozen=True)
class Cell:
    """The sources of one skill and contract."""

    skill: str
    contract: str
    sources: int
    admitted: int


@dataclasses.dataclass(frozen=True)
class Lengths:
    """Lines of sources: the least of them, half and nine tenths have at most so many, and the most."""

    least: int
    median: int
    most_of_90_percent: int
    most: int


@dataclasses.dataclass(frozen=True)
class Totals:
    """How much there is."""

    sources: int
    reports: int
    probes: int
    episodes: int
    documents: int
    bytes: int
    """Of the file, and of what has not been moved into it yet."""
    cells: tuple[Cell, ...]
    """Every skill and contract that occur together, in order of their names."""
    refused: tuple[Count, ...]
    """Refused sources by the rule that their last report names first, the most frequent first."""
    regrets: tuple[int, ...]
    """Probed sources by regret, in :data:`BINS` bins of equal width from -1 to 1; the last has both its ends."""
    lengths: Lengths | None
    """``None`` for an empty memory."""


def totals(memory: SqliteMemory) -> Totals:
    """Count everything.

    Raises:
        StoreError: the memory cannot be read.

    >>> import tempfile, pathlib
    >>> from spade_envs.types import EnvSource
    >>> with tempfile.TemporaryDirectory() as folder, SqliteMemory(pathlib.Path(folder) / "memory.db") as memory:
    ...     memory.add_source(EnvSource("x = 1\\n", skill="optimization"))
    ...     totals(memory).cells
    (Cell(skill='optimization', contract='', sources=1, admitted=0),)
    """
    run, verdicts = memory.db.run, (Verdict.ADMIT.value, Verdict.REFUSE.value)
    sources, reports, probes, episodes, documents = (int(run(f"SELECT count(*) FROM {one}")[0][0]) for one in _TABLES)
    by_kind = "SELECT skill, contract, count(*), sum(verdict = ?) FROM sources GROUP BY skill, contract ORDER BY 1, 2"
    by_rule = """SELECT rule, count(*) FROM sources WHERE verdict = ? AND rule <> '' GROUP BY rule
        ORDER BY 2 DESC, 1"""
    return Totals(
        sources=sources,
        reports=reports,
        probes=probes,
        episodes=episodes,
        documents=documents,
        bytes=_size(memory),
        cells=tuple(Cell(*row) for row in run(by_kind, verdicts[0])),
        refused=tuple(Count(*row) for row in run(by_rule, verdicts[1])),
        regrets=_regrets(memory),
        lengths=_lengths(memory),
    )


_TABLES = ("sources", "reports", "probes", "episodes", "documents")


def _regrets(memory: SqliteMemory) -> tuple[int, ...]:
    # Rounded, since a sum of outcomes may lie a hair beside the end of a bin.
    sql = "SELECT CAST(round((regret + 1) * ?1, 9) AS INTEGER), count(*) FROM sources WHERE probes > 0 GROUP BY 1"
    bins = [0] * BINS
    for number, count in memory.db.run(sql, BINS / 2):
        bins[max(0, min(BINS - 1, number))] += count
    return tuple(bins)


def _lengths(memory: SqliteMemory) -> Lengths | None:
    counts = memory.db.run("SELECT lines, count(*) FROM sources GROUP BY lines ORDER BY lines")
    if not counts:
        return None
    total, seen = sum(count for _, count in counts), 0
    marks: list[int] = []
    for lines, count in counts:
        seen += count
        marks += [lines] * (sum(seen >= share * total for share in (0.5, 0.9)) - len(marks))
    return Lengths(counts[0][0], marks[0], marks[1], counts[-1][0])


def _size(memory: SqliteMemory) -> int:
    size = 0
    for name in (memory.path.name, f"{memory.path.name}-wal"):
        with contextlib.suppress(FileNotFoundError):
            size += os.stat(memory.path.with_name(name)).st_size
    return size
