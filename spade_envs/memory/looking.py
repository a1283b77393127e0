"""Looking into a memory: pages of rows, how they spread, everything about one source, charts over steps.

Every question is asked of an index, and counting stops at :data:`MOST_COUNTED`, so that a million sources answer as
fast as a thousand.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..errors import UnknownEnv
from . import rows
from .facets import FACETS
from .packing import hash_in, split, storable
from .records import UNPROBED, Count, Everything, Facets, Filters, Order, Page, Row
from .remembering import SqliteMemory

MOST_COUNTED = 10_000
"""Sources whose values are counted one by one when a filter is set; the newest ones."""
MOST_VALUES = 50
"""Values of one facet that are told."""
MOST_WORDS = 20
"""Words of one search; the first ones."""
MOST_NUMBER = 2**63 - 1
"""Largest number of a row that SQLite takes."""
SHORTEST = 6
"""Hex digits that name a source at least."""

_EQUAL = ("skill", "contract", "rule", "band", "made_by", "run", "scale", "verdict", "pool")
_PART = re.compile(r"(\w+)(\*?)")
_DIGITS = re.compile(rf"[0-9a-f]{{{SHORTEST},64}}", re.ASCII)
_KEYS = {Order.REGRET: ("low", -1), Order.HARDEST: ("plain", 1)}


def find(
    memory: SqliteMemory, filters: Filters, *, order: Order = Order.NEWEST, after: str = "", most: int = 50
) -> Page:
    """Sources that pass ``filters``.

    Args:
        memory: that is looked into.
        filters: what to show.
        order: of the rows.
        after: ``following`` of the page before.
        most: rows of the page.

    Raises:
        ValueError: for an ``after`` that no page gave.
        StoreError: the memory cannot be read.

    >>> import tempfile, pathlib
    >>> from spade_envs.types import EnvSource
    >>> with tempfile.TemporaryDirectory() as folder, SqliteMemory(pathlib.Path(folder) / "memory.db") as memory:
    ...     memory.add_source(EnvSource("class QueueEnv: ..."))
    ...     [row.name for row in find(memory, Filters(text="queue")).rows]
    ['QueueEnv']
    """
    key, sign = _KEYS.get(order, ("sources.id", -1))
    text, values = _match(filters), []
    begin = f"FROM sources{_driver(memory, filters, order)}"
    if text is not None:
        # The words give their rows newest first, so that no more are read than are shown.
        begin = "FROM words CROSS JOIN sources ON sources.id = words.rowid"
        values.append(text)
        key = "words.rowid" if order is Order.NEWEST else key
    where = [] if text is None else ["words MATCH ?"]
    limits, more = _where(filters)
    where += limits
    values += more
    if order is not Order.NEWEST:
        where.append("probes > 0")
    if after:
        where.append(f"({key}, sources.id) {'<' if sign < 0 else '>'} (?, ?)" if order in _KEYS else f"{key} < ?")
        values += _after(after, order)
    way = "DESC" if sign < 0 else "ASC"
    by = f"{key} {way}, sources.id {way}" if order in _KEYS else f"{key} {way}"
    condition = f"WHERE {' AND '.join(where)}" if where else ""
    found = memory.db.run(
        f"SELECT {rows.COLUMNS.replace('id,', 'sources.id,', 1)} {begin} {condition} ORDER BY {by} LIMIT ?",
        *values,
        most + 1,
    )
    shown = tuple(rows.row_of(row) for row in found[:most])
    return Page(shown, _following(shown[-1], order) if len(found) > most else "")


def facets(memory: SqliteMemory, filters: Filters) -> Facets:
    """How the sources that pass ``filters`` spread.

    Without a filter the numbers are kept at hand and always exact; with one, at most :data:`MOST_COUNTED` sources are
    counted.

    Raises:
        StoreError: the memory cannot be read.
    """
    if filters == Filters():
        found: dict[str, list[Count]] = {facet: [] for facet in FACETS}
        for facet, value, sources in memory.db.run("SELECT facet, value, sources FROM counts WHERE sources > 0"):
            found[facet].append(Count(value, sources))
        total = sum(count.sources for count in found["verdict"])
        return _facets(total, True, found)
    begin, values = f"FROM sources{_driver(memory, filters, Order.NEWEST)}", []
    limits, more = _where(filters)
    text, by = _match(filters), "sources.id"
    if text is not None:
        begin, by = "FROM words CROSS JOIN sources ON sources.id = words.rowid", "words.rowid"
        limits, values = ["words MATCH ?", *limits], [text]
    columns = ", ".join(f"sources.{facet}" for facet in FACETS)
    counted = memory.db.run(
        f"SELECT {columns} {begin} WHERE {' AND '.join(limits) or 1} ORDER BY {by} DESC LIMIT ?",
        *values,
        *more,
        MOST_COUNTED + 1,
    )
    kept = counted[:MOST_COUNTED]
    spread = {
        facet: [Count(value, sources) for value, sources in Counter(row[at] for row in kept).items()]
        for at, facet in enumerate(FACETS)
    }
    return _facets(len(kept), len(counted) <= MOST_COUNTED, spread)


def selected(memory: SqliteMemory, filters: Filters) -> Iterator[int]:
    """Numbers of all sources that pass ``filters``, oldest first.

    Raises:
        StoreError: the memory cannot be read.
    """
    limits, values = _where(filters)
    text = _match(filters)
    if text is not None:
        limits.append("sources.id IN (SELECT rowid FROM words WHERE words MATCH ?)")
        values.append(text)
    last = 0
    while True:
        condition = " AND ".join(["sources.id > ?", *limits])
        sql = f"SELECT sources.id FROM sources WHERE {condition} ORDER BY sources.id LIMIT 5000"
        found = memory.db.run(sql, last, *values)
        if not found:
            return
        yield from (number for (number,) in found)
        last = found[-1][0]


def everything(memory: SqliteMemory, sha256: str) -> Everything | None:
    """All that is known about one source; ``None`` when the memory does not know it.

    Raises:
        StoreError: the memory cannot be read, or what it holds of this source is damaged.
    """
    found = memory.db.run(f"SELECT {rows.COLUMNS} FROM sources WHERE sha256 = ?", hash_in(sha256))
    source = memory.source(sha256) if found else None
    if source is None:
        return None
    return Everything(rows.row_of(found[0]), source, source.origin, memory.reports(sha256), memory.probes(sha256))


def resolve(memory: SqliteMemory, name: str) -> str:
    """sha256 of what ``name`` names: a gymnasium id, a bare ``env-0001``, or the first digits of a hash.

    Raises:
        UnknownEnv: nothing has this name, or several sources begin with these digits; it names the nearest.
        StoreError: the memory cannot be read.
    """
    wanted = storable(name)
    if _DIGITS.fullmatch(wanted):
        found = beginning(memory, wanted)
        if len(found) == 1:
            return found[0]
        if found:
            begin = ", ".join(one[: len(wanted) + 4] for one in found)
            raise UnknownEnv(f"several sources begin with {wanted}: {begin}, ...; give more digits")
    for env_id in (wanted, f"spade/{wanted}"):
        named = memory.db.run("SELECT sha256 FROM sources WHERE env_id = ? AND env_id <> ''", env_id)
        if named:
            return str(named[0][0].hex())
    known = [row[0] for row in memory.db.run("SELECT env_id FROM sources WHERE env_id <> '' LIMIT 10000")]
    near = difflib.get_close_matches(wanted if "/" in wanted else f"spade/{wanted}", known, 3, 0.8)
    hint = f"; near it: {', '.join(near)}" if near else ""
    raise UnknownEnv(
        f"nothing in {memory.path} is called {name[:80]!r}{hint}. "
        f"Name an id such as spade/env-0001, or at least {SHORTEST} digits of a sha256"
    )


def beginning(memory: SqliteMemory, digits: str) -> tuple[str, ...]:
    """Up to three hashes that begin with these hex digits.

    Raises:
        StoreError: the memory cannot be read.
    """
    low, high = bytes.fromhex(digits.ljust(64, "0")), bytes.fromhex(digits.ljust(64, "f"))
    found = memory.db.run("SELECT sha256 FROM sources WHERE sha256 BETWEEN ? AND ? LIMIT 3", low, high)
    return tuple(str(row[0].hex()) for row in found)


def _where(filters: Filters) -> tuple[list[str], list[Any]]:
    """Conditions on the columns of ``sources``, with their values."""
    where: list[str] = []
    values: list[Any] = []
    for name in _EQUAL:
        value = getattr(filters, name)
        if value:
            where.append(f"sources.{name} = ?")
            values.append(storable(value))
    if filters.band and filters.band != UNPROBED:
        where.append("probes > 0")
    # An index of some rows is only used where its condition is said.
    where += [f"sources.{name} <> ''" for name in ("rule", "made_by", "run", "scale", "pool") if getattr(filters, name)]
    for name, span in (("regret", filters.regret), ("step", filters.steps)):
        if span is not None:
            where.append(f"sources.{name} BETWEEN ? AND ?")
            values += span
    if filters.document:
        where.append("document = ? AND document <> ''")
        values.append(storable(filters.document))
    if filters.shelved:
        where.append("env_id <> ''")
    return where, values


def _driver(memory: SqliteMemory, filters: Filters, order: Order) -> str:
    """The index to go along: of the rarest value that is asked for."""
    if order is not Order.NEWEST or _match(filters) or filters.document or filters.shelved:
        return ""
    asked = [(name, storable(getattr(filters, name))) for name in _EQUAL if getattr(filters, name)]
    if not asked or (filters.band == UNPROBED and len(asked) == 1):
        return " NOT INDEXED" if not asked and filters.regret is None else ""
    sizes = []
    for name, value in asked:
        known = memory.db.run("SELECT sources FROM counts WHERE facet = ? AND value = ?", name, value)
        sizes.append((known[0][0] if known else 0, name, value))
    _, name, value = min(one for one in sizes if (one[1], one[2]) != ("band", UNPROBED))
    return "" if name == "run" else f" INDEXED BY sources_{name}"


def _match(filters: Filters) -> str | None:
    """What is searched for, as FTS5 reads it: every word quoted, so that none is an operator."""
    words = [(word, star) for part, star in _PART.findall(storable(filters.text)) for word in split(part)]
    return " AND ".join(f'"{word}"{star}' for word, star in words[:MOST_WORDS]) or None


def _after(after: str, order: Order) -> list[Any]:
    try:
        *key, number = after.split(":")
        if abs(int(number)) > MOST_NUMBER:
            raise ValueError(number)
        if order in _KEYS:
            return [float(key[0]), int(number)]
        return [int(number)]
    except (ValueError, IndexError):
        raise ValueError(f"after {after[:80]!r} is of no page; give back what a page said in following") from None


def _following(row: Row, order: Order) -> str:
    if row.measured is None or order is Order.NEWEST:
        return str(row.id)
    return f"{row.measured.low if order is Order.REGRET else row.measured.plain!r}:{row.id}"


def _facets(total: int, exact: bool, spread: dict[str, list[Count]]) -> Facets:
    ranked: dict[str, tuple[Count, ...]] = {}
    for facet, counts in spread.items():
        ordered = sorted((one for one in counts if one.value), key=lambda one: (-one.sources, one.value))
        ranked[facet] = tuple(ordered[:MOST_VALUES])
    return Facets(total, exact, **ranked)
