"""The key of a server: from the environment, and nowhere else to be seen."""

from __future__ import annotations

import os
import re
from typing import NoReturn

from .failures import refused

HIDDEN = "***"
"""What stands where a key stood."""
_NAME = re.compile(r"(?!(?:sk|pk|hf|gsk|xai)[-_])[A-Za-z_][A-Za-z0-9_]{0,63}")
"""Names that a variable may have; keys of well-known services begin like those that are left out."""


class Key:
    """A key that does not show itself: not in ``repr``, not in JSON, not in a pickle.

    >>> Key("", "")
    Key(none)
    """

    __slots__ = ("_value", "variable")

    def __init__(self, value: str, variable: str) -> None:
        self._value, self.variable = value, variable

    @classmethod
    def from_environment(cls, variable: str | None) -> Key:
        """The key in an environment variable; no key where ``variable`` is ``None``.

        Raises:
            ClientError: when ``variable`` is no name, is not set, or holds what no header can carry.
        """
        if variable is None:
            return cls("", "")
        if not _NAME.fullmatch(variable):
            # It may be the key itself: it is not repeated.
            wanted = "key_variable takes the NAME of the environment variable that holds the key, such as MY_KEY"
            raise refused(f"{wanted}, not the key itself; what was given can be no such name")
        value = os.environ.get(variable, "").strip()
        if not value:
            raise refused(f"the environment variable {variable} holds no key; set it, or leave key_variable out")
        if not value.isascii() or not value.isprintable() or any(character in value for character in ' "\\'):
            raise refused(f"the key in {variable} has characters that no key has; copy it again, without line breaks")
        return cls(value, variable)

    def hide(self, text: str) -> str:
        """``text`` without the key."""
        return text.replace(self._value, HIDDEN) if self._value else text

    def reveal(self) -> str:
        """The key itself, for the header of a request; ``none`` without one, since a client must send something."""
        return self._value or "none"

    def __repr__(self) -> str:
        return f"Key({self.variable or 'none'})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not pickled; make a new client from the environment of the other process")
