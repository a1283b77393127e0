"""What a server says when it refuses, and what to do about it."""

from __future__ import annotations

from .failures import Reason, RequestFailed, quoted, refused
from .keys import Key
from .replies import parse
from .wires import Received

MOST_BYTES = 100_000
"""Of the body of an error that are read as text."""


def said(received: Received, key: Key) -> str:
    """A server's own words about an error, without the key.

    >>> said(Received(500, b'{"error": {"message": "out of memory", "code": "oom"}}'), Key("", ""))
    'out of memory (oom)'
    """
    try:
        body = parse(received.body)
    except RequestFailed:
        words = received.body[:MOST_BYTES].decode("utf-8", "replace")
    else:
        error = body.get("error", body)
        message = error.get("message", "") if isinstance(error, dict) else error
        code = error.get("code") if isinstance(error, dict) else None
        words = f"{message} ({code})" if isinstance(code, str) else str(message)
    # Once before the quote is cut, which might leave a part of the key; once after characters were taken out.
    return key.hide(quoted(key.hide(words)))


def key_refused(base: str, received: Received, key: Key) -> RequestFailed:
    """For status 401 or 403: a key is wrong, or none was sent."""
    words, status = said(received, key), f"(status {received.status})"
    if key.variable:
        told = f"the key in {key.variable} is refused {status}{_colon(words)}"
        return refused(f"{base}: {told}; see whether it is the key of this server")
    told = f"{base} refuses the key {status}; name the variable that holds it: key_variable=..."
    return refused(f"{told} (it says: {words})" if words else told)


def no_list(base: str, received: Received, key: Key) -> RequestFailed:
    """For any other status but 200 where models should be listed."""
    text = f"{base}/models answers status {received.status}"
    if received.status >= 500:
        return RequestFailed(f"{text}{_colon(said(received, key))}; look at the server's log", Reason.SERVER)
    # A page that says that there is no such page says nothing more.
    words = "" if received.status == 404 else _colon(said(received, key))
    return refused(f"{text}{words}; {is_it_the_base(base)}")


def is_it_the_base(base: str) -> str:
    """The question to ask where something other than a model server answers.

    >>> is_it_the_base("http://h/v1")
    'is this the base URL of a model server?'
    """
    question = "is this the base URL of a model server?"
    return question if base.endswith("/v1") else f"{question} It usually ends in /v1"


def _colon(words: str) -> str:
    return f": {words}" if words else ""
