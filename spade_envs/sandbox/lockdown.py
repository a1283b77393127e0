"""Lock the calling process: no files, no network, no other process, no more memory than allowed. One way only.

Order, and the page each step follows: close descriptors (close(2)), resource limits (getrlimit(2)), no dumps
(PR_SET_DUMPABLE in prctl(2)), no new privileges (Documentation/userspace-api/no_new_privs.rst), Landlock, seccomp;
then a self-test, because a level is claimed only after the forbidden things were tried. A layer that is missing is
a note in the report and never an exception: the caller decides which level is enough. ``describe_gaps`` says what
no level covers.

Call it in the process that stays (the filter knows its pid), before untrusted code, with everything imported that
will ever be needed: no module loads afterwards. ``sys.stdout`` and its kin lose their descriptors.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import math
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from . import landlock, seccomp

try:  # here, and not where it is used: a worker that changed its user may not be able to load a module any more
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

__all__ = ["LockReport", "LockRequest", "describe_gaps", "lock"]

_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 4, 38
_OPEN_FILES = 16
"""Descriptors below this number may be made anew; Landlock needs one for its ruleset."""
_LAST_FD = 1 << 20
"""How far to go where descriptors cannot be listed; close_range(2) makes it one call."""


@dataclass(frozen=True)
class LockRequest:
    """What to lock, and how far."""

    memory_mb: int
    """Private writable memory of the whole process, interpreter and libraries included."""
    cpu_seconds: int | None
    """CPU time from now on, after which the process is killed; it adds up, so ``None`` for a worker that stays."""
    keep_fd: int
    """The only descriptor that stays open."""
    landlock: bool = True
    seccomp: bool = True


@dataclass(frozen=True)
class LockReport:
    """What was reached."""

    level: str
    """``kernel`` (seccomp and Landlock), ``seccomp``, or ``process``: not a boundary."""
    landlock_abi: int
    """Landlock ABI in force, 0 for none."""
    notes: tuple[str, ...]
    """Each layer that could not be applied, and why."""


def lock(request: LockRequest) -> LockReport:
    """Apply every layer there is, try what must be impossible now, and report; a missing layer is a note."""
    notes: list[str] = []
    parent = os.getppid()  # not to be asked for once the filter is there
    _close_all_but(request.keep_fd)
    threads = _count_threads()
    _limit_resources(request, notes)
    if sys.platform != "linux":
        notes.append(f"kernel layers: there are none for {sys.platform}; run on Linux for a boundary")
        return LockReport("process", 0, tuple(notes))
    _refuse_dumps(notes)
    if (code := _prctl(_PR_SET_NO_NEW_PRIVS, 1)) != 0:
        notes.append(f"no_new_privs: {os.strerror(code)}; Landlock and seccomp need it")
        return LockReport("process", 0, tuple(notes))
    abi = _apply_landlock(request, notes)
    if not _apply_seccomp(request, notes, parent):
        return LockReport("process", abi, tuple(notes))
    if abi and threads != 1:
        notes.append(f"landlock: covers one thread of {threads or 'an unknown number'}; start none before locking")
        return LockReport("seccomp", abi, tuple(notes))
    return LockReport("kernel" if abi else "seccomp", abi, tuple(notes))


def _close_all_but(keep: int) -> None:
    try:
        open_now = [int(name) for name in os.listdir("/proc/self/fd")]
    except OSError:
        os.closerange(0, keep)
        os.closerange(keep + 1, _LAST_FD)
        return
    for fd in open_now:
        if fd != keep:
            with contextlib.suppress(OSError):  # the listing's own descriptor is in the list
                os.close(fd)


def _count_threads() -> int:
    """Threads of this process, those of C libraries included; 0 when unknown."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 0


