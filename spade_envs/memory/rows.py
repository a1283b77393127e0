"""What is written into the tables, and rows read out of them. Every function runs inside one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from ..types import EnvSource, Episode, Origin, Probe, Report, Severity, Verdict
from .measuring import LAST, summary
from .packing import body_in, body_out, hash_in, hash_out, name_of, storable, text_in, text_out, words_of
from .records import Measured, Row

Execute = Callable[[str, Sequence[object]], sqlite3.Cursor]

KEPT_EPISODES = 8
"""Episodes that are kept of a source with the hint, and as many without it: the newest ones."""

_SOURCE = """
INSERT INTO sources (sha256, name, skill, contract, made_by, run, scale, step, pool, path, recipe, difficulty, parent,
    document, lines)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sha256) DO NOTHING RETURNING id
"""

COLUMNS = """id, sha256, name, skill, contract, verdict, rule, env_id, made_by, run, scale, step, parent, document,
lines, strftime('%Y-%m-%dT%H:%M:%SZ', seen, 'unixepoch'), probes, pairs, plain, regret, low, high, band"""
"""What :func:`row_of` reads."""

MOST_STEP = 2**63 - 1


def insert_source(execute: Execute, source: EnvSource) -> int | None:
    """Add a source; its number, or ``None`` when it is there already."""
    origin = source.origin
    about = (source.made_by, origin.run, origin.scale)
    step = None if origin.step is None else max(-MOST_STEP, min(MOST_STEP, origin.step))
    values = (
        bytes.fromhex(source.sha256),
        name_of(source.text),
        storable(source.skill),
        storable(source.contract),
        *map(storable, about),
        step,
        *map(storable, (origin.pool, origin.path, origin.recipe, origin.difficulty)),
        hash_in(source.parent) if source.parent else None,
        storable(source.document),
        source.text.count("\n") + 1,
    )
    made = execute(_SOURCE, values).fetchone()
    if made is None:
        return None
    number = int(made[0])
    body = (number, text_in(source.text), storable(source.hint), storable(origin.claimed))
    execute("INSERT INTO texts (id, body, hint, claimed) VALUES (?, ?, ?, ?)", body)
    execute("INSERT INTO words (rowid, about, code) VALUES (?, ?, ?)", (number, *words_of(source)))
    return number


def insert_report(execute: Execute, number: int, report: Report, seen: str | None = None) -> None:
    """Append a report, and let its source be what it says."""
    _append(execute, "reports", ("source", "verdict", "body"), (number, report.verdict.value, body_in(report)), seen)
    first = next((one.rule for one in report.findings if one.severity is not Severity.WARNING), "")
    sql = (
        "UPDATE sources SET verdict = ?1, rule = ?2, contract = CASE ?3 WHEN '' THEN contract ELSE ?3 END WHERE id = ?4"
    )
    execute(sql, (report.verdict.value, storable(first), storable(report.contract), number))


def insert_probe(execute: Execute, number: int, probe: Probe, seen: str | None = None) -> None:
    """Append a probe, and let its source be as regretted as all say together."""
    values = (number, storable(probe.model), storable(probe.band), body_in(probe))
    _append(execute, "probes", ("source", "model", "band", "body"), values, seen)
    last = execute("SELECT body FROM probes WHERE source = ? ORDER BY id DESC LIMIT ?", (number, LAST)).fetchall()
    together = summary([body_out(Probe, body) for (body,) in reversed(last)])
    numbers = (together.pairs, together.plain, together.regret, together.low, together.high, storable(together.band))
    names = "pairs = ?, plain = ?, regret = ?, low = ?, high = ?, band = ?"
    execute(f"UPDATE sources SET probes = probes + 1, {names} WHERE id = ?", (*numbers, number))


def insert_episode(execute: Execute, number: int, episode: Episode) -> None:
    """Keep an episode, and no more than the newest ones of its arm."""
    sql = "INSERT INTO episodes (source, hinted, outcome, body) VALUES (?, ?, ?, ?)"
    execute(sql, (number, int(episode.hinted), episode.outcome, body_in(episode)))
    sql = """DELETE FROM episodes WHERE source = ?1 AND hinted = ?2 AND id NOT IN
        (SELECT id FROM episodes WHERE source = ?1 AND hinted = ?2 ORDER BY id DESC LIMIT ?3)"""
    execute(sql, (number, int(episode.hinted), KEPT_EPISODES))


def number_of(execute: Execute, sha256: str) -> int | None:
    """Number of the source with this hash."""
    found = execute("SELECT id FROM sources WHERE sha256 = ?", (hash_in(sha256),)).fetchone()
    return None if found is None else int(found[0])


def source_of(execute: Execute, number: int) -> EnvSource:
    """The source itself."""
    sql = """SELECT texts.body, skill, contract, hint, parent, document, made_by, pool, path, run, step, scale, recipe,
        difficulty, claimed FROM sources JOIN texts ON texts.id = sources.id WHERE sources.id = ?"""
    body, skill, contract, hint, parent, document, made_by, *origin = execute(sql, (number,)).fetchone()
    about = (skill, contract, hint, hash_out(parent), document, made_by)
    return EnvSource(text_out(body), *about, Origin(*origin))


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


def _append(execute: Execute, table: str, columns: Sequence[str], values: Sequence[object], seen: str | None) -> None:
    """Add a row to ``table``; ``seen`` is a time to keep, of an older file."""
    marks = ", ".join("?" * len(values))
    if seen is None:
        execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", values)
        return
    sql = f"INSERT INTO {table} ({', '.join(columns)}, seen) VALUES ({marks}, CAST(strftime('%s', ?) AS INTEGER))"
    execute(sql, (*values, seen))
