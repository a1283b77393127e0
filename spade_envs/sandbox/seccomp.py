"""seccomp: let this process compute and use what is already open, and refuse the kernel everything else.

Follows seccomp(2) and Documentation/userspace-api/seccomp_filter.rst. The filter is an allow-list. What is
not in it fails with EPERM, so that Python raises an ordinary ``PermissionError``; a foreign architecture or
the x32 table, which would make every number mean something else, ends the process.

A list of numbers is not enough: ``tgkill`` with a foreign pid kills whatever runs under the same user, and
``madvise`` under root can take pages of the machine out of use. Such calls carry checks on their arguments.

The x86_64 table is exercised by the tests. The aarch64 table is written from include/uapi/asm-generic/unistd.h
and was never run on such a machine. Python's experimental JIT needs executable memory and cannot run in here.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from typing import NamedTuple

__all__ = ["Instruction", "clone_number", "install", "program", "supported"]

# struct seccomp_data: nr at 0, arch at 4, instruction pointer at 8, six 64-bit arguments from 16.
_NR, _ARCH, _ARGS = 0, 4, 16
_KILL_PROCESS, _ALLOW, _REFUSE = 0x80000000, 0x7FFF0000, 0x00050000 | errno.EPERM
_LOAD, _AND, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_X32_BIT = 0x40000000
_WORD = 0xFFFFFFFF

_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_CLONE = {"x86_64": 56, "aarch64": 220}
_SET_MODE_FILTER, _GET_ACTION_AVAIL, _TSYNC = 1, 2, 1

# fmt: off
_CALLS = {
    "x86_64": {
        # Speaking over the one open socket; poll, because a worker may wait with a timeout.
        "read": 0, "write": 1, "poll": 7, "ppoll": 271, "close": 3,
        # Memory: pymalloc maps arenas, glibc grows the heap and trims it.
        "mmap": 9, "munmap": 11, "mremap": 25, "brk": 12, "madvise": 28, "mprotect": 10,
        # Locks, also the interpreter's own; OpenBLAS yields inside its spin locks.
        "futex": 202, "sched_yield": 24,
        # Soft time limits: a timer, its handler, and sleeps. A stopped sleep goes on by restart_syscall.
        "setitimer": 38, "getitimer": 36, "alarm": 37, "rt_sigreturn": 15, "rt_sigaction": 13,
        "rt_sigprocmask": 14, "sigaltstack": 131, "nanosleep": 35, "clock_nanosleep": 230, "restart_syscall": 219,
        # Clocks, for machines whose vDSO cannot answer; seeds; raise() and abort(); the end.
        "clock_gettime": 228, "clock_getres": 229, "gettimeofday": 96, "time": 201,
        "getpid": 39, "gettid": 186, "tgkill": 234, "exit": 60, "exit_group": 231,
    },
    "aarch64": {
        "read": 63, "write": 64, "ppoll": 73, "close": 57,
        "mmap": 222, "munmap": 215, "mremap": 216, "brk": 214, "madvise": 233, "mprotect": 226,
        "futex": 98, "sched_yield": 124,
        "setitimer": 103, "getitimer": 102, "rt_sigreturn": 139, "rt_sigaction": 134, "rt_sigprocmask": 135,
        "sigaltstack": 132, "nanosleep": 101, "clock_nanosleep": 115, "restart_syscall": 128,
        "clock_gettime": 113, "clock_getres": 114, "gettimeofday": 169,
        "getpid": 172, "gettid": 178, "tgkill": 131, "exit": 93, "exit_group": 94,
    },
}
# fmt: on

_PROT_EXEC = 0x4
_MAP_UNWANTED = 0x1 | 0x100 | 0x2000 | 0x40000
"""MAP_SHARED, GROWSDOWN, LOCKED, HUGETLB: memory RLIMIT_DATA leaves out, or taken from the machine."""
_ADVICE = (4, 8, 14)
"""MADV_DONTNEED, FREE, HUGEPAGE. HWPOISON and SOFT_OFFLINE, open to root, take pages from the whole machine."""
_FUTEX_FLAGS = 0x80 | 0x100
_FUTEX_OPS = (0, 1, 9, 10)
"""WAIT, WAKE and their BITSET forms: all that glibc's locks use; the priority-inheriting ones stay out."""


class Instruction(NamedTuple):
    """One ``struct sock_filter`` of classic BPF."""

    code: int
    jt: int
    jf: int
    k: int


class _Check(NamedTuple):
    """Half of an argument, masked, must be one of ``values``."""

    offset: int
    mask: int
    values: tuple[int, ...]