def _mapped_bytes() -> int:
    """Address space in use now, or a generous guess: libraries are mapped but cost little of it."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")
    except (OSError, ValueError, IndexError):
        return 1 << 30


def _limit_resources(request: LockRequest, notes: list[str]) -> None:
    """Set soft and hard limits alike. STACK stays, and a limit that is already lower wins."""
    if resource is None:
        notes.append("rlimits: this platform has none")
        return
    memory = request.memory_mb << 20
    # DATA counts what programs write, and nothing of mapped libraries. AS counts everything; it bounds what DATA
    # leaves out (shared and stack-like maps), so it only has to lie as far above what is mapped already.
    wanted = {"DATA": memory, "AS": _mapped_bytes() + memory, "FSIZE": 0, "CORE": 0, "NOFILE": _OPEN_FILES}
    wanted["NPROC"] = 0  # root is exempt
    if request.cpu_seconds is not None:
        wanted["CPU"] = math.ceil(time.process_time()) + request.cpu_seconds
    for name, value in wanted.items():
        try:
            kind = getattr(resource, f"RLIMIT_{name}")
            hard = resource.getrlimit(kind)[1]
            least = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (least, least))
        except (AttributeError, OSError, ValueError) as error:
            notes.append(f"rlimit {name}: {error}")


def _prctl(option: int, value: int) -> int:
    """prctl(2) with one argument; returns 0 or the errno."""
    call = ctypes.CDLL(None, use_errno=True).prctl
    call.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    return 0 if call(option, value, 0, 0, 0) == 0 else ctypes.get_errno()


def _refuse_dumps(notes: list[str]) -> None:
    """No core dumps, also not to a handler RLIMIT_CORE does not bind, and no tracing by others of this user.

    A process that cannot be dumped vanishes from a /proc mounted with hidepid; the parent watches memory there,
    which matters more.
    """
    try:
        with open("/proc/self/mounts", encoding="utf-8", errors="replace") as file:
            hidden = any(" /proc proc " in line and "hidepid=" in line for line in file)
    except OSError:
        hidden = True
    if hidden:
        notes.append("dumpable: left on, for /proc may hide this process from its parent otherwise")
    elif code := _prctl(_PR_SET_DUMPABLE, 0):
        notes.append(f"dumpable: {os.strerror(code)}")


def _apply_landlock(request: LockRequest, notes: list[str]) -> int:
    """Returns the ABI in force, after trying to read a folder under it."""
    if not request.landlock:
        notes.append("landlock: turned off by the request")
        return 0
    try:
        abi = landlock.restrict()
    except OSError as error:
        notes.append(f"landlock: {error.strerror}")
        return 0
    if not abi:
        notes.append("landlock: not there (Linux before 5.13, turned off at boot, or refused by a container)")
    elif not _refused(_open_root, errno.EACCES):
        notes.append("landlock: applied, and a folder can still be opened")
        return 0
    return abi


def _apply_seccomp(request: LockRequest, notes: list[str], parent: int) -> bool:
    """Whether the filter is there and passed the self-test."""
    if not request.seccomp:
        notes.append("seccomp: turned off by the request")
        return False
    if not seccomp.supported():
        notes.append("seccomp: no filter for this machine or kernel (Linux 4.14, x86_64 or aarch64, 64 bits)")
        return False
    try:
        seccomp.install()
    except OSError as error:
        notes.append(f"seccomp: {error.strerror}")
        return False
    trials: dict[str, Callable[[], None]] = {
        "open a folder": _open_root,
        "make a socket": lambda: socket.socket().close(),
        "start a process": _fork,
        "signal the parent": lambda: os.kill(parent, 0),
    }
    passed = [name for name, trial in trials.items() if not _refused(trial, errno.EPERM)]
    notes += [f"seccomp: installed, and this process can still {name}" for name in passed]
    return not passed


def _refused(trial: Callable[[], None], code: int) -> bool:
    """Whether a trial fails in just the way the layer under test refuses: other failures prove nothing."""
    try:
        trial()
    except OSError as error:
        return error.errno == code
    return False


def _open_root() -> None:
    os.close(os.open("/", os.O_RDONLY))


def _fork() -> None:
    """A bare clone(2), for fork(3) runs at-fork handlers first: OpenBLAS's ends its threads, which cannot come back.

    PyDLL keeps the interpreter's lock, so the child, should there be one, is able to end itself.
    """
    call = ctypes.PyDLL(None, use_errno=True).syscall
    call.argtypes = [ctypes.c_long] * 6
    call.restype = ctypes.c_long
    child = int(call(seccomp.clone_number(), signal.SIGCHLD, 0, 0, 0, 0))
    if child == 0:
        os._exit(0)
    if child < 0:
        raise OSError(ctypes.get_errno(), "clone")
    os.waitpid(child, 0)


def describe_gaps(level: str, abi: int) -> tuple[str, ...]:
    """What a level does not cover, in sentences for a person.

    Args:
        level: as in :class:`LockReport`.
        abi: the Landlock ABI in force, 0 for none.
    """
    gaps = [
        "Code can observe time and use CPU caches and timing as a channel; nothing here hides that.",
        "Code can read and change all memory of its own worker, and lie about its own environment.",
        "Bugs of the kernel in the few calls a worker keeps are out of reach of this package.",
    ]
    if level == "process":
        gaps.append(
            "There is no wall: code that escapes the language layer can read files, reach the network and "
            "signal processes of this user."
        )
    elif not abi:
        gaps.append("Files, network and signals are stopped by seccomp alone; there is no second layer (Landlock).")
    if level != "process" and 0 < abi < 4:
        gaps.append(f"Landlock ABI {abi} knows no network: only seccomp stops TCP (ABI 4 adds it, Linux 6.7).")
    if level != "process" and 0 < abi < 6:
        gaps.append(f"Landlock ABI {abi} knows no signals: only seccomp stops them (ABI 6 adds it, Linux 6.12).")
    if sys.platform != "linux":
        gaps.append("Limits on memory and processes may not be enforced on this platform.")
    return tuple(gaps)
