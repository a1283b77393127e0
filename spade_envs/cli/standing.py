"""Where a run of self-play stands, put together from its events."""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ..selfplay.events import CycleBegan, CycleEnded, DesignEnded, Event, Phase, Saved, Trouble
from ..selfplay.evidence import Design

MOST_ROWS = 200
"""Cycles that are remembered for the table."""
REFUSED = (Design.STATIC, Design.LOAD, Design.BEHAVIOUR, Design.WORTH)
"""Stages that refuse, in their order."""
BROKEN = (Design.FAULTY, Design.HUNG)
"""What an environment that was admitted can still turn out to be."""


@dataclass
class CycleRow:
    """One cycle."""

    cycle: int
    began: float
    """Seconds, by the clock of the watcher."""
    designs: Counter[Design] = field(default_factory=Counter)
    bands: Counter[str] = field(default_factory=Counter)
    seconds: float | None = None
    """Once it has ended."""
    metrics: Mapping[str, float] = field(default_factory=dict)

    @property
    def designed(self) -> int:
        """Designer replies that ended in this cycle."""
        return sum(self.designs.values())

    @property
    def admitted(self) -> int:
        """Replies that passed the gate, those that failed in play included."""
        return self.designs[Design.ADMITTED] + sum(self.designs[one] for one in BROKEN)

    @property
    def speed(self) -> float | None:
        """Tokens sampled per second of the cycle; ``None`` where it is not known."""
        tokens = self.metrics.get("tokens")
        return tokens / self.seconds if tokens is not None and self.seconds else None


class Standing:
    """Takes events in one thread, and may be read in another while :attr:`lock` is held.

    Args:
        clock: seconds that pass.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.lock = threading.Lock()
        self.rows: deque[CycleRow] = deque(maxlen=MOST_ROWS)
        self.phase: Phase | None = None
        self.troubles: Counter[str] = Counter()
        self.last_trouble = ""
        self.saved: Saved | None = None
        self.began = clock()

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self._clock() - self.began

    def take(self, event: Event) -> None:
        """Take note of an event."""
        with self.lock:
            if isinstance(event, CycleBegan):
                self._row(event.cycle)
                self.phase = None
            elif isinstance(event, Phase):
                self.phase = event
            elif isinstance(event, DesignEnded):
                row = self._row(event.cycle)
                row.designs[event.design] += 1
                row.bands[event.band] += bool(event.band)
            elif isinstance(event, CycleEnded):
                row = self._row(event.cycle)
                row.metrics, row.seconds, self.phase = event.metrics, self._clock() - row.began, None
            elif isinstance(event, Trouble):
                self.troubles[event.kind] += 1
                self.last_trouble = event.what
            else:
                self.saved = event

    def row(self, cycle: int) -> CycleRow | None:
        """What is known of a cycle; ``None`` for one that is long gone."""
        return next((one for one in reversed(self.rows) if one.cycle == cycle), None)

    def _row(self, cycle: int) -> CycleRow:
        found = self.row(cycle)
        if found is None:
            found = CycleRow(cycle, self._clock())
            self.rows.append(found)
        return found
