"""Values of one section of a configuration: what was found, what is allowed, and the nearest right name."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Sequence

from .failures import ConfigError

LONGEST_TEXT = 4096
"""Characters of a text, such as a path."""


def nearest(found: str, allowed: Iterable[str]) -> str:
    """``did you mean trained? `` where a name is near enough, else nothing.

    >>> nearest("traned", ("trained", "frozen"))
    'did you mean trained? '
    """
    near = difflib.get_close_matches(found.lower(), [name for name in allowed if name], 1)
    return f"did you mean {near[0]}? " if near else ""


class Checked:
    """Looks at the values of a section.

    Every method takes names of fields and raises :class:`ConfigError` for a value that is not allowed.
    """

    def __init__(self, name: str, section: object) -> None:
        self._name, self._section = name, section

    def whole(self, field: str, least: int, most: int) -> None:
        """A whole number from ``least`` to ``most``."""
        value = getattr(self._section, field)
        if type(value) is not int or not least <= value <= most:
            self._refuse(field, f"must be a whole number from {least} to {most}", value)

    def number(self, field: str, least: float, most: float, *, above: bool = False, below: bool = False) -> None:
        """A finite number from ``least`` to ``most``; ``above`` the one, ``below`` the other."""
        value = getattr(self._section, field)
        if not _within(value, least, most, above=above, below=below):
            self._refuse(field, f"must be a number {_range(least, most, above=above, below=below)}", value)

    def numbers(self, field: str, count: int, least: float, most: float, *, below: bool = False) -> None:
        """So many such numbers."""
        values = getattr(self._section, field)
        right = isinstance(values, tuple) and len(values) == count
        if not right or not all(_within(value, least, most, above=False, below=below) for value in values):
            self._refuse(field, f"must be {count} numbers {_range(least, most, above=False, below=below)}", values)

    def flags(self, *fields: str) -> None:
        """True or false."""
        for field in fields:
            value = getattr(self._section, field)
            if type(value) is not bool:
                self._refuse(field, "must be true or false", value)

    def texts(self, *fields: str) -> None:
        """A text of one line."""
        for field in fields:
            value = getattr(self._section, field)
            if not isinstance(value, str) or not (value.isprintable() and len(value) <= LONGEST_TEXT):
                self._refuse(field, f"must be a text of one line and at most {LONGEST_TEXT} characters", value)

    def filled(self, field: str, remedy: str) -> None:
        """A text that is not empty."""
        if not getattr(self._section, field).strip():
            raise ConfigError(f"{self._name}.{field} is empty; {remedy}")

    def named(self, field: str, allowed: Sequence[str]) -> None:
        """One of the names."""
        self._one_of(field, getattr(self._section, field), allowed)

    def names(self, field: str, allowed: Sequence[str]) -> None:
        """At least one of the names, and none twice."""
        values = getattr(self._section, field)
        if not isinstance(values, tuple) or not values or len(set(values)) != len(values):
            self._refuse(field, "must be a list that names at least one, and none twice", values)
        for value in values:
            self._one_of(field, value, allowed)

    def urls(self, field: str) -> None:
        """Base URLs, none twice; perhaps none."""
        values = getattr(self._section, field)
        right = isinstance(values, tuple) and len(set(values)) == len(values)
        if not right or not all(isinstance(one, str) and one.startswith(("http://", "https://")) for one in values):
            self._refuse(field, "must be a list of base URLs such as http://127.0.0.1:8000, none twice", values)

    def sampling(self) -> None:
        """What both roles are sampled with."""
        self.number("temperature", 0.0, 100.0, above=True)
        self.number("top_p", 0.0, 1.0, above=True)
        self.whole("top_k", 0, 10**7)
        self.whole("max_tokens", 1, 10**7)

    def _one_of(self, field: str, value: object, allowed: Sequence[str]) -> None:
        if value in allowed:
            return
        names = ", ".join(name if name else repr(name) for name in allowed)
        hint = nearest(value, allowed) if isinstance(value, str) else ""
        raise ConfigError(f"{self._name}.{field} cannot be {_shown(value)}; {hint}Allowed: {names}")

    def _refuse(self, field: str, allowed: str, value: object) -> None:
        raise ConfigError(f"{self._name}.{field} {allowed}, not {_shown(value)}")


def _within(value: object, least: float, most: float, *, above: bool, below: bool) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return False
    return least <= value <= most and not (above and value == least) and not (below and value == most)


def _range(least: float, most: float, *, above: bool, below: bool) -> str:
    first = f"above {least:g}" if above else f"from {least:g}"
    return f"{first} and below {most:g}" if below else f"{first} to {most:g}"


def _shown(value: object) -> str:
    text = repr(list(value)) if isinstance(value, tuple) else repr(value)
    return text if len(text) <= 120 else f"{text[:120]}..."
