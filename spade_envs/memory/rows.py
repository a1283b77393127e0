"""What is written into the tables, and rows read out of them. Every function runs inside one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from ..types import EnvSource, Episode, Origin, Probe, Report, Verdict
from .facets import FACETS
from .measuring import LAST, summary
from .nearness import Tables, add_admitted
from .packing import hash_in, hash_out, storable
from .preparing import Prepared, said
from .records import Measured, Row

T = TypeVar("T")

KEPT_EPISODES = 8
"""Episodes that are kept of a source with the hint, and as many without it: the newest ones."""

_SOURCE = """sources (id, sha256, name, skill, contract, verdict, rule, made_by, run, scale, step, pool, path, recipe,
    difficulty, parent, document, lines)"""
_TEXT = "texts (id, body, hint, declared, claimed)"
_REPORT = "reports (source, verdict, body)"
_WORDS = "words (rowid, word)"
_MOST_VALUES = 16_384
"""Values of one statement; every SQLite since 3.32 takes twice as many."""

COLUMNS = """id, sha256, name, skill, contract, verdict, rule, env_id, made_by, run, scale, step, parent, document,
lines, strftime('%Y-%m-%dT%H:%M:%SZ', seen, 'unixepoch'), probes, pairs, plain, regret, low, high, band"""
"""What :func:`row_of` reads."""


def insert_sources(tables: Tables, sources: Sequence[Prepared]) -> list[int]:
    """Add sources; the numbers of those that were not there already. Of several with one text the first counts.

    Words come last and at once: each other statement makes their index write itself.
    """
    new = _unknown(tables, sources)
    if not new:
        return []
    (last,) = tables.execute("SELECT coalesce(max(id), 0) FROM sources").fetchone()
    numbers = range(last + 1, last + 1 + len(new))
    numbered = list(zip(numbers, new, strict=True))
    _insert(tables, _SOURCE, [(number, *one.columns) for number, one in numbered])
    _insert(tables, _TEXT, [(number, *one.texts) for number, one in numbered])
    _insert(tables, _REPORT, [(number, *one.report) for number, one in numbered if one.report is not None])
    _count_new(tables, last + 1)
    _insert(tables, _WORDS, [(number, one.words) for number, one in numbered])
    return list(numbers)


def _unknown(tables: Tables, sources: Iterable[Prepared]) -> list[Prepared]:
    """The first source of each hash that is not in the tables."""
    found: dict[object, Prepared] = {}
    for one in sources:
        found.setdefault(one.columns[0], one)
    for part in _parts(list(found), _MOST_VALUES):
        rows = _rounded(len(part))
        sql = f"SELECT sha256 FROM sources WHERE sha256 IN ({', '.join('?' * rows)})"
        for (known,) in tables.execute(sql, [*part, *[None] * (rows - len(part))]).fetchall():
            del found[known]
    return list(found.values())


def _insert(tables: Tables, into: str, values: Sequence[tuple[object, ...]]) -> None:
    """Insert rows, whose first value is not NULL, many in a statement: Python waits for its lock once for all.

    The statement is filled up with NULL to a power of two of rows, so that only a few are ever compiled and kept.
    """
    width = len(values[0]) if values else 1
    most = 1 << (_MOST_VALUES // width).bit_length() - 1
    row = f"({', '.join('?' * width)})"
    columns = ", ".join(f"column{at + 1}" for at in range(width))
    for part in _parts(values, most):
        rows = _rounded(len(part))
        given = [value for one in part for value in one] + [None] * (width * (rows - len(part)))
        marks = ", ".join([row] * rows)
        tables.execute(f"INSERT INTO {into} SELECT {columns} FROM (VALUES {marks}) WHERE column1 IS NOT NULL", given)


def _parts(values: Sequence[T], most: int) -> Iterator[Sequence[T]]:
    return (values[at : at + most] for at in range(0, len(values), most))


def _rounded(count: int) -> int:
    """The next power of two.

    >>> [_rounded(count) for count in (1, 2, 3, 500, 512, 513)]
    [1, 2, 4, 512, 512, 1024]
    """
    return 1 << (count - 1).bit_length()


def _count_new(tables: Tables, first: int) -> None:
    """Count the sources from number ``first`` on, all of them new, in the transaction that inserted them.

    By their numbers: an index of a facet would give its values in order, but those of all sources.
    """
    for facet in FACETS:
        tables.execute(
            f"INSERT INTO counts SELECT '{facet}', {facet}, count(*) FROM sources NOT INDEXED WHERE id >= ? "
            f"GROUP BY {facet} ON CONFLICT DO UPDATE SET sources = sources + excluded.sources",
            (first,),
        )


def insert_report(tables: Tables, number: int, report: Report, seen: str | None = None) -> None:
    """Append a report, and let its source be what it says."""
    _append_report(tables, number, report, seen)
    contract = "CASE ?3 WHEN '' THEN contract ELSE ?3 END"
    sql = f"UPDATE sources SET verdict = ?1, rule = ?2, contract = {contract} WHERE id = ?4"
    tables.execute(sql, (*said(report), number))
    if report.verdict is Verdict.ADMIT:
        add_admitted(tables, number)


def insert_probe(tables: Tables, number: int, probe: Probe, seen: str | None = None) -> None:
    """Append a probe, and let its source be as regretted as all say together."""
    values = (number, storable(probe.model), storable(probe.band), tables.packer.record(probe))
    _append(tables, "probes", ("source", "model", "band", "body"), values, seen)
    last = tables.execute(
        "SELECT body FROM probes WHERE source = ? ORDER BY id DESC LIMIT ?", (number, LAST)
    ).fetchall()
    together = summary([tables.packer.read(Probe, body) for (body,) in reversed(last)])
    numbers = (together.pairs, together.plain, together.regret, together.low, together.high, storable(together.band))
    names = "pairs = ?, plain = ?, regret = ?, low = ?, high = ?, band = ?"
    tables.execute(f"UPDATE sources SET probes = probes + 1, {names} WHERE id = ?", (*numbers, number))


def insert_episode(tables: Tables, number: int, episode: Episode) -> None:
    """Keep an episode, and no more than the newest ones of its arm."""
    sql = "INSERT INTO episodes (source, hinted, outcome, body) VALUES (?, ?, ?, ?)"
    tables.execute(sql, (number, int(episode.hinted), episode.outcome, tables.packer.record(episode)))
    sql = """DELETE FROM episodes WHERE source = ?1 AND hinted = ?2 AND id NOT IN
        (SELECT id FROM episodes WHERE source = ?1 AND hinted = ?2 ORDER BY id DESC LIMIT ?3)"""
    tables.execute(sql, (number, int(episode.hinted), KEPT_EPISODES))


def number_of(tables: Tables, sha256: str) -> int | None:
    """Number of the source with this hash."""
    found = tables.execute("SELECT id FROM sources WHERE sha256 = ?", (hash_in(sha256),)).fetchone()
    return None if found is None else int(found[0])


def source_of(tables: Tables, number: int) -> EnvSource:
    """The source itself."""
    sql = """SELECT texts.body, skill, declared, hint, parent, document, made_by, pool, path, run, step, scale, recipe,
        difficulty, claimed FROM sources JOIN texts ON texts.id = sources.id WHERE sources.id = ?"""
    body, skill, contract, hint, parent, document, made_by, *origin = tables.execute(sql, (number,)).fetchone()
    about = (skill, contract, hint, hash_out(parent), document, made_by)
    return EnvSource(tables.packer.text(body), *about, Origin(*origin))


def row_of(values: Sequence[Any]) -> Row:
    """A row of :data:`COLUMNS`."""
    number, sha256, name, skill, contract, verdict, rule, env_id, made_by, run, scale, step, *rest = values
    parent, document, lines, seen, probes, pairs, plain, regret, low, high, band = rest
    return Row(
        id=number,
        sha256=hash_out(sha256),
        name=name,
        skill=skill,
        contract=contract,
        verdict=Verdict(verdict) if verdict in tuple(Verdict) else None,
        rule=rule,
        env_id=env_id,
        made_by=made_by,
        run=run,
        scale=scale,
        step=step,
        parent=hash_out(parent),
        document=document,
        lines=lines,
        seen=seen,
        measured=Measured(probes, pairs, plain, regret, low, high, band) if probes else None,
    )


def _append(tables: Tables, table: str, columns: Sequence[str], values: Sequence[object], seen: str | None) -> None:
    """Add a row to ``table``; ``seen`` is a time to keep, of an older file."""
    marks = ", ".join("?" * len(values))
    if seen is None:
        tables.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", values)
        return
    sql = f"INSERT INTO {table} ({', '.join(columns)}, seen) VALUES ({marks}, CAST(strftime('%s', ?) AS INTEGER))"
    tables.execute(sql, (*values, seen))


def _append_report(tables: Tables, number: int, report: Report, seen: str | None = None) -> None:
    values = (number, report.verdict.value, tables.packer.record(report))
    _append(tables, "reports", ("source", "verdict", "body"), values, seen)
