"""The short entries an index is made of: enough to list and to register an environment without opening its card."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .contract import CONTRACTS

MAX_NUMBER = 999_999_999
"""Largest number an environment can have on a shelf."""

NAME = re.compile(r"env-(?:[0-9]{4}|[1-9][0-9]{4,8})", re.ASCII)
"""Names of environments."""
"""Names of environments."""
_NAME_LINES = re.compile(rf"(?:{NAME.pattern}\n)*", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SHOWN = 300


_COLUMNS = ("name", "sha256", "skill", "contract", "max_turns", "menu")


class Entry(NamedTuple):
    """One line of an index: enough to list an environment and to register it, without opening its card.

    A tuple, since an import makes one of every environment there is.
    """

    name: str
    """Name on its shelf, e.g. ``env-0421``."""
    sha256: str
    """Hash of the source, as its card gives it."""
    skill: str
    contract: str
    max_turns: int
    menu: bool
    """Whether the environment lists its legal actions."""
    namespace: str
    """Namespace its shelf declares."""
    shelf: Path
    """Folder of its shelf."""
    fingerprint: str = ""
    """Hash of its code without comments and layout; empty when its card does not tell."""

    @property
    def env_id(self) -> str:
        """The gymnasium id, ``<namespace>/<name>``."""
        return f"{self.namespace}/{self.name}"


def name_of(number: int) -> str:
    """Return the name of environment ``number``.

    >>> name_of(7), name_of(12345)
    ('env-0007', 'env-12345')
    """
    return f"env-{number:04d}"


def number_of(name: str) -> int | None:
    """Return the number in ``name``, or ``None`` when it is no name of an environment.

    >>> number_of("env-0421"), number_of("env-00421"), number_of("../env-0421")
    (421, None, None)
    """
    return int(name[4:]) if NAME.fullmatch(name) else None


def load_json(data: bytes) -> Any:
    """Return the JSON value in ``data``. Raises ``ValueError`` when it is not JSON; NaN is not."""
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("nested too deep") from None


def read_entry(data: Any, namespace: str, shelf: Path) -> Entry:
    """Build an entry from a card or from a line of an index. Raises ``ValueError`` naming the bad field."""
    if not isinstance(data, dict):
        raise ValueError(f"expected an object, found {type(data).__name__}")
    values: dict[str, Any] = {
        key: data.get(key) for key in ("name", "sha256", "skill", "contract", "max_turns", "menu")
    }
    name, sha256, contract, max_turns = (values[key] for key in ("name", "sha256", "contract", "max_turns"))
    values["fingerprint"] = data.get("fingerprint", "")
    wanted = {
        "fingerprint": values["fingerprint"] == "" or _is_sha256(values["fingerprint"]),
        "name": isinstance(name, str) and number_of(name) is not None,
        "sha256": _is_sha256(sha256),
        "skill": isinstance(values["skill"], str),
        "contract": isinstance(contract, str) and contract in CONTRACTS,
        "max_turns": type(max_turns) is int and max_turns > 0,
        "menu": isinstance(values["menu"], bool),
    }
    for key, good in wanted.items():
        if not good:
            raise ValueError(f"{key}: {printable(repr(values[key]))} is not allowed")
    return Entry(**values, namespace=namespace, shelf=shelf)


def read_entries(lines: Sequence[Any], namespace: str, shelf: Path) -> tuple[Entry, ...] | None:
    """What :func:`read_entry` makes of every line, ten times as fast; ``None`` where it would refuse one of them."""
    try:
        columns = [
            [line[key] for line in lines] for key in ("name", "sha256", "skill", "contract", "max_turns", "menu")
        ]
        prints = [line.get("fingerprint", "") for line in lines]
    except (TypeError, KeyError, AttributeError):
        return None
    names, hashes, skills, contracts, turns, menus = columns
    right = (
        _are(str, names, hashes, skills, contracts, prints)
        and _are(int, turns)
        and _are(bool, menus)
        and _are_names(names)
        and _are_sha256([*hashes, *filter(None, prints)])
        and set(contracts) <= set(CONTRACTS)
        and min(turns, default=1) > 0
    )
    if not right:
        return None
    fixed = itertools.repeat(namespace), itertools.repeat(shelf)
    return tuple(map(Entry._make, zip(*columns, *fixed, prints, strict=False)))


def _are(kind: type, *columns: Sequence[object]) -> bool:
    return all(set(map(type, column)) <= {kind} for column in columns)


def _are_names(values: Sequence[str]) -> bool:
    lines = "".join(f"{value}\n" for value in values)
    return _NAME_LINES.fullmatch(lines) is not None and lines.count("\n") == len(values)


def _are_sha256(values: Sequence[str]) -> bool:
    digits = "".join(values)
    if not set(map(len, values)) <= {64} or digits != digits.lower():
        return False
    try:
        return len(bytes.fromhex(digits)) == 32 * len(values)  # it skips white space
    except ValueError:
        return False


def _is_sha256(value: object) -> bool:
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None


def entry_json(entry: Entry) -> dict[str, Any]:
    """Return ``entry`` as the line of an index: what :func:`read_entry` reads, no paths."""
    return {key: value for key, value in entry._asdict().items() if key not in ("namespace", "shelf")}


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def printable(text: str) -> str:
    """Text of strangers for an error message: short, and without control characters."""
    # Cards of strangers end up in error messages, and those on a terminal.
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text[:_SHOWN])
    return shown + "..." if len(text) > _SHOWN else shown
