"""Making sure that the sampler draws from the learner's weights: a server's word is no proof.

Three signs are looked at. What a server answers under a name must have the probabilities that the learner gives it (the
gap, compared with that of the first weights, since kernels differ). A name is used once, since a server may keep
computations under it. And the file must have changed: one step at a small learning rate moves probabilities less than
16-bit arithmetic does, so that a sync that was missed does not show in the gap. That the gap can show anything is
proved at the start by a canary: an adapter that moves probabilities far, and is seen to.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..seeds import derive_seed
from ..types import Stop
from .failures import SyncError
from .sampling import Draw, Drawn
from .steps import Published

LARGEST_GAP = 0.25
"""Mean gap, in nats, that no sampler of the same weights has, in whatever precision."""
CANARY_SHIFT = 0.5
"""Nats by which the canary moves the mean log-probability, at least."""
CANARY_PART = 0.25
"""The canary is seen when the sampler is nearer than this part of the shift to what the learner expects."""
_DOUBLINGS = 14


class Scorer(Protocol):
    """The learner's side."""

    def score(self, sequences: Sequence[tuple[Sequence[int], int]], temperature: float) -> list[list[float]]:
        """Log-probabilities of the tokens of each sequence from the place that stands beside it on."""

    def shifted(self, scale: float, seed: int) -> contextlib.AbstractContextManager[None]:
        """For a while, weights that are moved by random numbers of this scale."""


class NamedSampler(Protocol):
    """The sampler's side."""

    async def draw_from(self, name: str, version: int, draw: Draw) -> Drawn | Stop:
        """Continue a sequence with weights by name."""


class GapWatch:
    """Compares mean gaps with the first one.

    Args:
        factor: how many times the first gap is still fine.
        floor: gap that is fine in any case, in nats.
    """

    def __init__(self, factor: float, floor: float) -> None:
        self._factor, self._floor = factor, floor
        self._first: float | None = None

    def see(self, gap: float, version: int) -> None:
        """Look at the gap of a version.

        Raises:
            SyncError: when it is too large.

        >>> watch = GapWatch(3.0, 1e-4)
        >>> watch.see(0.01, 0), watch.see(0.029, 1)
        (None, None)
        >>> watch.see(0.031, 2)
        Traceback (most recent call last):
        spade_envs.selfplay.failures.SyncError: version 2: sampler and learner differ by 0.031 nats per token in the ...
        """
        first = gap if self._first is None else self._first
        limit = min(LARGEST_GAP, self._factor * max(first, self._floor))
        if not gap <= limit:
            raise SyncError(
                f"version {version}: sampler and learner differ by {gap:.3g} nats per token in the mean, and "
                f"{limit:.3g} is the most that is fine: the sampler draws from other weights, at another temperature "
                "or with other probabilities than it tells. Restart the servers and resume; the run goes on from its "
                "last checkpoint"
            )
        self._first = first


@dataclass(frozen=True, kw_only=True)
class Probing:
    """What is drawn to compare."""

    prompts: tuple[tuple[int, ...], ...]
    """Token ids to continue; a few that differ."""
    tokens: int = 32
    """Drawn after each."""
    temperature: float = 1.0
    """That of the run, so that a server which tells other probabilities is seen."""
    seed: int = 0


