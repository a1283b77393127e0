"""The player that is the policy itself: it speaks in tokens, and keeps all of them.

What it drew is never turned into text and back: a sequence is the opening, and then in turn what the policy drew and
what the renderer puts between. So the tokens trained on are those that were drawn, with their log-probabilities.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass

from ..actions import LONGEST_REPLY
from ..seeds import derive_seed
from ..types import Stop, StopReason, Trajectory
from .sampling import Draw, Drawn, Renderer, Sampler
from .trajectories import LARGEST_LOGPROB

LEAST_ROOM = 64
"""Tokens that must be left for a reply, or ``max_tokens`` where that is less; with fewer the context is full."""


@dataclass(frozen=True)
class Manner:
    """How a role draws."""

    temperature: float
    top_p: float
    top_k: int
    max_tokens: int
    """Per turn."""
    context: int
    """Tokens of a sequence."""
    seconds: float = 1800.0
    """For all draws of one sequence; an environment's own time does not count."""


class Sequence:
    """One token sequence in the making."""

    def __init__(self, sampler: Sampler, renderer: Renderer, manner: Manner, key: str, seed: int) -> None:
        self.sampler, self.renderer, self.manner, self.key, self.seed = sampler, renderer, manner, key, seed
        self.tokens: list[int] = []
        self.mask: list[int] = []
        self.logprobs: list[float] = []
        self.versions: set[int] = set()
        self.drawn = 0
        """Draws so far."""
        self._left = manner.seconds

    def hear(self, tokens: tuple[int, ...]) -> None:
        """Append tokens that the policy did not draw."""
        self.tokens += tokens
        self.mask += [0] * len(tokens)
        self.logprobs += [0.0] * len(tokens)

    async def speak(self) -> tuple[Drawn, str] | Stop:
        """What the policy says next, as tokens and as text; both are in the sequence."""
        manner = self.manner
        room = min(manner.context, self.sampler.context) - len(self.tokens)
        if room < min(LEAST_ROOM, manner.max_tokens):
            return Stop(StopReason.CONTEXT_FULL, f"{max(0, room)} tokens are left for a reply")
        if self._left <= 0:
            return Stop(StopReason.DEADLINE, f"its replies took longer than {manner.seconds:g} s")
        most = min(room, manner.max_tokens)
        wanted = Draw(
            key=f"{self.key}:{self.drawn}",
            tokens=tuple(self.tokens),
            seed=derive_seed(self.seed, "draw", self.drawn),
            max_tokens=most,
            temperature=manner.temperature,
            top_p=manner.top_p,
            top_k=manner.top_k,
        )
        drawn = await self._timed(wanted)
        if isinstance(drawn, Stop):
            return drawn
        # Here it costs one episode; later on, what was written down would fail the cycle again and again.
        if problem := _problem(drawn, wanted, self.sampler.policy_version):
            return Stop(StopReason.SERVER_ERROR, f"the sampler's answer cannot be used: {problem}")
        self.drawn += 1
        self.tokens += drawn.tokens
        self.mask += [1] * len(drawn.tokens)
        self.logprobs += drawn.logprobs
        self.versions.add(drawn.policy_version)
        text = self.renderer.text(drawn.tokens)
        if not drawn.ended:
            full = most < manner.max_tokens
            reason = StopReason.CONTEXT_FULL if full else StopReason.NO_EOS
            return Stop(reason, f"the reply did not end within {most} tokens", text[-LONGEST_REPLY:])
        return drawn, text

    async def _timed(self, wanted: Draw) -> Drawn | Stop:
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            async with asyncio.timeout(self._left):
                return await self.sampler.draw(wanted)
        except TimeoutError:
            return Stop(StopReason.DEADLINE, f"its replies took longer than {self.manner.seconds:g} s")
        finally:
            self._left -= clock() - began

    def trajectory(self, role: str, group: str, stop_reason: StopReason) -> Trajectory | None:
        """What can be trained of it; ``None`` where nothing was drawn, or by more than one version of the policy."""
        if len(self.versions) != 1:
            return None
        return Trajectory(
            role=role,
            group=group,
            episode_id=self.key,
            policy_version=str(next(iter(self.versions))),
            token_ids=tuple(self.tokens),
            loss_mask=tuple(self.mask),
            sampler_logprobs=tuple(self.logprobs),
            temperature=self.manner.temperature,
            reward=0.0,
            advantage=None,
            stop_reason=stop_reason,
        )


def _problem(drawn: Drawn, wanted: Draw, newest: int) -> str:
    """What is wrong with an answer, in half a sentence; empty when nothing is."""
    count = len(drawn.tokens)
    if not 1 <= count <= wanted.max_tokens:
        return f"it has {count} tokens, and 1 to {wanted.max_tokens} were asked for"
    if len(drawn.logprobs) != count:
        return f"{count} tokens came with {len(drawn.logprobs)} log-probabilities"
    if min(drawn.tokens) < 0:
        return f"one of its tokens is {min(drawn.tokens)}; ids are 0 or more"
    for logprob in drawn.logprobs:
        if not (math.isfinite(logprob) and logprob <= LARGEST_LOGPROB):
            return f"one of its log-probabilities is {logprob}; each is a finite number of at most 0"
    if not 0 <= drawn.policy_version <= newest:
        return f"it is of policy version {drawn.policy_version}, and the newest is {newest}"
    return ""


class TokenPlayer:
    """Plays one episode: an :class:`~spade_envs.types.AsyncPlayer`.

    Args:
        sequence: a fresh one.
        system: text of the system message; none is sent when it is empty.
        name: for the record.
    """

    def __init__(self, sequence: Sequence, *, system: str = "", name: str = "policy") -> None:
        self.sequence, self.system, self.name = sequence, system, name

    def begin(self, observation: str, info: Mapping[str, object]) -> None:
        """Nothing to do: the first observation comes with :meth:`act`."""

    async def act(self, observation: str) -> str | Stop:
        """The policy's next reply."""
        renderer = self.sequence.renderer
        first = not self.sequence.tokens
        self.sequence.hear(renderer.opening(self.system, observation) if first else renderer.following(observation))
        said = await self.sequence.speak()
        return said if isinstance(said, Stop) else said[1]
