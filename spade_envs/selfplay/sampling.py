"""Tokens in, tokens out: what a policy is asked to continue, and what it drew.

A sequence is only ever appended to. Tokens the policy drew are never turned into text and back.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..types import Stop


@dataclass(frozen=True)
class Draw:
    """What to continue, and how. Equal draws give the same tokens, up to a server's numerics."""

    key: str
    """Names the draw within a cycle; samplers that batch put a batch in the order of keys, so that it is the same."""
    tokens: tuple[int, ...]
    """Everything so far."""
    seed: int
    max_tokens: int
    """Most tokens to draw, an end of turn included."""
    temperature: float
    """Above 0. It divides the logits, in the sampler and in the learner."""
    top_p: float = 1.0
    top_k: int = 0
    """0 for all."""


@dataclass(frozen=True)
class Drawn:
    """The tokens that were drawn."""

    tokens: tuple[int, ...]
    """At least one; the end-of-turn token included where the policy drew it."""
    logprobs: tuple[float, ...]
    """Natural logarithm of each token's probability under the distribution it was drawn from."""
    ended: bool
    """Whether the last token ends the turn; else ``max_tokens`` were drawn."""
    policy_version: int
    """Weights that drew them."""


class Sampler(Protocol):
    """Draws from the newest published weights."""

    @property
    def policy_version(self) -> int:
        """Number of the weights it draws from; 0 at the start of a run."""

    @property
    def context(self) -> int:
        """Most tokens of a sequence, what is drawn included."""

    async def draw(self, draw: Draw) -> Drawn | Stop:
        """Continue a sequence; a :class:`~spade_envs.types.Stop` where none comes (a server that is gone, a deadline).

        Never raises for what a server does.
        """

    def seat(self) -> contextlib.AbstractContextManager[None]:
        """Held by everyone who will draw again: a sampler that batches waits until all seated have asked."""


class Renderer(Protocol):
    """Turns what is said to a policy into tokens, and what it drew into text."""

    @property
    def ends(self) -> frozenset[int]:
        """Tokens that end the policy's turn."""

    @property
    def padding(self) -> int:
        """A token for places that no loss looks at."""

    def opening(self, system: str, user: str) -> tuple[int, ...]:
        """Tokens from the beginning to where the policy speaks; no system message where it is empty."""

    def following(self, user: str) -> tuple[int, ...]:
        """Tokens between the end of the policy's turn and where it speaks again."""

    def text(self, tokens: Sequence[int]) -> str:
        """What the policy said, without the end of its turn."""
