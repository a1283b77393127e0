"""Keeping a memory in order: copies, exports, a check of everything in it, and filling it from shelves."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from ..atomic import explained
from ..codec import to_json
from ..corpus.extras import library
from ..errors import StoreError
from ..shelf import Shelf
from ..types import Probe, Report
from . import rows
from .facets import FACETS
from .looking import selected
from .measuring import summary
from .nearness import add_admitted
from .packing import hash_out
from .records import Filters
from .remembering import SqliteMemory

MOST_PROBLEMS = 100
"""Problems that are told; there may be more."""
CHUNK = 500


def backup(memory: SqliteMemory, path: Path) -> None:
    """Copy the memory into a new file, as it is now, while others may go on writing to it.

    Raises:
        StoreError: something is at ``path`` already, or it cannot be written; nothing is left there then.
    """
    with explained(f"write {path}"), _appearing(path) as temp:
        memory.db.backup_to(temp)


def export(memory: SqliteMemory, path: Path, filters: Filters) -> int:
    """Write sources as JSON lines, oldest first: what ``spade-envs import`` reads.

    Args:
        memory: whose sources.
        path: of a new file; ``.zst`` at its end compresses it.
        filters: which sources.

    Returns:
        How many.

    Raises:
        StoreError: something is at ``path`` already, it cannot be written, or a library is missing.
        ValueError: ``path`` ends in neither ``.jsonl`` nor ``.jsonl.zst``.
    """
    if not path.name.endswith((".jsonl", ".jsonl.zst")):
        raise ValueError(
            f"{path.name} says nothing about what is in it; allowed: names that end in .jsonl or .jsonl.zst"
        )
    count = 0
    with explained(f"write {path}"), _appearing(path) as temp, open(temp, "xb") as stream:
        if path.suffix == ".zst":
            compressor = library("zstandard", "a .zst file").ZstdCompressor(level=9)
            with compressor.stream_writer(stream, closefd=False) as packed:
                count = _lines(memory, filters, packed)
        else:
            count = _lines(memory, filters, stream)
    return count


def verify(memory: SqliteMemory, *, heard: Callable[[int], None] | None = None) -> tuple[str, ...]:
    """Look at every page and every record.

    Args:
        memory: to be looked at.
        heard: is told after every thousand sources how many have been looked at.

    Returns:
        What is wrong, a sentence each, at most :data:`MOST_PROBLEMS`; empty when nothing is.
    """
    problems: list[str] = []
    try:
        for problem in _problems(memory, heard):
            problems.append(problem)
            if len(problems) == MOST_PROBLEMS:
                break
    except StoreError as error:
        problems.append(f"the file is damaged, and not all of it could be looked at: {error}")
    return tuple(problems)


def rebuild(memory: SqliteMemory, shelves: Sequence[Shelf]) -> int:
    """Remember what lies on shelves and is not known yet: sources, the reports that admitted them, and their ids.

    Returns:
        How many sources or ids were new.

    Raises:
        StoreError: the memory cannot be written. A card or source that cannot be read is left out.
    """
    new = 0
    for shelf in shelves:
        entries = shelf.entries()
        for at in range(0, len(entries), CHUNK):
            part = entries[at : at + CHUNK]
            marks = ", ".join("?" * len(part))
            sql = f"SELECT sha256 FROM sources WHERE env_id <> '' AND sha256 IN ({marks})"
            known = {hash_out(row[0]) for row in memory.db.run(sql, *(bytes.fromhex(one.sha256) for one in part))}
            missing = [entry for entry in part if entry.sha256 not in known]
            if not missing:
                continue  # without waiting for others that write
            with memory.db.writing():
                new += sum(_remember(memory, shelf, entry.name, entry.env_id) for entry in missing)
    return new


def prune(memory: SqliteMemory, kept: int) -> int:
    """Forget episodes but the newest ``kept`` of each source and arm, and give their room back to the disk.

    Returns:
        How many were forgotten.

    Raises:
        ValueError: ``kept`` is negative.
        StoreError: the memory cannot be written.
    """
    if kept < 0:
        raise ValueError(f"kept is {kept}; allowed: 0 and more")
    ranked = "SELECT id, row_number() OVER (PARTITION BY source, hinted ORDER BY id DESC) AS place FROM episodes"
    sql = f"DELETE FROM episodes WHERE id IN (SELECT id FROM ({ranked}) WHERE place > ?) RETURNING id"
    with memory.db.writing():
        forgotten = len(memory.db.execute(sql, (kept,)).fetchall())
    if forgotten:
        memory.db.run("VACUUM")
    return forgotten


def _remember(memory: SqliteMemory, shelf: Shelf, name: str, env_id: str) -> bool:
    try:
        card, source = shelf.read_card(name), shelf.read_source(name)
    except (StoreError, OSError, ValueError):
        return False  # `spade-envs admit --recheck` tells about it
    memory.add_source(source)
    if not memory.reports(card.sha256):
        memory.add_report(card.report)
    memory.shelve(card.sha256, env_id)
    return True


def sign(memory: SqliteMemory) -> int:
    """Let admitted sources that were added many at once be found as neighbours.

    Returns:
        How many got a signature.

    Raises:
        StoreError: the memory cannot be read or written.
    """
    sql = """SELECT id FROM sources WHERE verdict = 'admit' AND id > ? AND id NOT IN (SELECT id FROM signatures)
        ORDER BY id LIMIT ?"""
    last = signed = 0
    while found := memory.db.run(sql, last, CHUNK):
        with memory.db.writing():
            for (number,) in found:
                add_admitted(memory.db, number)
        last = found[-1][0]
        signed += len(found)
    return signed


@contextlib.contextmanager
def _appearing(path: Path) -> Iterator[Path]:
    """A name to write to; what is there becomes ``path`` when the block ends well, and overwrites nothing."""
    told = f"{path} is there already, and is not overwritten; name a new file"
    if os.path.lexists(path):
        raise StoreError(told)
    temp = path.with_name(f".tmp-{os.getpid()}.{path.name}")
    try:
        yield temp
        try:
            os.link(temp, path)  # unlike a renaming, it fails where something has come meanwhile
        except PermissionError:  # a file system without hard links
            if os.path.lexists(path):
                raise StoreError(told) from None
            os.rename(temp, path)
    except FileExistsError:
        raise StoreError(told) from None
    finally:
        for name in (temp, Path(f"{temp}-journal"), Path(f"{temp}-wal"), Path(f"{temp}-shm")):
            name.unlink(missing_ok=True)


def _lines(memory: SqliteMemory, filters: Filters, stream: IO[bytes]) -> int:
    count = 0
    for number in selected(memory, filters):
        source = rows.source_of(memory.db, number)
        (verdict, rule), *_ = memory.db.run("SELECT verdict, rule FROM sources WHERE id = ?", number)
        line = {
            "sha256": source.sha256,
            "code": source.text,
            "skill": source.skill,
            "contract": source.contract,
            "hint": source.hint,
            "parent": source.parent,
            "document": source.document,
            "made_by": source.made_by,
            "verdict": verdict,
            "rule": rule,
            "origin": to_json(source.origin),
        }
        stream.write(json.dumps(line).encode("ascii") + b"\n")
        count += 1
    return count


def _problems(memory: SqliteMemory, heard: Callable[[int], None] | None) -> Iterator[str]:
    for (said,) in memory.db.run(f"PRAGMA integrity_check({MOST_PROBLEMS})"):
        if said != "ok":
            yield f"the file is damaged: {said}"
    for table, row, parent, _ in memory.db.run("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} speaks of a row of {parent} that is not there"
    yield from _miscounted(memory)
    (last,) = memory.db.run("SELECT coalesce(max(id), 0) FROM sources")[0]
    for first in range(0, last, 1000):
        yield from _wrong_rows(memory, first + 1, min(last, first + 1000))
        if heard is not None:
            heard(min(last, first + 1000))


def _miscounted(memory: SqliteMemory) -> Iterator[str]:
    for facet in FACETS:
        there = f"SELECT {facet} AS value, count(*) AS there FROM sources GROUP BY {facet}"
        kept = f"SELECT value AS named, sources AS kept FROM counts WHERE facet = '{facet}'"
        sql = f"""SELECT value, kept, there FROM ({there}) LEFT JOIN ({kept}) ON named = value WHERE kept IS NOT there
            UNION ALL SELECT named, kept, 0 FROM ({kept}) LEFT JOIN ({there}) ON named = value
            WHERE there IS NULL AND kept <> 0"""
        for value, counted, number in memory.db.run(sql):
            yield f"{number} sources have the {facet} {value[:80]!r}, but {counted} are counted"


def _wrong_rows(memory: SqliteMemory, first: int, last: int) -> Iterator[str]:
    sql = "SELECT id, sha256, verdict, probes, body FROM sources LEFT JOIN texts USING (id) WHERE id BETWEEN ? AND ?"
    for number, sha256, verdict, probes, body in memory.db.run(sql, first, last):
        name = hash_out(sha256)[:12]
        try:
            if body is None:
                yield f"source {name} has no text"
            elif hashlib.sha256(memory.db.packer.text(body).encode("utf-8", "surrogatepass")).digest() != sha256:
                yield f"the text of source {name} is not the one that its hash names"
            yield from _wrong_words(memory, number, name, verdict, probes)
        except StoreError as error:
            yield f"source {name}: {error}"


def _wrong_words(memory: SqliteMemory, number: int, name: str, verdict: str, probes: int) -> Iterator[str]:
    """What is wrong with what was said about a source."""
    reports = memory.db.run("SELECT verdict, body FROM reports WHERE source = ? ORDER BY id", number)
    read = [memory.db.packer.read(Report, body) for _, body in reports]
    if any(kept != report.verdict.value for (kept, _), report in zip(reports, read, strict=True)):
        yield f"a report on source {name} is kept under another verdict than its own"
    if verdict != (read[-1].verdict.value if read else "unchecked"):
        yield f"source {name} is kept as {verdict}, which its last report does not say"
    measured = [
        memory.db.packer.read(Probe, body)
        for (body,) in memory.db.run("SELECT body FROM probes WHERE source = ? ORDER BY id", number)
    ]
    if probes != len(measured):
        yield f"source {name} has {len(measured)} probes, but {probes} are counted"
    elif measured:
        together = summary(measured)
        kept = memory.db.run("SELECT pairs, low FROM sources WHERE id = ?", number)[0]
        if kept[0] != together.pairs or abs(kept[1] - together.low) > 1e-9:
            yield f"the regret of source {name} is not what its probes say"
