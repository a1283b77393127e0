"""The memory: every source ever seen, refused ones too, with what the gate and the probes said about it.

One SQLite file. Nothing in it is overwritten: a second report or probe of a source is a second row. Several
processes may write at once; a kill loses at most the row in flight. Do not take an open memory across a fork.
"""

from __future__ import annotations

import json
import random
import sqlite3
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from ..atomic import explained, locked
from ..codec import from_json, to_json
from ..errors import StoreError
from ..store import home
from ..types import EnvSource, Probe, Report, Verdict

SCHEMA_VERSION = 1
"""Version of the tables below, kept in ``PRAGMA user_version``. A newer file is refused."""

BUSY_SECONDS = 60.0
"""How long to wait for another process that is writing."""

_TABLES = f"""
BEGIN IMMEDIATE;
CREATE TABLE sources (
    sha256 TEXT PRIMARY KEY,
    text BLOB NOT NULL,      -- UTF-8; a refused source may hold what UTF-8 text may not
    skill TEXT NOT NULL,
    contract TEXT NOT NULL,
    hint TEXT NOT NULL,
    parent TEXT NOT NULL,
    document TEXT NOT NULL,
    made_by TEXT NOT NULL,
    seen TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
);
CREATE INDEX sources_skill ON sources (skill);
CREATE TABLE reports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256 TEXT NOT NULL REFERENCES sources (sha256),
    verdict TEXT NOT NULL,
    body TEXT NOT NULL,      -- JSON
    seen TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
);
CREATE INDEX reports_sha256 ON reports (sha256);
CREATE TABLE probes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256 TEXT NOT NULL REFERENCES sources (sha256),
    model TEXT NOT NULL,
    band TEXT NOT NULL,
    regret REAL NOT NULL,
    body TEXT NOT NULL,      -- JSON
    seen TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
);
CREATE INDEX probes_sha256 ON probes (sha256);
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""

_ADD_SOURCE = """
INSERT INTO sources (sha256, text, skill, contract, hint, parent, document, made_by)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sha256) DO NOTHING
"""

# The last word counts: a source that a later check refuses is no seed any more.
_ADMITTED = """
SELECT sha256 FROM sources WHERE (?1 = '' OR skill = ?1) AND ?2 =
    (SELECT verdict FROM reports WHERE reports.sha256 = sources.sha256 ORDER BY id DESC LIMIT 1)