class Verification:
    """Looks at every sync.

    Args:
        sampler: draws by name.
        scorer: tells what the learner expects.
        probing: what is drawn.
        gap_factor: as for :class:`GapWatch`.
        gap_floor: as for :class:`GapWatch`.
    """

    def __init__(
        self, sampler: NamedSampler, scorer: Scorer, probing: Probing, *, gap_factor: float, gap_floor: float
    ) -> None:
        self._sampler, self._scorer, self._probing = sampler, scorer, probing
        self._probed = GapWatch(gap_factor, gap_floor)
        self._trained = GapWatch(gap_factor, gap_floor)
        self._names: dict[str, int] = {}
        self._newest: Published | None = None

    @property
    def seed(self) -> int:
        """Of the canary."""
        return self._probing.seed

    async def verify(self, published: Published, gap: float | None) -> Mapping[str, float]:
        """Look at new weights, or again at those seen last.

        Raises:
            SyncError: when the sampler does not draw from them, or one cannot tell.
        """
        self._check_name(published)
        drawn = await self._drawn(published.name, published.policy_version)
        probed = _mean_gap(drawn, self._scored(drawn))
        self._probed.see(probed, published.policy_version)
        found = {"sync/probe_gap": probed}
        if gap is not None:
            self._trained.see(gap, published.policy_version)
            found["sync/gap"] = gap
        self._names[published.name] = published.policy_version
        self._newest = published
        return found

    async def canary_scale(self, name: str, version: int) -> float:
        """How large the canary's random numbers have to be, by the learner's own word.

        Raises:
            SyncError: when no size moves the learner's probabilities.
        """
        drawn = await self._drawn(name, version)
        before, scale = self._scored(drawn), 0.01
        for _ in range(_DOUBLINGS):
            with self._scorer.shifted(scale, self._probing.seed):
                if _mean_difference(before, self._scored(drawn)) >= CANARY_SHIFT:
                    return scale
            scale *= 2
        raise SyncError("no adapter moves the learner's probabilities: they cannot tell whether a sync worked")

    async def see_canary(self, name: str, scale: float) -> Mapping[str, float]:
        """Look at the canary, which is served under ``name``.

        Raises:
            SyncError: when the sampler does not draw from it.
        """
        drawn = await self._drawn(name, 0)
        plain = self._scored(drawn)
        with self._scorer.shifted(scale, self._probing.seed):
            expected = self._scored(drawn)
        shift, gap = _mean_difference(plain, expected), _mean_gap(drawn, expected)
        if not (shift >= CANARY_SHIFT and gap <= CANARY_PART * shift):
            raise SyncError(
                f"an adapter that moves log-probabilities by {shift:.3g} nats was published as {name!r}, and what the "
                f"sampler draws under that name is {gap:.3g} nats from it: adapters do not arrive. See that vLLM runs "
                "with --enable-lora, reads the folder of adapters, and --max-lora-rank is at least engine.lora_rank"
            )
        return {"sync/canary_shift": shift, "sync/canary_gap": gap}

    # -- inside ------------------------------------------------------------------------------------------------

    def _check_name(self, published: Published) -> None:
        newest = self._newest
        if newest == published:
            return
        if published.name in self._names:
            raise SyncError(
                f"version {published.policy_version} was published under the name {published.name!r}, which version "
                f"{self._names[published.name]} had: a server may answer from what it computed for that one. Give "
                "every version a name of its own"
            )
        if newest is not None and newest.policy_version == published.policy_version:
            return
        if newest is not None and published.sha256 == newest.sha256:
            raise SyncError(
                f"the file of version {published.policy_version} is the same as that of {newest.policy_version}: the "
                "learner's new weights were not written"
            )

    async def _drawn(self, name: str, version: int) -> list[tuple[tuple[int, ...], Drawn]]:
        """Prompts, and what the sampler continued them with."""
        found = []
        for at, prompt in enumerate(self._probing.prompts):
            seed = derive_seed(self._probing.seed, "verification", name, at)
            draw = Draw(f"verification {at}", prompt, seed, self._probing.tokens, self._probing.temperature)
            drawn = await self._sampler.draw_from(name, version, draw)
            if isinstance(drawn, Stop):
                raise SyncError(f"nobody can tell which weights {name!r} draws from: {drawn.detail or drawn.reason}")
            found.append((prompt, drawn))
        return found

    def _scored(self, drawn: Sequence[tuple[tuple[int, ...], Drawn]]) -> list[list[float]]:
        sequences = [((*prompt, *one.tokens), len(prompt)) for prompt, one in drawn]
        return self._scorer.score(sequences, self._probing.temperature)


def _mean_gap(drawn: Sequence[tuple[tuple[int, ...], Drawn]], scored: Sequence[Sequence[float]]) -> float:
    return _mean_difference([one.logprobs for _, one in drawn], scored)


def _mean_difference(some: Sequence[Sequence[float]], others: Sequence[Sequence[float]]) -> float:
    """Mean absolute difference over all tokens."""
    gaps = [abs(a - b) for one, other in zip(some, others, strict=True) for a, b in zip(one, other, strict=True)]
    return math.fsum(gaps) / len(gaps)
