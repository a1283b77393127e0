"""How many connections this process may hold: each is an open file."""

from __future__ import annotations

import resource

from .failures import refused

SPARE = 512
"""Open files left to the rest of the process."""


def raise_file_limit(connections: int) -> None:
    """Raise this process's soft limit on open files where it is too low for so many connections.

    Raises:
        ClientError: when the hard limit, which only the system's owner raises, is lower than that.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    need = connections + SPARE
    if soft == resource.RLIM_INFINITY or soft >= need:
        return
    if hard != resource.RLIM_INFINITY and hard < need:
        raise refused(
            f"concurrency {connections} needs {need} open files and this process may have {hard}; "
            "lower concurrency, or raise the limit (ulimit -n)"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (need, hard))
