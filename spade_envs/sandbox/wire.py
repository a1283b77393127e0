"""The worker's end of the socket: whole messages come in, answers go out."""

from __future__ import annotations

import os
import select
import time
from typing import Any

from .frames import Buffer, pack, unpack

EAGER_SECONDS = 0.001
"""How long to look for the next message before sleeping, where the last one came as soon: being woken takes longer than
many a batch of turns, above all in a virtual machine. Whoever waits for a language model lets the worker sleep."""
_LOOKS = 20
"""Looks before the processor is offered to others, between one look and the next."""


class Wire:
    """Reads and writes frames on a descriptor, which it makes non-blocking.

    Args:
        fd: the descriptor.
    """

    def __init__(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self._fd, self._buffer = fd, Buffer()
        self._several = not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) > 1
        self._soon = self._several
        """Whether the next message may well come soon: the last one did, and another processor can send it."""
        self._wait, self._room = select.poll(), select.poll()
        self._wait.register(fd, select.POLLIN)
        self._room.register(fd, select.POLLOUT)

    def receive(self) -> Any:
        """The next message; the process ends when there is nobody any more who could send one."""
        buffer, read, fd = self._buffer, os.read, self._fd
        begun, looks = time.monotonic(), 0
        while (body := buffer.take()) is None:
            try:
                data = read(fd, 1 << 16)
            except BlockingIOError:
                looks += 1
                if not self._soon:
                    self._wait.poll()
                elif looks > _LOOKS:
                    self._soon = time.monotonic() - begun < EAGER_SECONDS
                    os.sched_yield()
                continue
            if not data:
                os._exit(0)
            buffer.feed(data)
        self._soon = self._several and time.monotonic() - begun < EAGER_SECONDS
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
