"""Older files become newer ones: everything in them is kept."""

from __future__ import annotations

import json
import sqlite3
from typing import TypeVar

from ..codec import from_json
from ..types import EnvSource, Probe, Report
from . import preparing, rows, schema
from .nearness import Tables
from .packing import bundled_dictionary

T = TypeVar("T", Report, Probe)

_OLD_TABLES = ("sources", "reports", "probes")


def migrate(tables: Tables, version: int) -> None:
    """Bring a file of ``version`` (0 for an empty one) to the newest, inside the transaction that is open.

    Raises:
        sqlite3.DatabaseError: a record in it is broken; nothing is changed then.
    """
    if version == 1:
        _rename_version_1(tables)
    for statement in schema.statements():
        tables.execute(statement)
    tables.execute("INSERT INTO dictionaries VALUES (?)", (bundled_dictionary(),))
    if version == 1:
        try:
            _from_version_1(tables)
        except (ValueError, TypeError, AttributeError) as error:  # a value that is no hash, text or UTF-8
            raise sqlite3.DatabaseError(f"malformed: a broken row: {error}") from None
    tables.execute(f"PRAGMA user_version = {schema.VERSION}")


def _rename_version_1(tables: Tables) -> None:
    for index in ("sources_skill", "reports_sha256", "probes_sha256"):
        tables.execute(f"DROP INDEX {index}")
    for table in _OLD_TABLES:
        tables.execute(f"ALTER TABLE {table} RENAME TO old_{table}")


def _from_version_1(tables: Tables) -> None:
    """Rows of version 1 were named by their hash as text, and held plain text."""
    for sha256, text, *about, seen in tables.execute(
        "SELECT sha256, text, skill, contract, hint, parent, document, made_by, seen FROM old_sources ORDER BY rowid"
    ):
        source = EnvSource(text.decode("utf-8", "surrogatepass"), *about)
        made = rows.insert_sources(tables, [preparing.prepared(tables.packer, source)])
        if not made:
            raise sqlite3.DatabaseError("malformed: the same text twice")
        # The hash stays what it was called: a text that is not its own is told by `verify`.
        renamed = (seen, bytes.fromhex(sha256), made[0])
        tables.execute("UPDATE sources SET seen = CAST(strftime('%s', ?) AS INTEGER), sha256 = ? WHERE id = ?", renamed)
    for sha256, body, seen in tables.execute("SELECT sha256, body, seen FROM old_reports ORDER BY id"):
        rows.insert_report(tables, _number(tables, sha256), _read(Report, body), seen)
    for sha256, body, seen in tables.execute("SELECT sha256, body, seen FROM old_probes ORDER BY id"):
        rows.insert_probe(tables, _number(tables, sha256), _read(Probe, body), seen)
    for table in reversed(_OLD_TABLES):
        tables.execute(f"DROP TABLE old_{table}")


def _number(tables: Tables, sha256: str) -> int:
    number = rows.number_of(tables, sha256)
    if number is None:
        raise sqlite3.DatabaseError(f"malformed: no source {sha256} for what is said about it")
    return number


def _read(cls: type[T], body: str) -> T:
    try:
        return from_json(cls, json.loads(body))
    except ValueError as error:
        raise sqlite3.DatabaseError(f"malformed: a broken {cls.__name__}: {error}") from None
