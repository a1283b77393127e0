"""The process that ``bench_box.py`` compares starting a worker with; it is not started by hand.

    python -s -P -S bare_fork.py WORKER NUMPY PATH...

Imports what a zygote imports (``NUMPY`` is 0 or 1), by way of the worker's own file, and then answers every line on its
standard input with a line of JSON, seconds by name. ``bare`` forks a child that sends one byte over a socket pair, and
reaps it. ``stages`` forks a child that locks itself up as a worker does, and tells how long each part took.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

LOCKING = ("_close_all_but", "_count_threads", "_limit_resources", "_refuse_dumps", "_apply_landlock", "_apply_seccomp")
"""Functions of ``lockdown`` that are timed, in their order."""
INSIDE = (("landlock", "restrict"), ("seccomp", "supported"), ("seccomp", "program"), ("seccomp", "install"))
"""Functions that those call, by module; ``install`` holds the two before it."""


def imported(path: str, *, numpy: bool) -> Any:
    """The modules of the box, with everything a worker may use imported."""
    spec = importlib.util.spec_from_file_location("bench_worker", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"bare_fork: {path} cannot be imported")
    worker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(worker)
    box = worker.load_box()
    worker.preload(box, {"numpy": numpy, "math": False})
    return box


def bare() -> dict[str, float]:
    """Seconds until the child's byte is there, and until it is reaped."""
    begun = time.perf_counter()
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        theirs.send(b".")
        os._exit(0)
    ours.recv(1)
    answered = time.perf_counter() - begun
    os.waitpid(pid, 0)
    reaped = time.perf_counter() - begun
    ours.close()
    theirs.close()
    return {"answered": answered, "reaped": reaped}


def stages(box: Any) -> dict[str, float]:
    """Seconds of each part of a worker's start, as the worker sees them, from the fork on."""
    ours, theirs = socket.socketpair()
    begun = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        told = {"fork": time.perf_counter() - begun}
        _lock(box, theirs.fileno(), told)
        os.write(theirs.fileno(), json.dumps(told).encode())
        os._exit(0)
    found: dict[str, float] = json.loads(ours.recv(1 << 16))
    os.waitpid(pid, 0)
    ours.close()
    theirs.close()
    return found


def _lock(box: Any, fd: int, told: dict[str, float]) -> None:
    def timed(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            begun = time.perf_counter()
            result = work(*arguments)
            told[name] = told.get(name, 0.0) + time.perf_counter() - begun
            return result

        return run

    def freeze() -> None:
        gc.collect()
        gc.freeze()

    lockdown = box.lockdown
    for name in LOCKING:
        setattr(lockdown, name, timed(name.removeprefix("_"), getattr(lockdown, name)))
    for module, name in INSIDE:
        place = getattr(lockdown, module)
        setattr(place, name, timed(f"{module}.{name}", getattr(place, name)))
    timed("setpgid", os.setpgid)(0, 0)
    timed("gc", freeze)()
    request = lockdown.LockRequest(memory_mb=512, cpu_seconds=None, keep_fd=fd)
    timed("lock", lockdown.lock)(request)


def main() -> None:
    """Answer until the input ends."""
    path, numpy, *paths = sys.argv[1:]
    sys.path.extend(paths)
    box = imported(path, numpy=numpy == "1")
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        print(json.dumps(bare() if line.strip() == "bare" else stages(box)), flush=True)


if __name__ == "__main__":
    main()
