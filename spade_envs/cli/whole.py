"""Whole numbers on the command line: what is none is refused, where it would be rounded otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter, Token


def whole(type_: Any, tokens: Sequence[Token]) -> int:
    """The number of a token.

    Raises:
        ValueError: it is none.
    """
    try:
        return int(tokens[0].value)
    except ValueError:
        raise ValueError(f"a whole number is needed, not {tokens[0].value[:80]!r}") from None


Whole = Annotated[int, Parameter(converter=whole)]
"""An ``int`` of a command."""
