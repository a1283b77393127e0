"""The two small files of a shelf: ``shelf.json``, which is the truth, and ``index.json``, which is derived.

A derived file may be missing, wrong, old or unwritable at any time; then the cards are read instead.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .atomic import explained, read_file, write_atomic
from .entries import MAX_NUMBER, NAME, Entry, entry_json, load_json, number_of, read_entries, read_entry
from .errors import StoreError

_NAMESPACE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}", re.ASCII)


@dataclasses.dataclass(frozen=True)
class Header:
    """What ``shelf.json`` says."""

    namespace: str
    """First half of the ids of this shelf."""
    first: int
    """First number it may use."""
    next: int
    """Every number below has been used or is lost. Only grows."""


def header_path(folder: Path) -> Path:
    """Where the header of the shelf ``folder`` lies."""
    return folder / "shelf.json"


def check_header(value: Any, where: str) -> Header:
    """Build a header from JSON. Raises :class:`StoreError` naming what is wrong and what is allowed."""
    if not isinstance(value, dict) or set(value) != {"namespace", "first", "next"}:
        raise StoreError(f'{where}: expected an object with "namespace", "first" and "next"; restore the file')
    namespace, first, following = value["namespace"], value["first"], value["next"]
    if not isinstance(namespace, str) or not _NAMESPACE.fullmatch(namespace):
        allowed = "a letter, then letters, digits, - and _, at most 64"
        raise StoreError(f"{where}: namespace {namespace!r} is not allowed; allowed: {allowed}")
    if type(first) is not int or not 1 <= first <= MAX_NUMBER:
        raise StoreError(f"{where}: first {first!r} is not allowed; allowed: an integer from 1 to {MAX_NUMBER}")
    if type(following) is not int or not first <= following <= MAX_NUMBER + 1:
        raise StoreError(f"{where}: next {following!r} is not allowed; allowed: an integer from first ({first})")
    return Header(namespace, first, following)


def read_header(folder: Path) -> Header:
    """Read the header of the shelf ``folder``. Raises :class:`StoreError` when it is no shelf or a broken one."""
    path = header_path(folder)
    if os.path.isfile(folder):
        raise StoreError(f"{folder} is a file; a shelf is a folder with a shelf.json in it")
    if not os.path.lexists(path):
        raise StoreError(f"{folder} is not a shelf: there is no shelf.json in it; check the path")
    with explained(f"read {path}"):
        data = read_file(path)
    try:
        value = load_json(data)
    except ValueError as error:
        raise StoreError(f"{path} is not JSON: {error}; restore the file") from None
    return check_header(value, str(path))


def write_header(folder: Path, header: Header) -> None:
    """Replace the header, durably. Raises ``OSError`` when it cannot be written."""
    text = json.dumps(dataclasses.asdict(header)) + "\n"
    write_atomic(header_path(folder), text.encode("ascii"))


def list_names(folder: Path) -> list[str]:
    """Names of the environments in ``folder``, by number. Raises ``OSError`` when it cannot be listed."""
    names = sorted(filter(NAME.fullmatch, os.listdir(folder)))
    names.sort(key=len)
    return names


def highest(names: Iterable[str]) -> int:
    """The largest number among ``names``; 0 when there is none.

    >>> highest(["env-0002", "env-10000", "notes"])
    10000
    """
    return max((number_of(name) or 0 for name in names), default=0)


def read_index(folder: Path, header: Header, names: list[str]) -> tuple[Entry, ...] | None:
    """The entries of ``index.json``, or ``None`` when it is missing, malformed or does not fit the shelf.

    It fits when it was made for the same ``next`` and the same folders. The number alone would not do: a reader
    that raced a writer may have left an index without the last one, and version control moves folders unasked.
    """
    with contextlib.suppress(OSError, ValueError):
        value = load_json(read_file(folder / "index.json"))
        if not isinstance(value, dict) or value.get("next") != header.next:
            return None
        lines = value.get("entries")
        if isinstance(lines, list):
            entries = read_entries(lines, header.namespace, folder)
            return entries if entries is not None and [entry.name for entry in entries] == names else None
    return None


def scan_cards(folder: Path, header: Header, names: Iterable[str]) -> Iterator[Entry]:
    """Entries made from the cards themselves. A card that cannot be used is left out with a warning."""
    for name in names:
        path = folder / name / "card.json"
        try:
            entry = read_entry(load_json(read_file(path)), header.namespace, folder)
            if entry.name != name:
                raise ValueError(f"name: {entry.name!r} is not the name of its folder")
        except (OSError, ValueError) as error:
            warnings.warn(f"{path} is left out: {error}; restore the file", stacklevel=2)
        else:
            yield entry


def write_index(folder: Path, header: Header, entries: Iterable[Entry]) -> None:
    """Write ``index.json`` when it differs and can be written; silent when it cannot."""
    # One line per environment: the bundled index lives under version control.
    lines = ",\n".join("  " + json.dumps(entry_json(entry)) for entry in entries)
    body = f"[\n{lines}\n ]" if lines else "[]"
    data = f'{{\n "next": {header.next},\n "entries": {body}\n}}\n'.encode("ascii")
    path = folder / "index.json"
    with contextlib.suppress(OSError):
        if os.path.lexists(path):
            with contextlib.suppress(OSError):
                if read_file(path) == data:
                    return
        write_atomic(path, data, durable=False)
