"""Documents in an order that looks random, is the same on every machine, and can be taken up again anywhere.

The order of an epoch is a permutation of ``range(n)`` that is computed, not stored: a Feistel network with keyed
BLAKE2b for its rounds (Luby and Rackoff, 1988), walked until it falls below ``n`` (cycle walking; Black and Rogaway,
"Ciphers with Arbitrary Finite Domains", 2002). Each epoch has a key of its own.
"""

from __future__ import annotations

import hashlib
import operator
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import StoreError
from .documents import Document
from .reading import Corpus

_ROUNDS = 8
_ROUND = struct.Struct("<BQ")


def permuted(number: int, n: int, key: bytes) -> int:
    """Where ``number`` in ``range(n)`` goes under the permutation that ``key`` (at most 64 bytes) names.

    Raises:
        ValueError: when ``number`` is not in ``range(n)``, or ``n`` is above 2**64.

    >>> sorted(permuted(number, 10, b"a key") for number in range(10))
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    if not 0 <= number < n <= 1 << 64:
        raise ValueError(f"{number} is not in range({n}), or the range is too long")
    # The least even number of bits that hold n numbers: fewer than 4 n values, so fewer than 4 walks on average.
    half = max(1, ((n - 1).bit_length() + 1) // 2)
    mask = (1 << half) - 1
    while True:
        left, right = number >> half, number & mask
        for at in range(_ROUNDS):
            digest = hashlib.blake2b(_ROUND.pack(at, right), key=key, digest_size=8).digest()
            left, right = right, left ^ (int.from_bytes(digest, "little") & mask)
        number = left << half | right
        if number < n:
            return number


@dataclass(frozen=True)
class SamplerState:
    """What a checkpoint holds; :func:`spade_envs.codec.to_json` makes JSON of it."""

    seed: int
    position: int
    """Documents taken so far."""
    documents: int
    """Documents of the corpus."""
    fingerprint: str
    """Of the corpus."""


class Sampler:
    """Documents of a corpus without end: each epoch shows every one once, in another order.

    Args:
        corpus: where they come from.
        seed: any integer; the same seed and corpus give the same documents on every machine.
        position: documents to count as taken already, from 0.

    Raises:
        ValueError: for a position below 0.

    >>> sampler = Sampler(Corpus.open(), seed=7)
    >>> first, second = next(sampler), next(sampler)
    >>> next(sampler.at(1)) == second, sampler.position
    (True, 2)
    """

    def __init__(self, corpus: Corpus, seed: int, position: int = 0) -> None:
        if operator.index(position) < 0:
            raise ValueError(f"the position must be at least 0, not {position}")
        self.corpus, self.seed, self.position = corpus, operator.index(seed), int(position)

    def __iter__(self) -> Iterator[Document]:
        return self

    def __next__(self) -> Document:
        """The document at the position, which moves on when it could be read."""
        document = self.corpus.document(self.number_at(self.position))
        self.position += 1
        return document

    def number_at(self, position: int) -> int:
        """The number of the document at a position."""
        epoch, at = divmod(position, len(self.corpus))
        key = hashlib.blake2b(f"{self.seed}:{epoch}".encode("ascii"), digest_size=32).digest()
        return permuted(at, len(self.corpus), key)

    def at(self, position: int) -> Sampler:
        """The same order, taken up at another position."""
        return Sampler(self.corpus, self.seed, position)

    def state(self) -> SamplerState:
        """What :meth:`resume` needs."""
        return SamplerState(self.seed, self.position, len(self.corpus), self.corpus.fingerprint)

    @classmethod
    def resume(cls, corpus: Corpus, state: SamplerState) -> Sampler:
        """Go on where ``state`` was taken.

        Raises:
            StoreError: when the corpus is not the one that it was taken on.
        """
        if (len(corpus), corpus.fingerprint) != (state.documents, state.fingerprint):
            raise StoreError(
                f"{corpus.path} is not the corpus of this checkpoint: it has {len(corpus)} documents with fingerprint "
                f"{corpus.fingerprint}, the checkpoint {state.documents} with {state.fingerprint}. "
                "Bring back the corpus, or begin with a new sampler"
            )
        return cls(corpus, state.seed, state.position)
