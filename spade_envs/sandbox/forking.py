"""Where workers come from that need not import anything: a process that has, and forks one whenever it is asked."""

from __future__ import annotations

import gc
import os
import struct
import sys
from collections.abc import Callable
from typing import Any


def be_zygote(fd: int, box: Any, serve: Callable[..., None]) -> None:
    """Fork a worker for every socket that comes in, and tell how one ended when asked; see ``zygotes``.

    A child calls ``serve(fd, box, preloaded=True, page=fd)``, as ``worker.serve`` takes it, and ends.
    """
    import _socket  # only here: no worker that was started alone has it

    gc.collect()
    gc.freeze()
    host = _socket.socket(fileno=fd)
    while True:
        message, passed, _, _ = host.recvmsg(8, _socket.CMSG_SPACE(8))
        fds = [fd for _, _, data in passed for (fd,) in struct.iter_unpack("i", data[: len(data) // 4 * 4])]
        if not message:
            os._exit(0)  # the host is gone
        if message[:1] == b"w":
            _, status = os.waitpid(struct.unpack("i", message[1:])[0], 0)
            host.send(struct.pack("i", os.waitstatus_to_exitcode(status)))
            continue
        try:
            pid = os.fork()
        except OSError:
            pid = -1
        if pid == 0:
            host.close()
            sys.modules.pop("_socket")
            os.setpgid(0, 0)
            serve(fds[0], box, preloaded=True, page=fds[1])
            os._exit(0)
        for theirs in fds:
            os.close(theirs)
        host.send(struct.pack("i", pid))
