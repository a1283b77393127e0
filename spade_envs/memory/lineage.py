"""Where a source comes from and what came of it: repairs, descendants, and the seeds that designers were shown."""

from __future__ import annotations

from collections.abc import Iterator

from . import rows
from .packing import hash_in, hash_out
from .records import Family, Relative, Row
from .remembering import SqliteMemory

# A source may name itself, or two each other: whoever was met is not followed again.
_UP = """
SELECT parent, 'parent' FROM sources WHERE sha256 = ?1 AND parent IS NOT NULL
UNION ALL SELECT parent, 'seed' FROM descents WHERE child = ?1
LIMIT ?2
"""
_DOWN = """
SELECT sha256, 'parent' FROM sources WHERE parent = ?1 AND parent IS NOT NULL
UNION ALL SELECT child, 'seed' FROM descents WHERE parent = ?1
LIMIT ?2
"""


def family(memory: SqliteMemory, sha256: str, *, most: int = 200) -> Family:
    """The lineage around a source, nearest relatives first.

    Args:
        memory: that knows it.
        sha256: of the source.
        most: relatives in each direction.

    Raises:
        StoreError: the memory cannot be read.
    """
    ancestors, all_up = _relatives(memory, sha256, _UP, most)
    descendants, all_down = _relatives(memory, sha256, _DOWN, most)
    return Family(ancestors, descendants, all_up and all_down)


def ancestors(memory: SqliteMemory, sha256: str, *, most: int = 1000) -> frozenset[str]:
    """Hashes of all that a source descends from, by repair or as seeds; not its own.

    Raises:
        StoreError: the memory cannot be read.
    """
    return frozenset(hash_out(name) for name, _, _, _ in _walk(memory, sha256, _UP, most))


def _relatives(memory: SqliteMemory, sha256: str, sql: str, most: int) -> tuple[tuple[Relative, ...], bool]:
    found = [
        Relative(hash_out(name), kind, _row(memory, name), depth, hash_out(via))
        for name, kind, depth, via in _walk(memory, sha256, sql, most + 1)
    ]
    return tuple(found[:most]), len(found) <= most


def _walk(
    memory: SqliteMemory, sha256: str, sql: str, most: int
) -> Iterator[tuple[bytes | str, str, int, bytes | str]]:
    """Breadth first: hash, kind, depth, and the hash that it was reached from."""
    start = hash_in(sha256)
    met, front, depth, told = {start}, [start], 0, 0
    while front:
        depth += 1
        following: list[bytes | str] = []
        for via in front:
            for name, kind in memory.db.run(sql, via, most + len(met)):
                if name in met:
                    continue
                if told == most:
                    return
                met.add(name)
                following.append(name)
                told += 1
                yield name, kind, depth, via
        front = following


def _row(memory: SqliteMemory, name: bytes | str) -> Row | None:
    found = memory.db.run(f"SELECT {rows.COLUMNS} FROM sources WHERE sha256 = ?", name)
    return rows.row_of(found[0]) if found else None