ORDER BY sha256
"""

T = TypeVar("T", Report, Probe)


class SqliteMemory:
    """A :class:`~spade_envs.types.Memory` in one SQLite file, made when it is not there yet.

    Every method raises :class:`StoreError` when the file cannot be read or written. Threads may share one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, SqliteMemory(Path(folder) / "memory.db") as memory:
    ...     source = EnvSource("x = 1")
    ...     memory.add_source(source)
    ...     memory.add_report(Report(source.sha256))
    ...     [seed.text for seed in memory.sample_seeds(1)]
    ['x = 1']
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open ``path``, by default ``memory.db`` in :func:`spade_envs.store.home`.

        Raises:
            StoreError: when it cannot be opened or made, is no memory, or was written by a newer version.
        """
        self.path = (home() / "memory.db" if path is None else Path(path)).absolute()
        self._lock = threading.Lock()
        with explained(f"make the folder {self.path.parent}"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            # Every write is one statement, so that each commits by itself.
            self._db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise self._problem(error) from error
        try:
            self._prepare()
        except BaseException:  # whatever stopped the opening, the connection must not stay open
            self._db.close()
            raise

    def __enter__(self) -> SqliteMemory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Closing twice is fine."""
        with self._lock:
            self._db.close()

    def add_source(self, source: EnvSource) -> None:
        """Remember ``source``. One that is known stays as it was first seen."""
        text = source.text.encode("utf-8", "surrogatepass")
        about = (source.skill, source.contract, source.hint, source.parent, source.document, source.made_by)
        self._run(_ADD_SOURCE, source.sha256, text, *map(_storable, about))

    def add_report(self, report: Report) -> None:
        """Append what the gate said. Raises :class:`StoreError` when its source was never added."""
        sql = "INSERT INTO reports (sha256, verdict, body) VALUES (?, ?, ?)"
        self._run(sql, report.source_sha256, report.verdict.value, self._body(report))

    def add_probe(self, sha256: str, probe: Probe) -> None:
        """Append a measurement. Raises :class:`StoreError` for an unknown source or a NaN in it."""
        sql = "INSERT INTO probes (sha256, model, band, regret, body) VALUES (?, ?, ?, ?, ?)"
        self._run(sql, sha256, _storable(probe.model), _storable(probe.band), probe.regret, self._body(probe))

    def sample_seeds(self, count: int, *, skill: str = "", seed: int = 0) -> tuple[EnvSource, ...]:
        """Draw up to ``count`` different sources whose last report admits them, of ``skill`` when it is given.

        The same memory and the same ``seed`` give the same sources in the same order.

        Raises:
            ValueError: when ``count`` is negative.
            StoreError: when the memory cannot be read.
        """
        if count < 0:
            raise ValueError(f"count is {count}; allowed: 0 and more")
        admitted = [row[0] for row in self._run(_ADMITTED, _storable(skill), Verdict.ADMIT.value)]
        drawn = random.Random(seed).sample(admitted, min(count, len(admitted)))
        return tuple(self._source(sha256) for sha256 in drawn)

    def reports(self, sha256: str) -> tuple[Report, ...]:
        """Every report on a source, oldest first; empty when there is none."""
        rows = self._run("SELECT body FROM reports WHERE sha256 = ? ORDER BY id", sha256)
        return tuple(self._parse(Report, row[0]) for row in rows)

    def probes(self, sha256: str) -> tuple[Probe, ...]:
        """Every probe of a source, oldest first; empty when there is none."""
        rows = self._run("SELECT body FROM probes WHERE sha256 = ? ORDER BY id", sha256)
        return tuple(self._parse(Probe, row[0]) for row in rows)

    def _source(self, sha256: str) -> EnvSource:
        sql = "SELECT text, skill, contract, hint, parent, document, made_by FROM sources WHERE sha256 = ?"
        ((text, *about),) = self._run(sql, sha256)
        return EnvSource(text.decode("utf-8", "surrogatepass"), *about)

    def _prepare(self) -> None:
        if self._version() == 0:
            # SQLite does not wait for a change of the journal mode, so that two openers would trip each other.
            with locked(self.path.with_name(f".{self.path.name}.lock")):
                if self._version() == 0:
                    self._create()
        version = self._version()
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"{self.path} has version {version}; this spade-envs reads {SCHEMA_VERSION}. "
                "Upgrade spade-envs, or name another folder with SPADE_ENVS_HOME"
            )
        self._run("PRAGMA foreign_keys = ON")

    def _create(self) -> None:
        if self._run("SELECT 1 FROM sqlite_master LIMIT 1"):
            raise StoreError(f"{self.path} belongs to another program; name another file")
        self._run("PRAGMA journal_mode = WAL")
        try:
            self._db.executescript(_TABLES)
        except sqlite3.Error as error:
            raise self._problem(error) from error

    def _version(self) -> int:
        return int(self._run("PRAGMA user_version")[0][0])

    def _run(self, sql: str, *values: object) -> list[Any]:
        try:
            with self._lock:
                return self._db.execute(sql, values).fetchall()
        except sqlite3.IntegrityError as error:
            if "FOREIGN KEY" in str(error):
                message = f"{self.path} knows no source {values[0]!r}; add the source before what is said about it"
                raise StoreError(message) from error
            raise self._problem(error) from error
        except sqlite3.Error as error:
            raise self._problem(error) from error

    def _problem(self, error: sqlite3.Error) -> StoreError:
        text = str(error)
        remedies = {
            "full": "free some space and run it again",
            "disk I/O": (
                "the disk may be full or failing: free some space, or name another folder with SPADE_ENVS_HOME"
            ),
            "locked": f"another process kept it for {BUSY_SECONDS:.0f} s; stop it or wait",
            "readonly": "it is read-only; name a folder of your own with SPADE_ENVS_HOME",
            "unable to open": "name a folder you may write to with SPADE_ENVS_HOME",
            "not a database": "it is no memory; move it away or name another file",
            "malformed": "it is damaged; move it away, or restore a copy",
            "closed": "it has been closed; open it again",
        }
        remedy = next((remedy for word, remedy in remedies.items() if word in text), "see SQLite's message")
        return StoreError(f"the memory {self.path} cannot be used: {text} ({remedy})")

    def _body(self, value: Report | Probe) -> str:
        try:
            return json.dumps(to_json(value), allow_nan=False)
        except ValueError as error:
            raise StoreError(f"{type(value).__name__} cannot be kept: {error}; NaN is an error everywhere") from None

    def _parse(self, cls: type[T], body: str) -> T:
        try:
            return from_json(cls, json.loads(body))
        except ValueError as error:
            raise StoreError(f"{self.path} holds a broken {cls.__name__}: {error}; restore a copy") from None


def _storable(text: str) -> str:
    # SQLite keeps text as UTF-8, which has no lone surrogates; the source itself is kept as bytes, exactly.
    return text.encode("utf-8", "replace").decode("utf-8")
