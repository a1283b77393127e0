"""What was there before a run began, and what it has admitted since: what sources of the run are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from ..admission import together
from ..entries import Entry, number_of
from ..fingerprints import fingerprint
from ..memory.nearness import BELOW_ONE, LEAST
from ..shelf import Shelf
from ..similarity import signature, similarity
from ..types import EnvSource, Neighbour


class Remembering(Protocol):
    """A memory that looks up near neighbours (``memory.SqliteMemory``)."""

    def neighbours(self, source: EnvSource, *, until: int | None = None) -> tuple[Neighbour, ...]:
        """Admitted sources with nearly the same code, among the first ``until`` of the memory."""


class Known:
    """Entries of shelves, by text and by code, and sources of the memory.

    Args:
        shelf: the one that is added to; only numbers below ``next`` count, so that a run that goes on sees what it saw.
        next_number: first number of it that was free when the run began.
        others: further shelves, whole.
        longest: characters of a source above which its code is not looked at.
        memory: where near neighbours are looked up.
        remembered: number of its newest source when the run began; later ones do not count.

    Raises:
        StoreError: when a shelf cannot be read.
    """

    def __init__(
        self,
        shelf: Shelf,
        next_number: int,
        others: Sequence[Shelf],
        longest: int,
        memory: Remembering,
        remembered: int,
    ) -> None:
        before = [entry for entry in shelf.entries() if (number_of(entry.name) or 0) < next_number]
        before += [entry for other in others for entry in other.entries()]
        self._by_text: dict[str, Entry] = {}
        self._by_code: dict[str, list[Entry]] = {}
        self._longest, self._memory, self._remembered = longest, memory, remembered
        for entry in before:
            self._by_text.setdefault(entry.sha256, entry)
            if entry.fingerprint:
                self._by_code.setdefault(entry.fingerprint, []).append(entry)

    def same_text(self, source: EnvSource) -> Entry | None:
        """The entry with exactly this text."""
        return self._by_text.get(source.sha256)

    def neighbours(self, source: EnvSource) -> tuple[Neighbour, ...]:
        """Entries with the same code and sources with nearly the same, for the gate.

        Raises:
            StoreError: when the memory cannot be read.
        """
        if len(source.text) > self._longest:
            return ()
        near = self._memory.neighbours(source, until=self._remembered) if self._remembered else ()
        code = fingerprint(source.text) if self._by_code else ""
        exact = [Neighbour(entry.sha256, 1.0, entry.env_id) for entry in self._by_code.get(code, ())]
        return together(exact, near)


class Admitted:
    """Signatures of what a run has admitted so far."""

    def __init__(self, admitted: Iterable[tuple[EnvSource, str]] = ()) -> None:
        self._signatures: list[tuple[bytes, str, str]] = []
        for source, env_id in admitted:
            self.add(source, env_id)

    def add(self, source: EnvSource, env_id: str) -> None:
        """One more, with the id it got."""
        self._signatures.append((signature(source.text), source.sha256, env_id))

    def neighbours(self, source: EnvSource) -> tuple[Neighbour, ...]:
        """Those with nearly the same code, the most similar first, earlier ones first among equals."""
        mine = signature(source.text)
        alike = [
            Neighbour(sha256, min(similarity(mine, other), BELOW_ONE), env_id)
            for other, sha256, env_id in self._signatures
            if sha256 not in (source.sha256, source.parent)
        ]
        return tuple(sorted((one for one in alike if one.similarity >= LEAST), key=lambda one: -one.similarity))
