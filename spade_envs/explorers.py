"""Explorer processes: started in the background, used by one check at a time, kept for the next."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_EXPLORER = Path(__file__).with_name("explorer.py")
_MOST_IDLE = 8


class Explorer:
    """One explorer process, to be used by one check at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_EXPLORER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Its draws must not depend on the caller's hash seed; otherwise it gets the caller's surroundings.
            env={**os.environ, "PYTHONHASHSEED": "0", "HYPOTHESIS_STORAGE_DIRECTORY": os.devnull},
            text=True,
            encoding="utf-8",
            errors="surrogatepass",
            start_new_session=True,
        )
        self.owner = os.getpid()

    @property
    def alive(self) -> bool:
        """Whether it runs, and is this process's own."""
        return self.owner == os.getpid() and self._process.poll() is None

    def run(
        self, task: dict[str, Any], play: Callable[[int, list[str]], tuple[bool, bool]], seconds: float = 120.0
    ) -> None:
        """Run one task; ``play`` answers whether a list shows a fault, and whether to stop.

        Raises:
            OSError: the process ended, answered nonsense or took more than ``seconds``; it is of no more use.
        """
        watch = threading.Timer(seconds, self._process.kill)
        watch.daemon = True
        watch.start()
        try:
            self._say(task)
            while "done" not in (answer := self._hear()):
                bad = stop = False
                for seed, actions in answer["try"]:
                    bad, stop = play(int(seed), [str(action) for action in actions])
                    if bad or stop:
                        break
                self._say({"bad": bad, "stop": stop})
        except (KeyError, TypeError, ValueError) as error:
            raise OSError(f"the explorer process answered nonsense: {error}") from None
        finally:
            watch.cancel()

    def _say(self, value: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(value) + "\n")
        self._process.stdin.flush()

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        try:
            value = json.loads(line)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise OSError("the explorer process ended")
        return value

    def close(self) -> None:
        """End the process."""
        if self.owner == os.getpid():
            self._process.kill()
            for stream in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    if stream is not None:
                        stream.close()
            self._process.wait()


_idle: list[Explorer] = []
_lock = threading.Lock()


def lease() -> Explorer:
    """An explorer for one check: one that an earlier check gave back, or a new one, which starts in the background."""
    with _lock:
        while _idle:
            explorer = _idle.pop()
            if explorer.alive:
                return explorer
    return Explorer()


def give_back(explorer: Explorer) -> None:
    """Keep an explorer for the next check."""
    with _lock:
        if explorer.alive and len(_idle) < _MOST_IDLE:
            _idle.append(explorer)
            return
    explorer.close()


@contextlib.contextmanager
def leased(explorer: Explorer) -> Iterator[Explorer]:
    """Use an explorer; it is given back when all went well, and ended when not."""
    try:
        yield explorer
    except BaseException:
        explorer.close()
        raise
    give_back(explorer)


def _after_fork() -> None:
    # They answer the parent; and another thread may have held the lock when the process forked.
    global _lock
    _lock = threading.Lock()
    _idle.clear()


os.register_at_fork(after_in_child=_after_fork)


@atexit.register
def close_idle() -> None:
    """End the explorers that nobody uses."""
    with _lock:
        explorers, _idle[:] = list(_idle), []
    for explorer in explorers:
        explorer.close()
