"""The memory: every source ever seen, refused ones too, with what the gate and the probes said about it.

One SQLite file. Nothing in it is overwritten: a second report or probe of a source is a second row. Several processes
may write at once; a kill loses at most what was not yet acknowledged. Do not take an open memory across a fork.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Collection, Iterable
from pathlib import Path
from types import TracebackType

from ..errors import StoreError
from ..similarity import signature
from ..store import home
from ..types import EnvSource, Episode, Neighbour, Probe, Report, Verdict
from . import nearness, rows
from .database import Database
from .packing import hash_in, storable
from .preparing import prepared, prepared_ahead
from .records import Drawn
from .seeds import Wanted, draw_all

FEW = 4096
"""So many or fewer sources are listed to draw from; among more, numbers are tried until enough fit."""


class SqliteMemory:
    """A :class:`~spade_envs.types.Memory` in one SQLite file, made when it is not there yet.

    Every method raises :class:`StoreError` when the file cannot be read or written. Threads may share one. What it
    holds is looked at with ``memory.looking`` and ``memory.lineage``, and kept in order with ``memory.upkeep``.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, SqliteMemory(Path(folder) / "memory.db") as memory:
    ...     source = EnvSource("x = 1")
    ...     memory.add_source(source)
    ...     memory.add_report(Report(source.sha256))
    ...     [seed.text for seed in memory.sample_seeds(1)]
    ['x = 1']
    """

    def __init__(self, path: Path | None = None, *, write: bool = True) -> None:
        """Open ``path``, by default ``memory.db`` in :func:`spade_envs.store.home`.

        Args:
            path: of the file.
            write: False to read only, also from a disk that cannot be written.

        Raises:
            StoreError: when it cannot be opened or made, is no memory, or was written by a newer version.
        """
        self.path = (home() / "memory.db" if path is None else Path(path)).absolute()
        self.db = Database(self.path, write=write)

    def __enter__(self) -> SqliteMemory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Closing twice is fine."""
        self.db.close()

    def add_source(self, source: EnvSource) -> None:
        """Remember ``source``. One that is known stays as it was first seen."""
        row = prepared(self.db.packer, source)
        with self.db.writing():
            rows.insert_sources(self.db, [row])

    def add_report(self, report: Report) -> None:
        """Append what the gate said. Raises :class:`StoreError` when its source was never added."""
        with self.db.writing():
            rows.insert_report(self.db, self._number(report.source_sha256), report)

    def add_probe(self, sha256: str, probe: Probe) -> None:
        """Append a measurement. Raises :class:`StoreError` for an unknown source or a NaN in it."""
        with self.db.writing():
            rows.insert_probe(self.db, self._number(sha256), probe)

    def add_episode(self, sha256: str, episode: Episode) -> None:
        """Keep an episode; of each arm the newest :data:`rows.KEPT_EPISODES` stay."""
        with self.db.writing():
            rows.insert_episode(self.db, self._number(sha256), episode)

    def add_many(self, remembered: Iterable[tuple[EnvSource, Report | None]]) -> int:
        """Remember many sources, each with a report or without, up to :data:`preparing.TOGETHER` in a transaction.

        A report on a source that was known already is not added, and none of them is found as a neighbour before
        ``upkeep.sign``: a signature takes more time than all the rest. The next sources are read before those at hand
        are inserted; when reading or preparing them fails, what came before is kept.

        Returns:
            How many sources were new.
        """
        new = 0
        with contextlib.closing(prepared_ahead(self.db.packer, remembered)) as parts:
            for part in parts:
                with self.db.writing():
                    new += len(rows.insert_sources(self.db, part))
        return new

    def add_document(self, identity: str, name: str, title: str) -> None:
        """Remember what a document is called; the first name and title stay."""
        sql = "INSERT INTO documents VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        self.db.run(sql, *map(storable, (identity, name, title)))

    def document(self, identity: str) -> tuple[str, str] | None:
        """Name and title of a document; ``None`` when the memory was not told."""
        found = self.db.run("SELECT name, title FROM documents WHERE identity = ?", storable(identity))
        return tuple(found[0]) if found else None

    def add_lineage(self, child: str, seeds: Iterable[str]) -> None:
        """Remember that the sources ``seeds`` were shown to the designer that wrote ``child``, all by their sha256."""
        with self.db.writing():
            for seed in seeds:
                sql = "INSERT INTO descents VALUES (?, ?) ON CONFLICT DO NOTHING"
                self.db.execute(sql, (hash_in(child), hash_in(seed)))

    def add_signature(self, sha256: str, signature: bytes) -> None:
        """Keep the signature of a source by which it is found as a neighbour; what is admitted gets one by itself."""
        with self.db.writing():
            nearness.add_signature(self.db.execute, self._number(sha256), signature)

    def near(
        self,
        signature: bytes,
        *,
        least: float = nearness.LEAST,
        most: int = 10,
        but: Collection[str] = (),
        until: int | None = None,
    ) -> tuple[Neighbour, ...]:
        """Admitted sources with nearly the same code: see :func:`~spade_envs.memory.nearness.near`."""
        return nearness.near(self.db, signature, least=least, most=most, but=but, until=until)

    def neighbours(self, source: EnvSource, *, until: int | None = None) -> tuple[Neighbour, ...]:
        """Admitted sources like ``source``, without itself and those it descends from, the most similar first.

        Args:
            source: which need not be in the memory.
            until: last number of a source that counts; all by default.
        """
        found = signature(source.text)
        return self.near(found, but=nearness.kin(self.db, source), until=until) if found else ()

    @property
    def last(self) -> int:
        """Number of the newest source; 0 when there is none."""
        return nearness.last_number(self.db)

    def shelve(self, sha256: str, env_id: str) -> None:
        """Remember the gymnasium id of a source; the first one stays."""
        self.db.run("UPDATE sources SET env_id = ? WHERE sha256 = ? AND env_id = ''", storable(env_id), hash_in(sha256))

    def sample_seeds(self, count: int, *, skill: str = "", seed: int = 0) -> tuple[EnvSource, ...]:
        """Draw sources that their last report admits, without repetition, each equally likely.

        The same memory and ``seed`` give the same sources; fewer come when fewer are known.

        Args:
            count: how many at most.
            skill: only sources of this skill; empty for all.
            seed: decides the draw.

        Raises:
            ValueError: when ``count`` is negative.
            StoreError: when the memory cannot be read.
        """
        if count < 0:
            raise ValueError(f"count is {count}; allowed: 0 and more")
        numbers = self._drawn(count, storable(skill), random.Random(seed))
        return tuple(rows.source_of(self.db, number) for number in numbers)

    def draw(self, wanted: Iterable[Wanted], *, keep: bool = True) -> tuple[Drawn, ...]:
        """What designers are shown, one after the other, as :func:`seeds.draw_all`."""
        return draw_all(self, wanted, keep=keep)

    def source(self, sha256: str) -> EnvSource | None:
        """The source with this hash."""
        number = rows.number_of(self.db, sha256)
        return None if number is None else rows.source_of(self.db, number)

    def reports(self, sha256: str) -> tuple[Report, ...]:
        """Every report on a source, oldest first; empty when there is none."""
        return tuple(self.db.packer.read(Report, body) for (body,) in self._said("reports", sha256))

    def probes(self, sha256: str) -> tuple[Probe, ...]:
        """Every probe of a source, oldest first; empty when there is none."""
        return tuple(self.db.packer.read(Probe, body) for (body,) in self._said("probes", sha256))

    def episodes(self, sha256: str) -> tuple[Episode, ...]:
        """Episodes that were kept of a source, newest first."""
        return tuple(self.db.packer.read(Episode, body) for (body,) in reversed(self._said("episodes", sha256)))

    def _drawn(self, count: int, skill: str, chance: random.Random) -> list[int]:
        """Numbers of admitted sources: from a list of them, or by trying numbers where the list would be long."""
        fits = "verdict = ?1 AND (?2 = '' OR skill = ?2)"
        wanted = (Verdict.ADMIT.value, skill)
        facet = ("skill", skill) if skill else ("verdict", Verdict.ADMIT.value)
        known = self.db.run("SELECT sources FROM counts WHERE facet = ? AND value = ?", *facet)
        (last,) = self.db.run("SELECT max(id) FROM sources")[0]
        found: dict[int, None] = {}
        if known and known[0][0] > FEW and count <= FEW // 16:
            sql = f"SELECT 1 FROM sources WHERE id = ?3 AND {fits}"
            for _ in range(FEW):
                if len(found) == count:
                    return list(found)
                number = chance.randint(1, last)
                if number not in found and self.db.run(sql, *wanted, number):
                    found[number] = None
        numbers = [number for (number,) in self.db.run(f"SELECT id FROM sources WHERE {fits} ORDER BY sha256", *wanted)]
        return chance.sample(numbers, min(count, len(numbers)))

    def _said(self, table: str, sha256: str) -> list[tuple[bytes]]:
        number = rows.number_of(self.db, sha256)
        return self.db.run(f"SELECT body FROM {table} WHERE source = ? ORDER BY id", number)

    def _number(self, sha256: str) -> int:
        number = rows.number_of(self.db, sha256)
        if number is None:
            raise StoreError(
                f"{self.path} knows no source {sha256[:80]!r}; add the source before what is said about it"
            )
        return number
