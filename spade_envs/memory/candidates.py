"""Candidates for a designer's seeds: a bounded number, read along indexes however large the memory is."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..contract import CONTRACTS
from ..types import Verdict
from .choosing import LEARNABLE, TOO_EASY, TOO_HARD, Candidate
from .database import Database
from .packing import hash_out, storable

READ = 128
"""Sources of each kind that are read for one level (:attr:`choosing.Candidate.level`), of all its skills together."""
LEAST = 2
"""And for each skill and contract at least."""
SPARE = 8
"""Candidates beyond those wanted below which the next level is read too: some may be too long."""
MOST_SKILLS = 32
"""Other skills that are looked at, those with most sources: a pool may name thousands."""
LISTED = 16 * 1024
"""Newest sources of a level that an even draw is from: more would take too long to read."""
DEEPEST = 16
"""Steps from a source to its oldest ancestor that are taken."""

_PRIME = 2**31 - 1
_COLUMNS = "id, sha256, verdict, CASE WHEN probes > 0 THEN band ELSE 'unprobed' END, plain, regret, low"
_OF = "verdict = ? AND skill = ? AND contract = ?"
_LESSON = "AND rule NOT LIKE 'duplicates.%' ORDER BY id DESC"
"""A copy of what is known teaches nothing."""
_BALANCED = (
    (Verdict.ADMIT, f"{_OF} AND probes > 0 ORDER BY low DESC, id DESC", 1),
    (Verdict.ADMIT, f"{_OF} AND probes > 0 ORDER BY low, id", 4),
    (Verdict.ADMIT, f"{_OF} ORDER BY id DESC", 1),
    (Verdict.REFUSE, f"id IN (SELECT id FROM sources WHERE {_OF} ORDER BY id DESC LIMIT {READ}) {_LESSON}", 4),
)
"""The best, the worst and the newest admitted, and the newest refused: of what is read, one part in so many."""
_ROOTS = f"""
WITH RECURSIVE up (start, ancestor, steps) AS (
    SELECT id, parent, 1 FROM sources WHERE id IN (SELECT value FROM json_each(?)) AND parent IS NOT NULL
    UNION ALL
    SELECT start, parent, steps + 1 FROM up JOIN sources ON sha256 = ancestor
    WHERE parent IS NOT NULL AND steps < {DEEPEST})
SELECT start, ancestor, max(steps) FROM up GROUP BY start
"""


def candidates_of(
    db: Database, strategy: str, skill: str, contract: str, *, positives: int, negatives: int, seed: int
) -> tuple[Candidate, ...]:
    """What ``strategy`` chooses from: of the skill and contract; where they are few, of the skill, then of any.

    Args:
        db: of the memory.
        strategy: one of :data:`choosing.STRATEGIES`.
        skill: the wanted one; empty for all.
        contract: the wanted one; empty for all.
        positives: how many are wanted.
        negatives: how many are wanted.
        seed: decides which are read where there are too many for an even choice.

    Raises:
        StoreError: when the memory cannot be read.
    """
    chance = random.Random(seed)
    if strategy == "paper":
        return _with_roots(db, _of_paper(db, storable(skill), chance))
    found: dict[int, Candidate] = {}
    for level, pairs in enumerate(_levels(db, storable(skill), storable(contract))):
        for pair in pairs:
            most = max(LEAST, READ // len(pairs))
            even = strategy == "uniform"
            rows = _evenly_of(db, pair, most, LISTED // len(pairs), chance) if even else _balanced_of(db, pair, most)
            for row in rows:
                found.setdefault(row[0], _candidate(row, level))
        useful, failed = (sum(getattr(one, name) for one in found.values()) for name in ("useful", "failed"))
        if useful >= positives + SPARE and failed >= negatives + SPARE:
            break
    return _with_roots(db, list(found.values()))


def _levels(db: Database, skill: str, contract: str) -> Iterator[list[tuple[str, str]]]:
    """Skills with contracts: those wanted, then those of other contracts, then those of other skills."""
    contracts = (*CONTRACTS, "")
    skills = [skill] if skill else _skills(db)
    wanted = [contract] if contract else contracts
    yield [(one, other) for one in skills for other in wanted]
    if contract:
        yield [(one, other) for one in skills for other in contracts if other != contract]
    else:
        yield []
    if skill:
        yield [(other, one) for other in _skills(db) if other != skill for one in contracts]


def _skills(db: Database) -> list[str]:
    sql = "SELECT value FROM counts WHERE facet = 'skill' AND sources > 0 ORDER BY sources DESC, value LIMIT ?"
    return [value for (value,) in db.run(sql, MOST_SKILLS)]


def _balanced_of(db: Database, pair: tuple[str, str], most: int) -> Iterator[Sequence[Any]]:
    for verdict, condition, part in _BALANCED:
        sql = f"SELECT {_COLUMNS} FROM sources WHERE {condition} LIMIT ?"
        yield from db.run(sql, verdict.value, *pair, max(LEAST, most // part))


def _evenly_of(
    db: Database, pair: tuple[str, str], most: int, newest: int, chance: random.Random
) -> Iterator[Sequence[Any]]:
    for verdict in (Verdict.ADMIT, Verdict.REFUSE):
        fitting = f"SELECT id FROM sources WHERE {_OF} ORDER BY id DESC LIMIT ?"
        yield from _evenly(db, fitting, (verdict.value, *pair, newest), most, chance)


def _of_paper(db: Database, skill: str, chance: random.Random) -> list[Candidate]:
    """The rule knows skills and no contracts; a skill that is not wanted in particular is any."""
    found: list[Sequence[Any]] = []
    table = "sources INDEXED BY sources_paper WHERE verdict = ? AND skill = ? AND probes > 0"
    for one in [skill] if skill else _skills(db):
        sql = f"SELECT {_COLUMNS} FROM {table} AND plain BETWEEN ? AND ? ORDER BY regret DESC, id LIMIT ?"
        found += db.run(sql, Verdict.ADMIT.value, one, *LEARNABLE, READ)
        fitting = f"SELECT id FROM {table} AND (plain > ? OR plain < ?)"
        found += _evenly(db, fitting, (Verdict.ADMIT.value, one, TOO_EASY, TOO_HARD), READ, chance)
    return [_candidate(row, 0) for row in found]


def _evenly(
    db: Database, fitting: str, values: Sequence[object], most: int, chance: random.Random
) -> list[Sequence[Any]]:
    """At most so many of the sources that a query lists, each equally likely."""
    # SQLite's own random order has no seed: numbers are hashed by a random multiplier modulo a prime.
    order = f"id * {chance.randrange(2**20, _PRIME)} % {_PRIME}"
    chosen = f"SELECT id FROM ({fitting}) ORDER BY {order} LIMIT ?"
    return db.run(f"SELECT {_COLUMNS} FROM sources WHERE id IN ({chosen}) {_LESSON}", *values, most)


def _candidate(row: Sequence[Any], level: int) -> Candidate:
    number, sha256, verdict, *measured = row
    return Candidate(number, hash_out(sha256), "", level, verdict == Verdict.REFUSE, *measured)


def _with_roots(db: Database, found: Sequence[Candidate]) -> tuple[Candidate, ...]:
    rows = db.run(_ROOTS, json.dumps([one.id for one in found]))
    roots = {start: hash_out(ancestor) for start, ancestor, _ in rows}
    return tuple(replace(one, root=roots.get(one.id, "")) for one in found)
