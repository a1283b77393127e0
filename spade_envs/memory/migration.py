"""Older files become newer ones: everything in them is kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import TypeVar

from ..codec import from_json
from ..types import EnvSource, Probe, Report
from . import rows

T = TypeVar("T", Report, Probe)

_OLD_TABLES = ("sources", "reports", "probes")


def from_version_1(db: sqlite3.Connection, statements: Sequence[str]) -> None:
    """Rewrite a file of version 1, whose rows were named by their hash as text and held plain text.

    Raises:
        sqlite3.DatabaseError: a record in it is broken; nothing is changed then.
    """
    for index in ("sources_skill", "reports_sha256", "probes_sha256"):
        db.execute(f"DROP INDEX {index}")
    for table in _OLD_TABLES:
        db.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    for statement in statements:
        db.execute(statement)
    for sha256, text, *about, seen in db.execute(
        "SELECT sha256, text, skill, contract, hint, parent, document, made_by, seen FROM old_sources ORDER BY rowid"
    ):
        number = rows.insert_source(db.execute, EnvSource(text.decode("utf-8", "surrogatepass"), *about))
        db.execute(
            "UPDATE sources SET seen = CAST(strftime('%s', ?) AS INTEGER), sha256 = ? WHERE id = ?",
            (seen, bytes.fromhex(sha256), number),
        )
    for sha256, body, seen in db.execute("SELECT sha256, body, seen FROM old_reports ORDER BY id"):
        rows.insert_report(db.execute, _number(db, sha256), _read(Report, body), seen)
    for sha256, body, seen in db.execute("SELECT sha256, body, seen FROM old_probes ORDER BY id"):
        rows.insert_probe(db.execute, _number(db, sha256), _read(Probe, body), seen)
    for table in reversed(_OLD_TABLES):
        db.execute(f"DROP TABLE old_{table}")


def _number(db: sqlite3.Connection, sha256: str) -> int:
    row = db.execute("SELECT id FROM sources WHERE sha256 = ?", (bytes.fromhex(sha256),)).fetchone()
    if row is None:
        raise sqlite3.DatabaseError(f"malformed: no source {sha256} for what is said about it")
    return int(row[0])


def _read(cls: type[T], body: str) -> T:
    try:
        return from_json(cls, json.loads(body))
    except ValueError as error:
        raise sqlite3.DatabaseError(f"malformed: a broken {cls.__name__}: {error}") from None
