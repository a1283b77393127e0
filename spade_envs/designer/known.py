"""What was on shelves before a run began: what the gate compares with, and what a text keeps its id from."""

from __future__ import annotations

from collections.abc import Sequence

from ..entries import Entry, number_of
from ..fingerprints import fingerprint
from ..shelf import Shelf
from ..types import EnvSource, Neighbour


class Known:
    """Entries of shelves, by text and by code.

    Args:
        shelf: the one that is added to; only numbers below ``next`` count, so that a run that goes on sees what it saw.
        next_number: first number of it that was free when the run began.
        others: further shelves, whole.
        longest: characters of a source above which its code is not looked at.

    Raises:
        StoreError: when a shelf cannot be read.
    """

    def __init__(self, shelf: Shelf, next_number: int, others: Sequence[Shelf], longest: int) -> None:
        before = [entry for entry in shelf.entries() if (number_of(entry.name) or 0) < next_number]
        before += [entry for other in others for entry in other.entries()]
        self._by_text: dict[str, Entry] = {}
        self._by_code: dict[str, list[Entry]] = {}
        self._longest = longest
        for entry in before:
            self._by_text.setdefault(entry.sha256, entry)
            if entry.fingerprint:
                self._by_code.setdefault(entry.fingerprint, []).append(entry)

    def same_text(self, source: EnvSource) -> Entry | None:
        """The entry with exactly this text."""
        return self._by_text.get(source.sha256)

    def neighbours(self, source: EnvSource) -> tuple[Neighbour, ...]:
        """Entries with the same code, for the gate."""
        if not self._by_code or len(source.text) > self._longest:
            return ()
        code = fingerprint(source.text)
        return tuple(Neighbour(entry.sha256, 1.0, entry.env_id) for entry in self._by_code.get(code, ()))
