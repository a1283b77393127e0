"""Sources that failed again and again: they are not run any more, so that they cost nothing."""

from __future__ import annotations

import collections
import dataclasses
import threading

from .episodes import Fault, FaultKind

RECENT = 8
"""Episodes of a source that are looked back on."""


class Quarantine:
    """Counts faults by source, and shuts out a source of whose last :data:`RECENT` episodes too many failed.

    A fault that is nobody's (``lost``) does not count. Several threads may share one.

    Args:
        after: failed episodes among the last :data:`RECENT` after which a source is shut out; 0 never does that.

    Raises:
        ValueError: ``after`` is not in 0 to :data:`RECENT`.

    >>> quarantine = Quarantine(after=2)
    >>> raised = Fault(FaultKind.RAISED, "step", "KeyError: 'k'")
    >>> for ended in (raised, None, raised):
    ...     quarantine.note("abc", ended)
    >>> quarantine.fault("abc").message
    "quarantined: 2 of its last 3 episodes failed, at last with: KeyError: 'k'"
    >>> quarantine.fault("def") is None
    True
    """

    def __init__(self, after: int = 5) -> None:
        if not 0 <= after <= RECENT:
            raise ValueError(f"quarantine must be 0 (never) to {RECENT} of the last {RECENT} episodes, not {after}")
        self.after = after
        self.faults: collections.Counter[str] = collections.Counter()
        """How often episodes of a source failed, by the hash of its text."""
        self.shut_out: dict[str, Fault] = {}
        """Sources in quarantine, by the hash of their text, and what their members answer."""
        self._recent: dict[str, collections.deque[bool]] = {}
        self._lock = threading.Lock()

    def note(self, sha256: str, fault: Fault | None) -> None:
        """An episode of a source has ended, with a fault or without."""
        if fault is not None and fault.kind is FaultKind.LOST:
            return
        with self._lock:
            if sha256 in self.shut_out:
                return
            recent = self._recent.setdefault(sha256, collections.deque(maxlen=RECENT))
            recent.append(fault is not None)
            if fault is None:
                return
            self.faults[sha256] += 1
            if self.after and sum(recent) >= self.after:
                message = f"quarantined: {sum(recent)} of its last {len(recent)} episodes failed, at last with: "
                self.shut_out[sha256] = dataclasses.replace(fault, message=(message + fault.message)[:1000])

    def fault(self, sha256: str) -> Fault | None:
        """What to answer for a source instead of running it; ``None`` where it may run."""
        return self.shut_out.get(sha256)
