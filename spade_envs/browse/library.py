"""What pages ask of the memory, in one place."""

from __future__ import annotations

from ..errors import UnknownEnv
from ..memory import SqliteMemory, curriculum, lineage, looking
from ..memory.records import Everything, Facets, Family, Filters, Order, Page, Stretch
from ..types import Episode, Neighbour

NEAR = 0.5
"""Least similarity of sources that a page calls similar."""


class Library:
    """Questions of pages, answered by a memory. Threads may share one; every method raises ``StoreError``."""

    def __init__(self, memory: SqliteMemory) -> None:
        self.memory = memory

    def find(self, filters: Filters, *, order: Order = Order.NEWEST, after: str = "", most: int = 50) -> Page:
        """Rows that pass ``filters``. Raises ``ValueError`` for an ``after`` of another question."""
        return looking.find(self.memory, filters, order=order, after=after, most=most)

    def facets(self, filters: Filters) -> Facets:
        """How they spread."""
        return looking.facets(self.memory, filters)

    def everything(self, name: str) -> Everything:
        """All about an id, a bare ``env-0001`` or the beginning of a hash. Raises ``UnknownEnv``."""
        sha256 = looking.resolve(self.memory, name)
        found = looking.everything(self.memory, sha256)
        if found is None:
            raise UnknownEnv(f"the memory holds no source {sha256}")
        return found

    def family(self, sha256: str) -> Family:
        """What it descends from and what descends from it."""
        return lineage.family(self.memory, sha256)

    def episodes(self, sha256: str) -> tuple[Episode, ...]:
        """Kept episodes, newest first."""
        return self.memory.episodes(sha256)

    def document(self, identity: str) -> str:
        """Title of a document, else its name, else its identity."""
        found = self.memory.document(identity) if identity else None
        return identity if found is None else found[1] or found[0] or identity

    def neighbours(self, sha256: str) -> tuple[Neighbour, ...]:
        """Similar sources, the nearest first."""
        return ()

    def stretches(self, *, skill: str = "", run: str = "", most: int = 40) -> tuple[Stretch, ...]:
        """What was written over time."""
        return curriculum.stretches(self.memory, skill=skill, run=run, most=most)
