"""The one error of the client, and why a request failed."""

from __future__ import annotations

import enum
import unicodedata

from ..errors import ClientError

LONGEST_QUOTE = 400
"""Characters of a server's own words that a message of ours repeats."""


class Reason(enum.StrEnum):
    """Why a request has no answer."""

    REQUEST = "request"
    """It cannot be sent or is refused as it is; repeating it does not help."""
    CONTEXT = "context"
    """The prompt does not fit into the model's context."""
    MODEL = "model"
    """The server has no model of this name."""
    BUDGET = "budget"
    """It would exceed a budget of tokens of ours; nothing was sent."""
    SERVER = "server"
    """No server gave an answer in the attempts there were."""
    DEADLINE = "deadline"
    """Time was up."""
    REPLY = "reply"
    """A server answered something that is not an answer."""


class RequestFailed(ClientError):
    """A request without an answer; ``reason`` says why, for programs.

    >>> error = RequestFailed("the server at http://h/v1 is gone", Reason.SERVER)
    >>> str(error), error.reason.value
    ('the server at http://h/v1 is gone', 'server')
    """

    def __init__(self, message: str, reason: Reason) -> None:
        # Both are arguments of the base, so that the error survives pickling.
        super().__init__(message, reason)
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[0])


def refused(message: str) -> RequestFailed:
    """A request that is wrong in itself."""
    return RequestFailed(message, Reason.REQUEST)


def quoted(text: str) -> str:
    """What a server said, short and on one line: it may be hostile.

    >>> quoted("no\\nsuch  \\x1b[31mmodel")
    'no such [31mmodel'
    """
    short = text[: 4 * LONGEST_QUOTE]
    plain = "".join(" " if c.isspace() else c for c in short if c.isspace() or unicodedata.category(c)[0] != "C")
    line = " ".join(plain.split())
    return line if len(line) <= LONGEST_QUOTE else line[:LONGEST_QUOTE] + "..."
