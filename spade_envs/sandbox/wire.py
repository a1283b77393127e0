"""The worker's end of the socket: whole messages come in, answers go out."""

from __future__ import annotations

import os
import select
from collections.abc import Sequence
from typing import Any

from .frames import Buffer, pack, understand
from .watch import Watch


class Wire:
    """Reads and writes frames on a descriptor, which it makes non-blocking.

    Args:
        fd: the descriptor.
    """

    def __init__(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self._fd, self._buffer = fd, Buffer()
        self._watch = Watch()
        self._wait, self._room = select.poll(), select.poll()
        self._wait.register(fd, select.POLLIN)
        self._room.register(fd, select.POLLOUT)

    def receive(self) -> Any:
        """The next message; the process ends when there is nobody any more who could send one."""
        buffer = self._buffer
        while (body := buffer.take()) is None:
            if (data := self._watch.look(self._read)) is None:
                self._wait.poll()
                self._watch.woken()
            elif data:
                buffer.feed(data)
            else:
                os._exit(0)
        return understand(body)

    def _read(self) -> bytes:
        return os.read(self._fd, 1 << 16)

    def send(self, value: Any, texts: Sequence[str] = ()) -> None:
        """Send a value, with texts as in :func:`frames.pack`.

        Raises:
            FrameError: it cannot be sent; nothing was.
        """
        view = memoryview(pack(value, texts))
        while view:
            try:
                view = view[os.write(self._fd, view) :]
            except BlockingIOError:
                self._room.poll()
