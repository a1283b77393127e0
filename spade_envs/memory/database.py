"""One SQLite file: opened, made or brought up to date, and every error of it in plain words."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..atomic import explained, locked
from ..errors import StoreError
from . import schema
from .migration import migrate
from .packing import Packer, bundled_dictionary

BUSY_SECONDS = 60.0
"""How long to wait for another process that is writing."""

CACHE_KIBIBYTES = 64 * 1024
"""Pages kept in memory: hashes lie all over their index, and a small cache would read it again for each."""


class Database:
    """A connection that threads may share. Do not take an open one across a fork.

    Args:
        path: of the file; made when it is not there.
        write: False for one that only reads: it never makes or changes the file, which may lie on a read-only disk.

    Raises:
        StoreError: when it cannot be opened or made, is no memory, or was written by a newer version.
    """

    def __init__(self, path: Path, *, write: bool = True) -> None:
        self.path, self.write = path.absolute(), write
        self._lock = threading.RLock()
        self.packer = Packer(b"")
        if write:
            with explained(f"make the folder {self.path.parent}"):
                self.path.parent.mkdir(parents=True, exist_ok=True)
        self._db = self._connected()
        try:
            self._prepare()
        except BaseException:  # whatever stopped the opening, the connection must not stay open
            self._db.close()
            raise

    def close(self) -> None:
        """Close the file. Closing twice is fine."""
        with self._lock:
            self._db.close()

    def run(self, sql: str, *values: object) -> list[Any]:
        """All rows of one statement. Outside :meth:`writing` each statement commits by itself."""
        with self._explained(), self._lock:
            return self._db.execute(sql, values).fetchall()

    def each(self, sql: str, *values: object) -> Iterator[Any]:
        """Rows of one statement as they come, for what is too large to hold; other threads wait meanwhile."""
        with self._explained(), self._lock:
            yield from self._db.execute(sql, values)

    def execute(self, sql: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run one statement, of those inside :meth:`writing`."""
        try:  # written out: of many small statements, a context would be a tenth of the time
            with self._lock:
                return self._db.execute(sql, values)
        except sqlite3.Error as error:
            raise self._problem(error) from error

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Statements of the block are kept all or none. One inside another belongs to the outer one."""
        with self._lock:
            with self._explained():
                inside = self._db.in_transaction
                if not inside:
                    self._db.execute("BEGIN IMMEDIATE")
            if inside:
                yield
                return
            try:
                yield
                with self._explained():
                    self._db.execute("COMMIT")
            except BaseException:  # Ctrl-C too must leave nothing half-written
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise

    def backup_to(self, path: Path) -> None:
        """Copy the file as it is at this moment, page by page, while others go on writing."""
        try:
            with contextlib.closing(sqlite3.connect(path)) as target:
                self._db.backup(target, pages=10_000, sleep=0.0)
                target.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            raise StoreError(
                f"{self.path} cannot be copied to a file in {path.parent}: {error}; check that the folder is there, "
                "may be written to and has room, and that `spade-envs memory verify` finds nothing"
            ) from error

    def _connected(self) -> sqlite3.Connection:
        uris = [f"file:{quote(str(self.path))}?mode={'rwc' if self.write else 'ro'}"]
        if not self.write and self._whole():
            # A reader needs a small file of its own beside the memory, which a read-only disk does not give.
            uris.append(f"{uris[0]}&immutable=1")
        problem: sqlite3.Error | None = None
        for uri in uris:
            try:
                db = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
                with contextlib.ExitStack() as stack:
                    stack.callback(db.close)
                    db.execute("PRAGMA user_version").fetchall()
                    stack.pop_all()
                return db
            except sqlite3.Error as error:
                problem = problem or error
        assert problem is not None, "each way has failed"
        if not self.write and not self.path.exists():
            raise StoreError(f"there is no memory at {self.path}; `spade-envs admit FILE` makes one") from problem
        hidden = os.access(self.path, os.R_OK) and "locked" not in str(problem) and not self._whole()
        if not self.write and hidden:
            raise StoreError(
                f"{self.path} can only be read together with {self.path.name}-wal beside it, which holds its newest "
                f"changes, and not from here ({problem}); let its owner close it, or make a copy with "
                "`spade-envs memory backup` where it may be written"
            ) from problem
        raise self._problem(problem) from problem

    def _whole(self) -> bool:
        """Whether all is in the file itself: what lies in the one beside it would be passed over unseen."""
        try:
            return os.stat(f"{self.path}-wal").st_size == 0
        except FileNotFoundError:
            return True
        except OSError:
            return False

    def _prepare(self) -> None:
        if self.write and self._version() < schema.VERSION:
            # SQLite does not wait for a change of the journal mode, so that two openers would trip each other.
            with locked(self.path.with_name(f".{self.path.name}.lock")):
                self._bring_up_to_date()
        version = self._version()
        if version > schema.VERSION:
            raise StoreError(
                f"{self.path} has version {version}; this spade-envs reads {schema.VERSION}. "
                "Upgrade spade-envs, or name another folder with SPADE_ENVS_HOME"
            )
        if version < schema.VERSION:
            what = "is no memory yet" if version == 0 else f"has the older version {version}"
            raise StoreError(f"{self.path} {what}; `spade-envs memory verify` where it may be written mends that")
        dictionaries = self.run("SELECT body FROM dictionaries")
        if len(dictionaries) != 1 or not isinstance(dictionaries[0][0], bytes):
            raise StoreError(f"{self.path} has lost its dictionary: it is damaged; move it away, or restore a copy")
        self.packer = Packer(dictionaries[0][0])
        self.run("PRAGMA foreign_keys = ON")
        self.run(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")

    def _bring_up_to_date(self) -> None:
        version = self._version()
        if version == 0:
            if self.run("SELECT 1 FROM sqlite_master LIMIT 1"):
                raise StoreError(f"{self.path} belongs to another program; name another file")
            self.run("PRAGMA journal_mode = WAL")
        if version < schema.VERSION:
            with self.writing(), self._explained():
                self.packer = Packer(bundled_dictionary())
                migrate(self, version)

    def _version(self) -> int:
        return int(self.run("PRAGMA user_version")[0][0])

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._problem(error) from error

    def _problem(self, error: sqlite3.Error) -> StoreError:
        text = str(error)
        if not os.access(self.path.parent, os.W_OK) and self.write and "unable to open" in text:
            text = f"attempt to write a readonly folder ({text})"
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