def _low(argument: int) -> int:
    return _ARGS + 8 * argument


def _high(argument: int) -> int:
    return _ARGS + 8 * argument + 4


def _checks(pid: int) -> dict[str, tuple[_Check, ...]]:
    """The calls whose arguments count. The kernel reads the low halves only, but a pid is compared whole."""
    no_exec = _Check(_low(2), _PROT_EXEC, (0,))
    return {
        "tgkill": (_Check(_low(0), _WORD, (pid,)), _Check(_high(0), _WORD, (0,))),
        "mmap": (no_exec, _Check(_low(3), _MAP_UNWANTED, (0,))),
        "mprotect": (no_exec,),
        "madvise": (_Check(_low(2), _WORD, _ADVICE),),
        "futex": (_Check(_low(1), _WORD & ~_FUTEX_FLAGS, _FUTEX_OPS),),
    }


def _guard(checks: tuple[_Check, ...]) -> list[Instruction]:
    """Allow when every check holds, else refuse; without checks, just allow."""
    body = []
    for check in checks:
        body.append(Instruction(_LOAD, 0, 0, check.offset))
        if check.mask != _WORD:
            body.append(Instruction(_AND, 0, 0, check.mask))
        # A hit jumps over the comparisons left and over the refusal behind them.
        left = len(check.values)
        body += [Instruction(_JUMP_EQUAL, left - i, 0, value) for i, value in enumerate(check.values)]
        body.append(Instruction(_RETURN, 0, 0, _REFUSE))
    return [*body, Instruction(_RETURN, 0, 0, _ALLOW)]


def program(arch: str, pid: int) -> list[Instruction]:
    """The filter of ``arch`` (``x86_64`` or ``aarch64``) for the process ``pid``, as data."""
    checks = _checks(pid)
    body = [
        Instruction(_LOAD, 0, 0, _ARCH),
        Instruction(_JUMP_EQUAL, 1, 0, _AUDIT[arch]),
        Instruction(_RETURN, 0, 0, _KILL_PROCESS),
        Instruction(_LOAD, 0, 0, _NR),
    ]
    if arch == "x86_64":
        body += [Instruction(_JUMP_AT_LEAST, 0, 1, _X32_BIT), Instruction(_RETURN, 0, 0, _KILL_PROCESS)]
    for name, number in _CALLS[arch].items():
        guard = _guard(checks.get(name, ()))
        body += [Instruction(_JUMP_EQUAL, 0, len(guard), number), *guard]
    return [*body, Instruction(_RETURN, 0, 0, _REFUSE)]


class _Filter(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("jt", ctypes.c_ubyte), ("jf", ctypes.c_ubyte), ("k", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("len", ctypes.c_ushort), ("filter", ctypes.POINTER(_Filter)))


def _arch() -> str:
    """The machine's architecture when there is a table for it and this is a 64-bit process, else ''."""
    if sys.platform != "linux" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return ""
    machine = os.uname().machine
    return machine if machine in _CALLS else ""


def _seccomp(operation: int, flags: int, pointer: int) -> int:
    """seccomp(2), which has no wrapper in libc; returns its result, -1 with errno kept by ctypes."""
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.argtypes = [ctypes.c_long] * 4
    call.restype = ctypes.c_long
    return int(call(_SECCOMP[_arch()], operation, flags, pointer))


def supported() -> bool:
    """Whether there is a table for this machine and the kernel (4.14 or later) knows filters that kill."""
    action = ctypes.c_uint32(_KILL_PROCESS)
    return bool(_arch()) and _seccomp(_GET_ACTION_AVAIL, 0, ctypes.addressof(action)) == 0


def clone_number() -> int:
    """The number of clone(2) here, which is not allowed, for a test of just that."""
    return _CLONE[_arch()]


def install() -> None:
    """Put the filter on every thread of this process. ``no_new_privs`` must be set before; no way back.

    Uses seccomp(2) rather than prctl(2): only the former reaches threads that already run, such as those a
    BLAS library starts when it is imported. Without that, code could have them do what it may not.

    Raises:
        OSError: when the kernel, or a filter around this process, refuses.
    """
    if not supported():
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    instructions = program(_arch(), os.getpid())
    array = (_Filter * len(instructions))(*(_Filter(*instruction) for instruction in instructions))
    whole = _Program(len(instructions), array)
    result = _seccomp(_SET_MODE_FILTER, _TSYNC, ctypes.addressof(whole))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    if result > 0:
        raise OSError(errno.EBUSY, f"thread {result} carries another filter")
