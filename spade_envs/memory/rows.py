"""What is written into the tables, and rows read out of them. Every function runs inside one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..types import EnvSource, Episode, Origin, Probe, Report, Severity, Verdict
from .facets import FACETS
from .measuring import LAST, summary
from .nearness import Tables, add_admitted
from .packing import Packer, hash_in, hash_out, name_of, storable, words_of
from .records import UNCHECKED, Measured, Row

KEPT_EPISODES = 8
"""Episodes that are kept of a source with the hint, and as many without it: the newest ones."""

_SOURCE = """
INSERT INTO sources (sha256, name, skill, contract, verdict, rule, made_by, run, scale, step, pool, path, recipe,
    difficulty, parent, document, lines)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sha256) DO NOTHING
"""

_TEXT = "INSERT INTO texts (id, body, hint, declared, claimed) VALUES (?, ?, ?, ?, ?)"
_REPORT = "INSERT INTO reports (source, verdict, body) VALUES (?, ?, ?)"

COLUMNS = """id, sha256, name, skill, contract, verdict, rule, env_id, made_by, run, scale, step, parent, document,
lines, strftime('%Y-%m-%dT%H:%M:%SZ', seen, 'unixepoch'), probes, pairs, plain, regret, low, high, band"""
"""What :func:`row_of` reads."""

MOST_STEP = 2**63 - 1


class Prepared(NamedTuple):
    """A source, with a first report or without, as it will stand in the tables; its number is not known yet."""

    columns: tuple[object, ...]
    """Of ``sources``."""
    texts: tuple[object, ...]
    """Of ``texts``."""
    words: str
    report: tuple[str, bytes] | None
    """Verdict and record."""


def prepared(packer: Packer, source: EnvSource, report: Report | None = None) -> Prepared:
    """All that can be done about a source before the file is locked.

    Raises:
        StoreError: for a NaN in the report.
    """
    origin = source.origin
    step = None if origin.step is None else max(-MOST_STEP, min(MOST_STEP, origin.step))
    verdict, rule, contract = (UNCHECKED, "", "") if report is None else _said(report)
    columns = (
        bytes.fromhex(source.sha256),
        name_of(source.text),
        storable(source.skill),
        contract or storable(source.contract),
        verdict,
        rule,
        *map(storable, (source.made_by, origin.run, origin.scale)),
        step,
        *map(storable, (origin.pool, origin.path, origin.recipe, origin.difficulty)),
        hash_in(source.parent) if source.parent else None,
        storable(source.document),
        _lines(source.text),
    )
    told = map(storable, (source.hint, source.contract, origin.claimed))
    record = None if report is None else (verdict, packer.record(report))
    return Prepared(columns, (packer.packed(source.text), *told), words_of(source), record)


def _lines(text: str) -> int:
    """Lines of a text, as ``wc -l`` and editors count them: a newline ends a line and begins none.

    >>> _lines("x = 1"), _lines("x = 1\\n"), _lines("x = 1\\ny = 2")
    (1, 1, 2)
    """
    return text.count("\n") + (not text.endswith("\n"))


def insert_sources(tables: Tables, sources: Iterable[Prepared]) -> list[int]:
    """Add sources; the numbers of those that were not there already.

    Words come last: each other statement makes their index write itself.
    """
    new: list[tuple[int, str]] = []
    for source in sources:
        made = tables.execute(_SOURCE, source.columns)
        if not made.rowcount:
            continue
        number = made.lastrowid or 0
        tables.execute(_TEXT, (number, *source.texts))
        if source.report is not None:
            tables.execute(_REPORT, (number, *source.report))
        new.append((number, source.words))
    if new:
        _count_new(tables, new[0][0])
    for row in new:
        tables.execute("INSERT INTO words (rowid, word) VALUES (?, ?)", row)
    return [number for number, _ in new]


def _count_new(tables: Tables, first: int) -> None:
    """Count the sources from number ``first`` on, all of them new, in the transaction that inserted them."""
    for facet in FACETS:
        tables.execute(
            f"INSERT INTO counts SELECT '{facet}', {facet}, count(*) FROM sources WHERE id >= ? GROUP BY {facet} "
            "ON CONFLICT DO UPDATE SET sources = sources + excluded.sources",
            (first,),
        )


def insert_report(tables: Tables, number: int, report: Report, seen: str | None = None) -> None:
    """Append a report, and let its source be what it says."""
    _append_report(tables, number, report, seen)
    contract = "CASE ?3 WHEN '' THEN contract ELSE ?3 END"
    sql = f"UPDATE sources SET verdict = ?1, rule = ?2, contract = {contract} WHERE id = ?4"
    tables.execute(sql, (*_said(report), number))
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


def _said(report: Report) -> tuple[str, str, str]:
    """Verdict, the first rule that did not let the source pass, and contract."""
    first = next((one.rule for one in report.findings if one.severity is not Severity.WARNING), "")
    return report.verdict.value, storable(first), storable(report.contract)
