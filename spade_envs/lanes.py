"""Lanes: one thread and one worker for the pending calls of one source, and a fair share of a bounded number of them.

A lane has a place only while it is needed. When all places are taken, the lane that was idle for the longest time
leaves; when none is idle, busy ones leave after a moment and queue up again. Whoever leaves ends its worker: its
episodes are played again in another one when they go on.
"""

from __future__ import annotations

import collections
import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

TENURE_SECONDS = 0.25
"""How long a busy lane keeps its place while others wait."""


class Lane(Generic[T]):
    """Pending calls of one key, answered in order by ``serve``, all that are pending at a time together."""

    def __init__(self, lanes: Lanes[T], serve: Callable[[Sequence[T]], None], leave: Callable[[], None]) -> None:
        self.serve = serve
        self.leave = leave
        self.pending: list[T] = []
        self.has_place = False
        self.is_leaving = False
        self.wake = threading.Condition(lanes.lock)


class Lanes(Generic[T]):
    """At most ``most`` lanes at work.

    Args:
        most: lanes with a place at the same time.
        idle_seconds: how long a lane with nothing to do keeps its place.

    Raises:
        ValueError: ``most`` or ``idle_seconds`` is not above 0.
    """

    def __init__(self, most: int, idle_seconds: float) -> None:
        if most < 1 or not idle_seconds > 0:
            raise ValueError(f"most must be 1 or more and idle_seconds above 0, not {most} and {idle_seconds}")
        self.most, self.idle_seconds = most, idle_seconds
        self._renew()
        self.closed = False

    def _renew(self) -> None:
        self.lock = threading.RLock()
        self.free = self.most
        self.waiting: collections.deque[Lane[T]] = collections.deque()
        self.idle: dict[Lane[T], None] = {}
        """Lanes with a place and nothing to do, the longest idle first."""
        self.threads: dict[Lane[T], threading.Thread] = {}

    def ask(self, lane: Lane[T], call: T) -> bool:
        """Add a call to a lane; ``False`` after :meth:`close`."""
        with self.lock:
            if self.closed:
                return False
            lane.pending.append(call)
            if lane.has_place:
                lane.wake.notify()
            elif len(lane.pending) == 1:
                self.waiting.append(lane)
                self._grant()
            return True

    def close(self) -> list[T]:
        """Serve no more; calls that were not begun. Threads end by themselves: join them with :meth:`join`."""
        with self.lock:
            self.closed = True
            left = [call for lane in self.waiting for call in lane.pending]
            self.waiting.clear()
            for lane in self.threads:
                left += lane.pending
                lane.pending = []
                lane.wake.notify()
        return left

    def join(self) -> None:
        """Wait until every thread has ended."""
        with self.lock:
            threads = list(self.threads.values())
        for thread in threads:
            thread.join()

    def forget(self) -> None:
        """In a forked child: nobody serves here yet."""
        self._renew()

    def _grant(self) -> None:
        """Give free places to waiting lanes, and ask idle ones to leave for the rest. The lock is held."""
        while self.free and self.waiting:
            self.free -= 1
            lane = self.waiting.popleft()
            lane.has_place, lane.is_leaving = True, False
            thread = threading.Thread(target=self._work, args=(lane,), name="spade-envs", daemon=True)
            self.threads[lane] = thread
            thread.start()
        leaving = sum(lane.is_leaving for lane in self.threads)
        for lane in list(self.idle)[: max(0, len(self.waiting) - leaving)]:
            del self.idle[lane]
            lane.is_leaving = True
            lane.wake.notify()

    def _work(self, lane: Lane[T]) -> None:
        """The life of a lane with a place."""
        begun, served = time.monotonic(), False
        while True:
            with self.lock:
                if not lane.pending and not self.closed:
                    self._idle(lane)
                tired = served and bool(self.waiting) and time.monotonic() - begun > TENURE_SECONDS
                if self.closed or lane.is_leaving or tired or not lane.pending:
                    break
                batch, lane.pending = lane.pending, []
            lane.serve(batch)
            served = True
        lane.leave()
        with self.lock:
            lane.has_place = lane.is_leaving = False
            del self.threads[lane]
            self.free += 1
            if lane.pending and not self.closed:
                self.waiting.append(lane)
            self._grant()

    def _idle(self, lane: Lane[T]) -> None:
        """Wait for a call, for as long as the place is not needed. The lock is held."""
        self.idle[lane] = None
        if self.waiting:
            self._grant()
        lane.wake.wait_for(lambda: lane.pending or self.closed or lane.is_leaving, self.idle_seconds)
        self.idle.pop(lane, None)
