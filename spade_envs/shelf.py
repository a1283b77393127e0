"""A shelf: a folder of environments with numbers that are never used twice.

    shelf.json              {"namespace", "first", "next"}; "next" only grows
    env-0421/env.py         the source, byte for byte
    env-0421/card.json      what is known about it
    index.json              derived from the cards; may be missing, wrong or unwritable

A number is taken (``shelf.json``) before its folder appears, and the folder appears complete. A kill in between
costs the number and nothing else. Reading takes no lock and never needs to write.
"""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING

from .atomic import MAX_BYTES, explained, locked, publish_folder, read_file, remove_stale
from .entries import MAX_NUMBER, Entry, name_of, number_of, read_entry
from .errors import SourceError, StoreError, UnknownEnv
from .index import (
    Header,
    check_header,
    header_path,
    highest,
    list_names,
    read_header,
    read_index,
    scan_cards,
    write_header,
    write_index,
)

if TYPE_CHECKING:
    from .types import Card, EnvSource

NAMESPACE = "spade"
"""Namespace of the bundled shelf and of the user's own."""

BUNDLED_LAST = 999
"""Last number of the bundled shelf; the user's own starts above it."""


class Shelf:
    """The shelf in folder ``path``. Nothing is read before it is asked for.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     shelf = Shelf.create(folder, "lab", 1)
    ...     shelf.namespace, shelf.first, shelf.entries()
    ('lab', 1, ())
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).absolute()
        self._known: Header | None = None

    def __repr__(self) -> str:
        return f"Shelf({str(self.path)!r})"

    @classmethod
    def create(cls, path: str | os.PathLike[str], namespace: str, first: int) -> Shelf:
        """Make a shelf in folder ``path``, or return the one that is there when it has this namespace.

        Raises:
            StoreError: for a bad namespace or number, when the folder holds a shelf of another namespace or a
                broken one, or when it cannot be written.
        """
        shelf = cls(path)
        wanted = check_header({"namespace": namespace, "first": first, "next": first}, str(shelf.path))
        with explained(f"make a shelf in {shelf.path}"):
            if not os.path.lexists(header_path(shelf.path)):
                shelf.path.mkdir(parents=True, exist_ok=True)
                with locked(shelf.path / ".lock"):
                    # Another process may have made it, and added to it, while we waited.
                    if not os.path.lexists(header_path(shelf.path)):
                        used = highest(list_names(shelf.path))
                        write_header(shelf.path, dataclasses.replace(wanted, next=max(first, used + 1)))
        if shelf.namespace != namespace:
            raise StoreError(f"{shelf.path} is a shelf of {shelf.namespace!r}, not {namespace!r}; name another folder")
        return shelf

    @property
    def namespace(self) -> str:
        """First half of its ids. Raises :class:`StoreError` when ``shelf.json`` is missing or wrong."""
        return self._header().namespace

    @property
    def first(self) -> int:
        """First number it may use. Raises :class:`StoreError` when ``shelf.json`` is missing or wrong."""
        return self._header().first

    @property
    def next(self) -> int:
        """First number that was never used. Raises :class:`StoreError` when ``shelf.json`` is missing or wrong."""
        return self._read_header().next

    def entries(self) -> tuple[Entry, ...]:
        """Everything on the shelf, by number.

        An environment whose card cannot be read is left out with a warning. An edit of a card shows here after
        :meth:`rebuild_index`.

        Raises:
            StoreError: when the shelf cannot be read.
        """
        header = self._read_header()
        with explained(f"read the shelf {self.path}"):
            names = list_names(self.path)
        entries = read_index(self.path, header, names)
        return self._rebuild(header, names) if entries is None else entries

    def rebuild_index(self) -> tuple[Entry, ...]:
        """Read every card again, write ``index.json`` when the shelf can be written, and return the entries.

        Raises:
            StoreError: when the shelf cannot be read.
        """
        header = self._read_header()
        with explained(f"read the shelf {self.path}"):
            names = list_names(self.path)
        return self._rebuild(header, names)

    def peek(self, name: str) -> Entry | None:
        """The entry called ``name``, or ``None``.

        Raises:
            StoreError: when the shelf cannot be read, or its folder is there but the card in it is broken.
        """
        if number_of(name) is None or not os.path.lexists(self.path / name):
            return None
        # The card alone: the index may have ten thousand entries, and would hide what is wrong with this one.
        return read_entry(vars(self.read_card(name)), self.namespace, self.path)

    def get(self, name: str) -> Entry:
        """The entry called ``name``.

        Raises:
            UnknownEnv: when there is none; the message names the nearest ids.
            StoreError: when the shelf or the card cannot be read.
        """
        entry = self.peek(name)
        if entry is None:
            raise self._unknown(name)
        return entry

    def find(self, sha256: str) -> Entry | None:
        """The entry with this hash, or ``None``. Raises :class:`StoreError` when the shelf cannot be read."""
        return next((entry for entry in self.entries() if entry.sha256 == sha256), None)

    def same_code(self, fingerprint: str) -> tuple[Entry, ...]:
        """Entries whose code is the same apart from comments and layout.

        Raises:
            StoreError: when the shelf cannot be read.
        """
        return tuple(entry for entry in self.entries() if fingerprint and entry.fingerprint == fingerprint)

    def read_card(self, name: str) -> Card:
        """The card of ``name``, checked against the schema.

        Raises:
            UnknownEnv: when there is no such environment.
            StoreError: when the card is broken; the message gives the JSON path and what is allowed there.
        """
        # Cards need the whole vocabulary and a schema; importing the package must not.
        from .cards import parse_card

        path = self._file(name, "card.json")
        with explained(f"read {path}"):
            return parse_card(read_file(path), path)

    def read_source(self, name: str) -> EnvSource:
        """The source of ``name``, exactly as it was admitted.

        Raises:
            UnknownEnv: when there is no such environment.
            StoreError: when the file is not the one its card speaks of, or the card is broken.
        """
        from .types import EnvSource

        card = self.read_card(name)
        path = self._file(name, "env.py")
        with explained(f"read {path}"):
            data = read_file(path)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise StoreError(f"{path} was edited: it is not UTF-8 ({error}); restore the file") from None
        about = (card.skill, card.contract, card.hint, card.parent, card.document, card.made_by, card.origin)
        source = EnvSource(text, *about)
        if source.sha256 != card.sha256:
            raise StoreError(
                f"{path} was edited: found sha256 {source.sha256}, expected {card.sha256}. Restore the file, "
                f"or admit the edited text as a new environment (spade-envs admit {path})"
            )
        return source

    def add(self, source: EnvSource, card: Card) -> Card:
        """Put ``source`` on the shelf under the next number and return its card, or the card it has here already.

        ``card.name`` is set here; whatever it was is dropped. Killed at any point, the shelf stays valid.

        Raises:
            SourceError: when the text cannot be written as UTF-8.
            StoreError: when the card is not the source's or breaks the schema, or the shelf cannot be written;
                nothing half-written is left behind.
        """
        from .cards import card_bytes, check_identity

        data = _source_bytes(source)
        if card.sha256 != source.sha256:
            raise StoreError(f"the card is about source {card.sha256}, but the source is {source.sha256}; pass its own")
        check_identity(card, "the card")
        self._read_header()  # a missing shelf is better explained by this than by its lock
        with locked(self.path / ".lock"), explained(f"add to the shelf {self.path}"):
            remove_stale(self.path)
            entries = self.entries()
            for entry in entries:
                if entry.sha256 == source.sha256:
                    return self.read_card(entry.name)
            header = self._read_header()
            number = self._next_number(header)
            card = dataclasses.replace(card, name=name_of(number))
            files = {"env.py": data, "card.json": card_bytes(card)}
            header = dataclasses.replace(header, next=number + 1)
            write_header(self.path, header)
            publish_folder(self.path / card.name, files)
            added = read_entry(vars(card), header.namespace, self.path)
            write_index(self.path, header, (*entries, added))
        return card

    def _header(self) -> Header:
        # Namespace and first never change, so they are read once; whoever needs "next" reads the file.
        return self._known or self._read_header()

    def _read_header(self) -> Header:
        self._known = read_header(self.path)
        return self._known

    def _rebuild(self, header: Header, names: list[str]) -> tuple[Entry, ...]:
        entries = tuple(scan_cards(self.path, header, names))
        write_index(self.path, header, entries)
        return entries

    def _next_number(self, header: Header) -> int:
        number = max(header.next, header.first, highest(list_names(self.path)) + 1)
        if header.namespace == NAMESPACE and header.first <= BUNDLED_LAST < number:
            raise StoreError(f"{self.path} is full: the bundled shelf ends at {name_of(BUNDLED_LAST)}; use another")
        if number > MAX_NUMBER:
            raise StoreError(f"{self.path} is full: {name_of(MAX_NUMBER)} is the last name there is; use another")
        return number

    def _file(self, name: str, part: str) -> Path:
        if number_of(name) is None or not os.path.lexists(self.path / name):
            raise self._unknown(name)
        return self.path / name / part

    def _unknown(self, name: str) -> UnknownEnv:
        known = [entry.env_id for entry in self.entries()]
        return unknown_env(f"{self.namespace}/{name}", known, str(self.path))


def unknown_env(env_id: str, known: list[str], where: str) -> UnknownEnv:
    """Return the error for an id nobody has: how many there are in ``where``, and which come nearest."""
    import difflib

    nearest = difflib.get_close_matches(env_id, known, n=3, cutoff=0.5)
    hint = f"; nearest: {', '.join(nearest)}" if nearest else "; `spade-envs list` shows what there is"
    count = f"{len(known)} environment{'' if len(known) == 1 else 's'}"
    return UnknownEnv(f"no environment {env_id!r} among {count} in {where}{hint}")


def _source_bytes(source: EnvSource) -> bytes:
    try:
        data = source.text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise SourceError(f"the text is not UTF-8: lone surrogate at character {error.start}; remove it") from None
    if len(data) > MAX_BYTES:
        raise SourceError(f"the text has {len(data)} bytes; a shelf holds at most {MAX_BYTES}")
    return data
