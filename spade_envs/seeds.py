"""Seeds of a check: a function of the source and the run seed, in the range that training draws from."""

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
