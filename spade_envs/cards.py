"""Cards as JSON text, checked against ``card.schema.json``, and the short entries an index is made of."""

from __future__ import annotations

import dataclasses
import functools
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .codec import from_json, to_json
from .errors import StoreError
from .types import CONTRACTS, Card

if TYPE_CHECKING:
    import jsonschema

MAX_NUMBER = 999_999_999
"""Largest number an environment can have on a shelf."""

_NAME = re.compile(r"env-(?:[0-9]{4}|[1-9][0-9]{4,8})", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SHOWN = 300


@dataclasses.dataclass(frozen=True)
class Entry:
    """One line of an index: enough to list an environment and to register it, without opening its card."""

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
    return int(name[4:]) if _NAME.fullmatch(name) else None


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
    wanted = {
        "name": isinstance(name, str) and number_of(name) is not None,
        "sha256": isinstance(sha256, str) and _SHA256.fullmatch(sha256) is not None,
        "skill": isinstance(values["skill"], str),
        "contract": isinstance(contract, str) and contract in CONTRACTS,
        "max_turns": type(max_turns) is int and max_turns > 0,
        "menu": isinstance(values["menu"], bool),
    }
    for key, good in wanted.items():
        if not good:
            raise ValueError(f"{key}: {_printable(repr(values[key]))} is not allowed")
    return Entry(**values, namespace=namespace, shelf=shelf)


def entry_json(entry: Entry) -> dict[str, Any]:
    """Return ``entry`` as the line of an index: what :func:`read_entry` reads, no paths."""
    return {key: value for key, value in vars(entry).items() if key not in ("namespace", "shelf")}


def card_bytes(card: Card) -> bytes:
    """Return ``card`` as the bytes of a ``card.json``.

    Raises:
        StoreError: when it breaks the schema; the message gives the JSON path and what is allowed there.
    """
    value = to_json(card)
    _checked(value, f"the card of {_printable(card.name)}")
    try:
        # ASCII only: text of a model may hold lone surrogates, which UTF-8 cannot carry but an escape can.
        return (json.dumps(value, indent=2, allow_nan=False) + "\n").encode("ascii")
    except ValueError as error:
        raise StoreError(f"the card of {card.name} cannot be written as JSON: {error}") from None


def parse_card(data: bytes, path: Path) -> Card:
    """Read the card in ``data``, which came from ``path``.

    Raises:
        StoreError: when it is not JSON, breaks the schema, or does not belong to the folder it lies in.
    """
    try:
        value = load_json(data)
    except ValueError as error:
        raise StoreError(f"{path} is not JSON: {error}; restore the file") from None
    card = _checked(value, str(path))
    if card.name != path.parent.name:
        raise StoreError(f"{path}: $.name is {card.name!r}, but its folder is {path.parent.name!r}; restore the file")
    check_identity(card, str(path))
    return card


def check_identity(card: Card, where: str) -> None:
    """Raise :class:`StoreError` when the report inside ``card`` is about another source."""
    if card.report.source_sha256 != card.sha256:
        found, expected = card.report.source_sha256, card.sha256
        raise StoreError(f"{where}: $.report.source_sha256 is {found!r}, but $.sha256 is {expected!r}; they must agree")


@functools.cache
def _validator() -> jsonschema.Draft202012Validator:
    # Imported here: it is far too slow for everyone who only lists a shelf.
    import jsonschema

    schema = json.loads(Path(__file__).with_name("card.schema.json").read_bytes())
    return jsonschema.Draft202012Validator(schema)


def _checked(value: Any, where: str) -> Card:
    from jsonschema.exceptions import best_match

    remedy = "Undo the edit, or admit the source again"
    error = best_match(_validator().iter_errors(value))
    if error is not None:
        found = _printable(f"{error.json_path}: {error.message}")
        if error.validator == "additionalProperties" and "properties" in error.schema:
            found += f"; allowed: {', '.join(sorted(error.schema['properties']))}"
        raise StoreError(f"{where} breaks the card schema at {found}. {remedy}")
    try:
        # To a JSON schema 3.0 is an integer; to us it is not.
        return from_json(Card, value, "$")
    except ValueError as problem:
        raise StoreError(f"{where} breaks the card schema at {_printable(str(problem))}. {remedy}") from None


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _printable(text: str) -> str:
    # Cards of strangers end up in error messages, and those on a terminal.
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text[:_SHOWN])
    return shown + "..." if len(text) > _SHOWN else shown
