"""What is known to be good already, by text and by code: what the gate compares a candidate with."""

from __future__ import annotations

from collections.abc import Iterable

from ..fingerprints import fingerprint
from ..shelf import Shelf
from ..types import EnvSource, Neighbour


class Shelved:
    """Environments on shelves, and sources of this run that passed.

    A shelf reads its index for every question; here it is read once, which matters for ten thousand of them.

    Args:
        shelves: the one that is added to first, then others whose environments are not admitted again.
        longest: characters of a source above which its code is not looked at.

    Raises:
        StoreError: a shelf cannot be read.
    """

    def __init__(self, shelves: Iterable[Shelf], longest: int) -> None:
        self._longest = longest
        self._ids: dict[str, str] = {}
        self._places: dict[str, tuple[Shelf, str]] = {}
        self._by_code: dict[str, list[Neighbour]] = {}
        for shelf in shelves:
            for entry in shelf.entries():
                self._ids.setdefault(entry.sha256, entry.env_id)
                self._places.setdefault(entry.sha256, (shelf, entry.name))
                if entry.fingerprint:
                    self._by_code.setdefault(entry.fingerprint, []).append(Neighbour(entry.sha256, 1.0, entry.env_id))

    def env_id(self, sha256: str) -> str:
        """The gymnasium id of exactly this text; empty when it is on no shelf."""
        return self._ids.get(sha256, "")

    def place(self, sha256: str) -> tuple[Shelf, str] | None:
        """The shelf that held this text when the run began, and its name there."""
        return self._places.get(sha256)

    def neighbours(self, source: EnvSource) -> tuple[Neighbour, ...]:
        """Others with the same code."""
        if not self._by_code or len(source.text) > self._longest:
            return ()
        same = self._by_code.get(fingerprint(source.text), ())
        return tuple(one for one in same if one.sha256 != source.sha256)

    def note(self, source: EnvSource, env_id: str, place: str) -> None:
        """A source passed; ``env_id`` is empty when it was put on no shelf, and then it goes by its ``place``."""
        if env_id:
            self._ids[source.sha256] = env_id
        code = fingerprint(source.text) if len(source.text) <= self._longest else ""
        same = self._by_code.setdefault(code, []) if code else []
        if all(one.sha256 != source.sha256 for one in same):
            same.append(Neighbour(source.sha256, 1.0, env_id or place))
