"""Cards as JSON text, checked against ``card.schema.json``."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .codec import from_json, to_json
from .entries import load_json, printable
from .errors import StoreError
from .types import Card

if TYPE_CHECKING:
    import jsonschema


def card_bytes(card: Card) -> bytes:
    """Return ``card`` as the bytes of a ``card.json``.

    Raises:
        StoreError: when it breaks the schema; the message gives the JSON path and what is allowed there.
    """
    value = to_json(card)
    _checked(value, f"the card of {printable(card.name)}")
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
        found = printable(f"{error.json_path}: {error.message}")
        if error.validator == "additionalProperties" and "properties" in error.schema:
            found += f"; allowed: {', '.join(sorted(error.schema['properties']))}"
        raise StoreError(f"{where} breaks the card schema at {found}. {remedy}")
    try:
        # To a JSON schema 3.0 is an integer; to us it is not.
        return from_json(Card, value, "$")
    except ValueError as problem:
        raise StoreError(f"{where} breaks the card schema at {printable(str(problem))}. {remedy}") from None
