"""What a client has done so far."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from .replies import Usage

_FACTOR = 1.1
"""Ratio of neighbouring bounds of latency; a quantile is this exact."""
_LEAST = 1e-4
_BUCKETS = 200


@dataclass(frozen=True)
class Counters:
    """Counts since the client was made. A request counts once, however many attempts it took."""

    answered: int
    failed: int
    cancelled: int
    attempts: int
    """Sent to servers, calls for counting tokens included."""
    retries: int
    in_flight: int
    prompt_tokens: int
    """Of answered requests, as servers count."""
    completion_tokens: int
    unmetered: int
    """Answered requests whose server counts no tokens."""
    seconds_median: float
    """From the first attempt to the answer."""
    seconds_p99: float


@dataclass
class Tally:
    """Where a client counts."""

    answered: int = 0
    failed: int = 0
    cancelled: int = 0
    attempts: int = 0
    retries: int = 0
    in_flight: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unmetered: int = 0
    buckets: list[int] = field(default_factory=lambda: [0] * _BUCKETS)
    """Answers by the logarithm of their seconds: memory does not grow with requests."""

    def answer(self, usage: Usage | None, seconds: float) -> None:
        """Count an answer, once."""
        self.answered += 1
        if usage is None:
            self.unmetered += 1
        else:
            self.prompt_tokens += usage.prompt_tokens
            self.completion_tokens += usage.completion_tokens
        at = math.ceil(math.log(max(seconds, _LEAST) / _LEAST, _FACTOR))
        self.buckets[min(at, _BUCKETS - 1)] += 1

    def quantile(self, share: float) -> float:
        """Seconds in which this share of the answers came; 0 before the first.

        >>> tally = Tally()
        >>> for seconds in (1, 1, 1, 8):
        ...     tally.answer(None, seconds)
        >>> round(tally.quantile(0.5)), round(tally.quantile(0.99))
        (1, 8)
        """
        seen = 0
        for at, count in enumerate(self.buckets):
            seen += count
            if count and seen >= share * self.answered:
                return float(_LEAST * _FACTOR**at)
        return 0.0

    def counters(self) -> Counters:
        """The counts now."""
        return Counters(
            answered=self.answered,
            failed=self.failed,
            cancelled=self.cancelled,
            attempts=self.attempts,
            retries=self.retries,
            in_flight=self.in_flight,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            unmetered=self.unmetered,
            seconds_median=self.quantile(0.5),
            seconds_p99=self.quantile(0.99),
        )
