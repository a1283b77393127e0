"""Landlock: take every right on files, TCP and signals away from this thread, for good.

Follows landlock(7) and Documentation/userspace-api/landlock.rst of the Linux kernel. Landlock works on
rights, not on system calls: a ruleset names the rights it *handles*, and whatever no rule grants is refused.
The one built here handles all a kernel knows and grants nothing.

It holds for the calling thread and what that thread starts later; a thread that already runs is left out.
Files that are already open stay usable.
"""

from __future__ import annotations

import ctypes
import os
import sys

# The same numbers on every architecture Linux has added system calls to since 2021.
_CREATE_RULESET = 444
_RESTRICT_SELF = 446
_CREATE_RULESET_VERSION = 1

_FS_RIGHTS = ((1, 13), (2, 14), (3, 15), (5, 16))
"""(ABI, how many low bits of LANDLOCK_ACCESS_FS_* it knows): 2 adds REFER, 3 TRUNCATE, 5 IOCTL_DEV."""
_NET_BIND_AND_CONNECT_TCP = 0b11
_SCOPE_ABSTRACT_UNIX_AND_SIGNAL = 0b11


class _RulesetAttr(ctypes.Structure):
    """``struct landlock_ruleset_attr``; older kernels take a shorter one."""

    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


def _syscall(number: int, *args: int) -> int:
    """syscall(2) with every argument a whole register; raises OSError for -1."""
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.argtypes = [ctypes.c_long] * (1 + len(args))
    call.restype = ctypes.c_long
    result = int(call(number, *args))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def abi() -> int:
    """The Landlock ABI of the running kernel; 0 where there is none, or where a container refuses the call."""
    if sys.platform != "linux":
        return 0
    try:
        return _syscall(_CREATE_RULESET, 0, 0, _CREATE_RULESET_VERSION)
    except OSError:
        return 0


def _ruleset(version: int) -> tuple[_RulesetAttr, int]:
    """The ruleset that handles all of ``version``, and how many bytes of it that kernel expects."""
    bits = max(width for since, width in _FS_RIGHTS if since <= version)
    attr = _RulesetAttr(handled_access_fs=(1 << bits) - 1)
    if version < 4:
        return attr, 8
    attr.handled_access_net = _NET_BIND_AND_CONNECT_TCP
    if version < 6:
        return attr, 16
    attr.scoped = _SCOPE_ABSTRACT_UNIX_AND_SIGNAL
    return attr, 24


def restrict() -> int:
    """Apply the ruleset that grants nothing; returns the ABI in force, 0 when there is no Landlock.

    ``no_new_privs`` must be set before (prctl(2)). Needs one free descriptor for a moment.

    Raises:
        OSError: when Landlock is there and still refused, e.g. E2BIG after 16 nested rulesets.
    """
    version = abi()
    if not version:
        return 0
    attr, size = _ruleset(version)
    ruleset = _syscall(_CREATE_RULESET, ctypes.addressof(attr), size, 0)
    try:
        _syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return version
