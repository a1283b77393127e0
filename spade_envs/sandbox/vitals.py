"""What the kernel says of a process: its memory, and whether it got the processor time it would have needed.

Read from ``/proc`` (proc(5)), so that no worker has a say in it. Elsewhere nothing is known, and nobody is spared for
starving.
"""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
import struct
import time

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100

_PROGRESS = struct.Struct("QQ")
_SEALS = getattr(fcntl, "F_SEAL_SHRINK", 2) | getattr(fcntl, "F_SEAL_GROW", 4) | getattr(fcntl, "F_SEAL_SEAL", 1)

GLANCE_SECONDS = 0.25
"""How old a reading of the processor time may become while a worker is asked things."""
MOST_PATIENCE = 8
"""Times its limit that a worker has which does not get the processor."""


def resident_mb(pid: int) -> float | None:
    """Memory that a process occupies, in MiB; ``None`` where that cannot be read."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read(200).split()[1]) * _PAGE / 2**20
    except (OSError, IndexError, ValueError):
        return None


def processor_seconds(pid: int) -> tuple[str, float] | None:
    """State letter and processor time so far of a process; ``None`` where that cannot be read."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read(1000).rpartition(b")")[2].split()
        return fields[0].decode("ascii"), (int(fields[11]) + int(fields[12])) / _TICKS
    except (OSError, IndexError, ValueError):
        return None


class Progress:
    """Memory shared with a worker, in which it notes which call of which message it has begun.

    What a dying worker has not sent any more is lost, but not whose call ended it. A worker may write anything there:
    nobody is harmed but the instances of its own source.
    """

    def __init__(self) -> None:
        self.descriptor: int | None = None
        """To hand to the worker; ``None`` where the system has no such memory."""
        self._page: mmap.mmap | None = None
        self._last = 0, 0
        if hasattr(os, "memfd_create"):
            try:
                self.descriptor = os.memfd_create("progress", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
                os.ftruncate(self.descriptor, _PROGRESS.size)
                # Reading memory whose file a worker has made shorter would kill this process.
                fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, _SEALS)
                self._page = mmap.mmap(self.descriptor, _PROGRESS.size)
            except OSError:
                self.sent()

    def sent(self) -> None:
        """The worker has it: close the descriptor."""
        if self.descriptor is not None:
            os.close(self.descriptor)
        self.descriptor = None

    def read(self) -> tuple[int, int]:
        """Number of a message, and of a call in it; zeros before the first, and where nothing is known."""
        page = self._page
        if page is not None:
            with contextlib.suppress(ValueError):  # another thread has closed it
                message, at = _PROGRESS.unpack(page[: _PROGRESS.size])
                self._last = message, at
        return self._last

    def close(self) -> None:
        """Let go of the memory; what was noted last can still be read."""
        page = self._page
        if page is not None:
            self.read()
            self._page = None
            page.close()


class Hunger:
    """Tells a process that hangs from one that waits for a processor on a busy machine."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._at = 0.0
        self._used = 0.0

    def glance(self, now: float) -> None:
        """Read the processor time, unless that was done a moment ago. ``now`` is ``time.monotonic()``."""
        if now > self._at + GLANCE_SECONDS:
            self._at, self._used = now, (processor_seconds(self.pid) or ("", 0.0))[1]

    def starves(self, allowed: float) -> bool:
        """Whether a process that is late wants the processor, and had it for less than half of ``allowed`` seconds.

        One that sleeps is not starving: it waits for something that is not coming.
        """
        found = processor_seconds(self.pid)
        return found is not None and found[0] in "RD" and found[1] - self._used < allowed / 2


def more_time(begun: float, deadline: float) -> float | None:
    """The next deadline of a starving process, or ``None`` when it had :data:`MOST_PATIENCE` times its limit."""
    now = time.monotonic()
    return now + GLANCE_SECONDS if now < begun + MOST_PATIENCE * (deadline - begun) else None
