"""The worker's end of the socket: whole messages come in, answers go out."""

from __future__ import annotations

import os
import select
from typing import Any

from .frames import Buffer, pack, unpack

LOOKS = 20
"""Looks at the socket before sleeping, where the next message may come at once; see ``host._SPINS``. To look for long
would spare a virtual machine its slow waking, and take the processor from others where it is busy: steps then took two
to three times as long."""


class Wire:
    """Reads and writes frames on a descriptor, which it makes non-blocking.

    Args:
        fd: the descriptor.
    """

    def __init__(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self._fd, self._buffer = fd, Buffer()
        several = not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) > 1
        self._looks = LOOKS if several else 1
        self._wait, self._room = select.poll(), select.poll()
        self._wait.register(fd, select.POLLIN)
        self._room.register(fd, select.POLLOUT)

    def receive(self, *, soon: bool) -> Any:
        """The next message; the process ends when there is nobody any more who could send one.

        Args:
            soon: whether it may come at once: on several processors it is looked for a few times before sleeping.
        """
        buffer, looks = self._buffer, self._looks if soon else 1
        while (body := buffer.take()) is None:
            try:
                data = os.read(self._fd, 1 << 16)
            except BlockingIOError:
                looks -= 1
                if looks < 0:
                    self._wait.poll()
                continue
            if not data:
                os._exit(0)
            buffer.feed(data)
        return unpack(body)

    def send(self, value: Any) -> None:
        """Send a value.

        Raises:
            FrameError: it cannot be sent; nothing was.
        """
        view = memoryview(pack(value))
        while view:
            try:
                view = view[os.write(self._fd, view) :]
            except BlockingIOError:
                self._room.poll()
