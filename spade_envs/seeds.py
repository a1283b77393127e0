"""Seeds: functions of what they are for and of the run seed, in the range that training draws from."""

from __future__ import annotations

import hashlib

from .env import SEEDS


def derive_seeds(sha256: str, run_seed: int, count: int) -> tuple[int, ...]:
    """Seeds of a check: from the source and the run seed, in the range that training draws from.

    >>> derive_seeds("ab", 0, 2) == derive_seeds("ab", 0, 3)[:2]
    True
    """
    digests = (hashlib.sha256(f"{sha256}:{run_seed}:{i}".encode()).digest() for i in range(count))
    return tuple(int.from_bytes(digest[:4]) % SEEDS for digest in digests)


def derive_seed(run_seed: int, *parts: str | int) -> int:
    """A seed of its own for every purpose that ``parts`` name, in ``range(SEEDS)``.

    >>> derive_seed(0, "reply", 1) == derive_seed(0, "reply", 1), derive_seed(0, "a", "b") == derive_seed(0, "ab")
    (True, False)
    """
    digest = hashlib.sha256(repr((run_seed, *parts)).encode("utf-8", "backslashreplace")).digest()
    return int.from_bytes(digest[:4]) % SEEDS
