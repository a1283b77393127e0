"""Candidates for a designer's seeds: a bounded number, read along indexes however large the memory is."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..contract import CONTRACTS
from ..types import Verdict
from .choosing import LEARNABLE, TOO_EASY, TOO_HARD, Candidate
from .database import Database
from .packing import hash_out, storable

PER_LEVEL = (128, 32, 8)
"""Sources of each kind that are read for one skill and contract, by level (:attr:`choosing.Candidate.level`)."""
SPARE = 8
"""Candidates beyond those wanted below which the next level is read too: some may be too long."""
MOST_SKILLS = 32
"""Other skills that are looked at, those with most sources: a pool may name thousands."""
LISTED = 4096
"""So many or fewer sources are listed to draw from evenly; among more, numbers are tried."""
TRIES = 16 * 1024
"""Numbers that are tried at most."""
DEEPEST = 16
"""Steps from a source to its oldest ancestor that are taken."""

_COLUMNS = "id, sha256, verdict, CASE WHEN probes > 0 THEN band ELSE 'unprobed' END, plain, regret, low"
_OF = "verdict = ? AND skill = ? AND contract = ?"
_BALANCED = (
    (Verdict.ADMIT, f"{_OF} AND probes > 0 ORDER BY low DESC, id DESC", 1),
    (Verdict.ADMIT, f"{_OF} AND probes > 0 ORDER BY low, id", 4),
    (Verdict.ADMIT, f"{_OF} ORDER BY id DESC", 1),
    (Verdict.REFUSE, f"{_OF} AND rule NOT LIKE 'duplicates.%' ORDER BY id DESC", 4),
)
"""The best, the worst and the newest admitted, and the newest refused: of ``PER_LEVEL``, one part in so many."""
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
    if strategy == "paper":
        return _with_roots(db, _of_paper(db, storable(skill), random.Random(seed)))
    chance = random.Random(seed)
    found: dict[int, Candidate] = {}
    for level, pairs in enumerate(_levels(db, storable(skill), storable(contract))):
        for pair in pairs:
            read = _evenly_of(db, pair, level, chance) if strategy == "uniform" else _balanced_of(db, pair, level)
            for one in read:
                found.setdefault(one.id, one)
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


def _balanced_of(db: Database, pair: tuple[str, str], level: int) -> Iterator[Candidate]:
    for verdict, condition, part in _BALANCED:
        sql = f"SELECT {_COLUMNS} FROM sources WHERE {condition} LIMIT ?"
        for row in db.run(sql, verdict.value, *pair, max(2, PER_LEVEL[level] // part)):
            yield _candidate(row, level)


def _evenly_of(db: Database, pair: tuple[str, str], level: int, chance: random.Random) -> Iterator[Candidate]:
    for verdict in (Verdict.ADMIT, Verdict.REFUSE):
        for row in _evenly(db, _OF, (verdict.value, *pair), PER_LEVEL[level], chance):
            yield _candidate(row, level)


def _of_paper(db: Database, skill: str, chance: random.Random) -> list[Candidate]:
    """The rule knows skills and no contracts; a skill that is not wanted in particular is any."""
    found = []
    for one in [skill] if skill else _skills(db):
        of = "verdict = ? AND skill = ? AND probes > 0"
        sql = f"SELECT {_COLUMNS} FROM sources WHERE {of} AND plain BETWEEN ? AND ? ORDER BY regret DESC, id LIMIT ?"
        found += db.run(sql, Verdict.ADMIT.value, one, *LEARNABLE, PER_LEVEL[0])
        values = (Verdict.ADMIT.value, one, TOO_EASY, TOO_HARD)
        found += _evenly(db, f"{of} AND (plain > ? OR plain < ?)", values, PER_LEVEL[0], chance)
    return [_candidate(row, 0) for row in found]


def _evenly(
    db: Database, condition: str, values: Sequence[object], count: int, chance: random.Random
) -> list[Sequence[object]]:
    """Rows of at most ``count`` sources, each that fits equally likely."""
    fitting = f"SELECT id FROM sources WHERE {condition}"
    numbers = [number for (number,) in db.run(f"{fitting} LIMIT ?", *values, LISTED + 1)]
    if len(numbers) > LISTED:
        ((last,),) = db.run("SELECT max(id) FROM sources")
        # Each number of the memory is as likely as any other; those that do not fit are passed over.
        tried = json.dumps([chance.randint(1, last) for _ in range(TRIES)])
        sql = f"SELECT DISTINCT value FROM json_each(?) CROSS JOIN sources ON id = value WHERE {condition} LIMIT ?"
        numbers = [number for (number,) in db.run(sql, tried, *values, 4 * count)]
    chosen = chance.sample(sorted(numbers), min(count, len(numbers)))
    return db.run(f"SELECT {_COLUMNS} FROM sources WHERE id IN (SELECT value FROM json_each(?))", json.dumps(chosen))


def _candidate(row: Sequence[object], level: int) -> Candidate:
    number, sha256, verdict, band, plain, regret, low = row
    found = Candidate(number, hash_out(sha256), "", level, verdict == Verdict.REFUSE, band, plain, regret, low)  # type: ignore[arg-type]
    return found


def _with_roots(db: Database, found: Sequence[Candidate]) -> tuple[Candidate, ...]:
    rows = db.run(_ROOTS, json.dumps([one.id for one in found]))
    roots = {start: hash_out(ancestor) for start, ancestor, _ in rows}
    return tuple(replace(one, root=roots.get(one.id, "")) for one in found)
