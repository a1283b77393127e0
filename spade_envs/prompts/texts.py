"""Texts with fields, by name, from package data."""

from __future__ import annotations

import difflib
import functools
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from string import Template


@dataclass(frozen=True)
class Prompt:
    """A text for a model. Fields are written ``$name`` or ``${name}``, a dollar sign ``$$``; nothing else is special.

    Raises:
        ValueError: when a dollar sign is followed by something else.

    >>> Prompt("greeting", "Hello $who, have $$5.").fill(who="$you")
    'Hello $you, have $5.'
    """

    name: str
    text: str

    def __post_init__(self) -> None:
        if not Template(self.text).is_valid():
            raise ValueError(f"the text of prompt {self.name!r} holds a $ that begins no field; write $$ for the sign")

    @property
    def sha256(self) -> str:
        """Hex digest of the UTF-8 text: what cards, probes and logs record."""
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields, each once, as they come in the text."""
        return tuple(Template(self.text).get_identifiers())

    def fill(self, **fields: str) -> str:
        """The text with its fields filled in; values are taken as they are, dollar signs included.

        Raises:
            ValueError: when a field is missing, or the text has no such field.
        """
        missing = [name for name in self.fields if name not in fields]
        surplus = [name for name in fields if name not in self.fields]
        if missing or surplus:
            wrong = [f"lacks {', '.join(missing)}"] if missing else []
            wrong += [f"has no {', '.join(surplus)}"] if surplus else []
            has = ", ".join(self.fields) or "none"
            raise ValueError(f"prompt {self.name!r} {' and '.join(wrong)}; its fields are: {has}")
        return Template(self.text).substitute(fields)


@functools.cache
def names() -> tuple[str, ...]:
    """Names of all prompts, sorted."""
    found = (entry.name for entry in resources.files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(".md") for name in found if name.endswith(".md")))


@functools.cache
def prompt(name: str) -> Prompt:
    """The prompt of this name, without the line break that ends its file.

    Raises:
        ValueError: when there is none; the message tells the nearest name, and all.

    >>> prompt("repair").name
    'repair'
    """
    if name not in names():
        raise ValueError(unknown("prompt", name, names()))
    text = resources.files(__package__).joinpath(f"{name}.md").read_text("utf-8")
    return Prompt(name, text.removesuffix("\n"))


def unknown(what: str, found: str, allowed: Iterable[str]) -> str:
    """Message about a name that does not exist.

    >>> unknown("difficulty", "medum", ("easy", "medium"))
    "no difficulty is named 'medum'; did you mean medium? There are: easy, medium"
    """
    known = tuple(allowed)
    near = difflib.get_close_matches(found, known, n=1, cutoff=0.5)
    guess = f"did you mean {near[0]}? " if near else ""
    return f"no {what} is named {found!r}; {guess}There are: {', '.join(known)}"
