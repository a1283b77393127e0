"""How a client behaves, whatever it is asked."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .failures import refused


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Limits of a client. The default values suit one vLLM server on the same network.

    Raises:
        ClientError: for values out of range.
    """

    concurrency: int = 256
    """Requests in flight at most; further ones wait their turn. 2,048 and more work where files may be opened."""
    deadline_seconds: float = 600.0
    """For one request with all its attempts, from when its turn comes."""
    attempts: int = 8
    """Attempts of one request at most."""
    backoff_seconds: float = 0.25
    """Upper bound of the first random wait; doubled for each further one."""
    backoff_most_seconds: float = 8.0
    """Upper bound of every random wait."""
    avoid_seconds: float = 2.0
    """How long a failing replica is passed over; doubled up to 32 times this while it keeps failing."""
    reply_bytes: int = 64 * 1024 * 1024
    """Largest reply that is read."""
    request_tokens: int | None = None
    """Most tokens of one request: the prompt and all that it may generate."""
    total_tokens: int | None = None
    """Most tokens of all requests together."""
    seed: int = 0
    """Of the random waits. They change when requests are sent, never what they say."""

    def __post_init__(self) -> None:
        for name in ("concurrency", "attempts", "reply_bytes"):
            _at_least(name, getattr(self, name), 1)
        for name in ("request_tokens", "total_tokens"):
            if getattr(self, name) is not None:
                _at_least(name, getattr(self, name), 1)
        for name in ("deadline_seconds", "backoff_seconds", "backoff_most_seconds", "avoid_seconds"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
                raise refused(f"{name} must be a number of seconds, not {value!r}")
        if self.deadline_seconds == 0:
            raise refused("deadline_seconds must be above 0")


def _at_least(name: str, value: object, least: int) -> None:
    if type(value) is not int or value < least:
        raise refused(f"{name} must be an integer of at least {least}, not {value!r}")
