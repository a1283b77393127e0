"""Near neighbours: which admitted sources hold nearly the same code as another, found by keys that they share.

Only what was ever admitted has a signature here, and only what its last report admits is a neighbour: a source that was
refused is there to be mended and handed in again.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

from ..similarity import bands, is_signature, signature, similarity
from ..types import EnvSource, Neighbour, Verdict
from .packing import Packer, hash_in, hash_out

Execute = Callable[[str, Sequence[object]], sqlite3.Cursor]

NEAR_TABLES = """
CREATE TABLE signatures (
    id INTEGER PRIMARY KEY REFERENCES sources (id),
    body BLOB NOT NULL                              -- of similarity.signature, whose first byte is its format
);
CREATE TABLE bands (                                -- of similarity.bands: what is alike shares at least one key
    key INTEGER NOT NULL,
    id INTEGER NOT NULL REFERENCES sources (id),
    PRIMARY KEY (key, id)
) WITHOUT ROWID
"""

LEAST = 0.65
"""Similarity from which a source is told as a neighbour; about four of five pairs this alike are found."""
CROWD = 64
"""Sources of one key that are looked at, the newest first: copies of one template may be thousands."""
CANDIDATES = 256
"""Signatures that are compared at most, those with the most keys in common first."""
BELOW_ONE = 0.99
"""Similarity of other code whose signature is the same; 1 is for the same code."""
NAME = 128
"""Characters of a name that are told."""
GENERATIONS = 1000
"""Ancestors that are looked up at most."""


class Tables(Protocol):
    """An open file, inside a transaction."""

    packer: Packer

    def execute(self, sql: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run one statement."""


class Rows(Protocol):
    """A file of a memory, read statement by statement (``database.Database``)."""

    def run(self, sql: str, *values: object) -> list[Any]:
        """All rows of one statement."""


def add_signature(execute: Execute, number: int, signature: bytes) -> None:
    """Keep the signature of source ``number``, inside the transaction that is open. One that is there stays.

    Nothing is kept for what is no signature of this version, such as the empty one.
    """
    if not is_signature(signature):
        return
    if execute("INSERT INTO signatures VALUES (?, ?) ON CONFLICT DO NOTHING", (number, signature)).rowcount:
        for key in bands(signature):
            execute("INSERT INTO bands VALUES (?, ?) ON CONFLICT DO NOTHING", (key, number))


def add_admitted(tables: Tables, number: int) -> None:
    """Keep the signature of source ``number``, whose text is there, inside the transaction that is open."""
    if tables.execute("SELECT 1 FROM signatures WHERE id = ?", (number,)).fetchone() is None:
        (body,) = tables.execute("SELECT body FROM texts WHERE id = ?", (number,)).fetchone()
        add_signature(tables.execute, number, signature(tables.packer.text(body)))


def near(
    db: Rows,
    signature: bytes,
    *,
    least: float = LEAST,
    most: int = 10,
    but: Collection[str] = (),
    until: int | None = None,
) -> tuple[Neighbour, ...]:
    """Admitted sources with nearly the same code, the most similar first, older ones first among equals.

    Args:
        db: file of the memory.
        signature: of ``similarity.signature``; an empty one has no neighbours.
        least: estimated similarity from which they are told.
        most: how many at most.
        but: sha256 of sources that do not count.
        until: last number of a source that counts; all by default.

    Raises:
        StoreError: the memory cannot be read.
    """
    sql = "SELECT id FROM bands WHERE key = ? AND id <= ? ORDER BY id DESC LIMIT ?"
    last = 2**63 - 1 if until is None else until
    shared = Counter(number for key in bands(signature) for (number,) in db.run(sql, key, last, CROWD))
    ranked = sorted(shared, key=lambda number: (-shared[number], number))[:CANDIDATES]
    marks = ", ".join("?" * len(ranked))
    sql = f"""SELECT signatures.id, sha256, env_id, name, signatures.body FROM signatures
        JOIN sources ON sources.id = signatures.id WHERE verdict = ? AND signatures.id IN ({marks})"""
    found = []
    for number, sha256, env_id, name, body in db.run(sql, Verdict.ADMIT.value, *ranked):
        alike = min(similarity(signature, body), BELOW_ONE)
        if alike >= least and (hashed := hash_out(sha256)) not in but:
            found.append((-alike, number, Neighbour(hashed, alike, (env_id or name)[:NAME])))
    return tuple(neighbour for _, _, neighbour in sorted(found, key=lambda one: one[:2])[:most])


def kin(db: Rows, source: EnvSource) -> frozenset[str]:
    """sha256 of a source and of all that it repairs or descends from, which it may resemble.

    Raises:
        StoreError: the memory cannot be read.
    """
    met, parent = {source.sha256}, source.parent
    while parent and parent not in met and len(met) <= GENERATIONS:
        met.add(parent)
        found = db.run("SELECT parent FROM sources WHERE sha256 = ?", hash_in(parent))
        parent = hash_out(found[0][0]) if found else ""
    return frozenset(met)


def last_number(db: Rows) -> int:
    """Number of the newest source; 0 in an empty memory.

    Raises:
        StoreError: the memory cannot be read.
    """
    (last,) = db.run("SELECT coalesce(max(id), 0) FROM sources")[0]
    return int(last)
