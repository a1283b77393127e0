"""How long a process looks for a message before it sleeps.

Falling asleep and being woken takes longer than a batch of turns, above all in a virtual machine, whose processor goes
away meanwhile and comes back with cold caches: measured, everything done after waking takes nearly twice as long. Where
messages follow at once it is worth while to look for the next one. Where the processor is wanted by others it is not:
who has looked for long waits longest for its turn. So whoever looks offers the processor between two looks, and a look
that comes late says that somebody took it: from then on one sleeps, for a while that grows as long as that goes on.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

LOOKS = 20
"""Looks before the processor is offered to others, about a microsecond each."""
EAGER_SECONDS = 0.001
"""How long to look, where the last message came as soon. Whoever waits for a language model sleeps."""
TAKEN_SECONDS = 0.0002
"""Time between two looks after which somebody else had the processor. It takes 0.000003 otherwise."""
SHORTEST_REST, LONGEST_REST = 0.01, 1.0
"""Seconds without looking after somebody wanted the processor: doubled each time, halved whenever nobody did."""


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Watch:
    """Looks for messages; one for all the waiting of a process, or of a part of it."""

    def __init__(self) -> None:
        self._several = processors() > 1
        self._soon = True
        """Whether the last message came soon."""
        self._begun = 0.0
        self._rested = 0.0
        """When it may be looked for longer again."""
        self._rest = SHORTEST_REST

    def look(self, read: Callable[[], bytes]) -> bytes | None:
        """What ``read`` returns, or ``None`` when it is time to sleep; then :meth:`woken` is to be told.

        Args:
            read: raises ``BlockingIOError`` where there is nothing yet.
        """
        for _ in range(LOOKS if self._several else 1):  # on a single processor looking only delays the answer
            try:
                return read()
            except BlockingIOError:
                pass
        self._begun = last = now = time.monotonic()
        if not self._soon or not self._several or now < self._rested:
            return None
        while now < self._begun + EAGER_SECONDS:
            os.sched_yield()
            last, now = now, time.monotonic()
            if now - last > TAKEN_SECONDS:
                self._rested, self._rest = now + self._rest, min(LONGEST_REST, self._rest * 2)
                return None
            try:
                data = read()
            except BlockingIOError:
                continue
            self._rest = max(SHORTEST_REST, self._rest / 2)
            return data
        return None

    def woken(self) -> None:
        """After sleeping: what came says how soon the next may come."""
        self._soon = time.monotonic() < self._begun + EAGER_SECONDS
