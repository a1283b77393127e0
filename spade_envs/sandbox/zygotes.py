"""Zygotes: processes that have imported what workers need, and fork one in a few milliseconds.

A zygote runs nothing of a source and answers two questions: fork a worker that owns this socket, and how that worker
ended. Workers of one zygote share its address layout and hash seed, so whoever has to see a difference between
processes asks for another ``layout``. Where the kernel has no pidfds, workers are started one by one instead.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

_WORKER = Path(__file__).resolve().with_name("worker.py")
_PATIENCE = 60.0
"""Seconds after which a zygote that does not answer is given up; the machine may be overloaded."""
_LOST = 255
"""Exit status of a worker whose zygote is gone."""

Key = tuple[int, int, bool, bool, tuple[str, ...]]
"""Hash seed, layout, numpy, math_verify, and where modules are imported from."""


class ZygoteError(OSError):
    """The zygote ended or does not answer."""


class Zygote:
    """One such process. Calls from several threads are answered one after another."""

    def __init__(self, key: Key, environ: Mapping[str, str]) -> None:
        _, _, numpy, math, paths = key
        self.owner = os.getpid()
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(_PATIENCE)
        wanted = f"zygote:{int(numpy)}{int(math)}"
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-P", "-S", str(_WORKER), str(theirs.fileno()), wanted, *paths],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environ,
                cwd="/",
                process_group=0,  # Ctrl-C is for the host
            )

    def fork(self, theirs: socket.socket, page: int) -> Forked:
        """A worker that serves ``theirs``, and notes its progress in the memory behind the descriptor ``page``.

        Raises:
            ZygoteError: no worker could be had.
        """
        with self._lock:
            pid = self._ask(b"f", [theirs.fileno(), page])
        if pid <= 0:
            raise ZygoteError("the zygote could not fork")
        return Forked(self, pid)

    def status(self, pid: int) -> int:
        """Exit status of a worker that has ended, as ``Popen.returncode``; it may be asked for once."""
        with self._lock:
            try:
                return self._ask(b"w" + struct.pack("i", pid), [])
            except ZygoteError:
                return _LOST

    def _ask(self, message: bytes, fds: Sequence[int]) -> int:
        try:
            socket.send_fds(self._socket, [message], fds)
            answer = self._socket.recv(4)
        except OSError as error:
            raise ZygoteError(f"the zygote does not answer: {error}") from None
        if len(answer) != 4:
            raise ZygoteError("the zygote ended")
        (number,) = struct.unpack("i", answer)
        return int(number)

    @property
    def alive(self) -> bool:
        """Whether it runs, and is this process's own."""
        return self.owner == os.getpid() and self._process.poll() is None

    def close(self) -> None:
        """End it; its workers end when their own sockets do."""
        self._socket.close()
        if self.owner == os.getpid():
            self._process.kill()
            self._process.wait()
        else:
            self._process.returncode = 0  # Popen would wait for a child that is not ours


class Forked:
    """A worker process that a zygote forked; the part of ``subprocess.Popen`` that is needed of it."""

    def __init__(self, zygote: Zygote, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._zygote = zygote
        self._asking = threading.Lock()
        # The zygote waits for nobody before it is asked, so this number cannot be another process's by now.
        self._handle = os.pidfd_open(pid)

    def kill(self) -> None:
        """End it now."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def wait(self, timeout: float) -> int:
        """Wait until it has ended; its exit status.

        Raises:
            subprocess.TimeoutExpired: it has not, after ``timeout`` seconds.
        """
        if self.returncode is None:
            ended = select.poll()
            ended.register(self._handle, select.POLLIN)
            if not ended.poll(timeout * 1000):
                raise subprocess.TimeoutExpired("worker", timeout)
            with self._asking:  # it can be asked for only once
                if self.returncode is None:
                    self.forget(self._zygote.status(self.pid))
        return self.returncode if self.returncode is not None else _LOST

    def forget(self, status: int = 0) -> None:
        """Note how it ended, or that it belongs to another process, and close the handle on it."""
        if self.returncode is None:
            self.returncode = status
            os.close(self._handle)


def start(
    theirs: socket.socket, page: int | None, hash_seed: int, layout: int, *, numpy: bool, math: bool
) -> subprocess.Popen[bytes] | Forked:
    """A worker that serves ``theirs``: forked, or started by itself where that cannot be had.

    A forked one notes its progress in the memory behind the descriptor ``page``.

    Raises:
        OSError: it does not start.
    """
    paths = [path for path in dict.fromkeys(map(os.path.abspath, filter(None, sys.path))) if os.path.isdir(path)]
    environ = {
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONDONTWRITEBYTECODE": "",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
    if hasattr(os, "pidfd_open") and page is not None:
        with contextlib.suppress(OSError):  # no pidfds in this kernel, or no zygote: one by one, then
            return fork((hash_seed, layout, numpy, math, tuple(paths)), environ, theirs, page)
    return subprocess.Popen(
        [sys.executable, "-s", "-P", "-S", str(_WORKER), str(theirs.fileno()), *paths],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environ,
        cwd="/",
        process_group=0,  # Ctrl-C is for the host; a session of its own would cost the scheduler's affinity
    )


_zygotes: dict[Key, Zygote] = {}
_lock = threading.Lock()
_MOST = 12
"""Zygotes that are kept; the oldest goes first."""


def fork(key: Key, environ: Mapping[str, str], theirs: socket.socket, page: int) -> Forked:
    """A worker from the zygote of this kind, which is started when there is none yet.

    Raises:
        ZygoteError: none could be had, twice.
    """
    for last in (False, True):
        with _lock:
            zygote = _zygotes.pop(key, None)
            if zygote is None or not zygote.alive:
                zygote = Zygote(key, environ)
            _zygotes[key] = zygote
            while len(_zygotes) > _MOST:
                _zygotes.pop(next(iter(_zygotes))).close()
        try:
            return zygote.fork(theirs, page)
        except ZygoteError:
            zygote.close()
            if last:
                raise
    raise AssertionError("unreachable")


@atexit.register
def close_all() -> None:
    """End every zygote."""
    with _lock:
        zygotes = list(_zygotes.values())
        _zygotes.clear()
    for zygote in zygotes:
        zygote.close()


def _after_fork() -> None:
    # They answer the parent; and another thread may have held the lock when the process forked.
    global _lock
    _lock = threading.Lock()
    for zygote in _zygotes.values():
        zygote.close()
    _zygotes.clear()


os.register_at_fork(after_in_child=_after_fork)
