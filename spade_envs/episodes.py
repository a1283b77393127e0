"""What happened in an episode, what a probe measured, and what a trainer trains on."""

from __future__ import annotations

import dataclasses
import enum
import math

SUCCESS_REWARD = 1.0 - 1e-6
"""A reward (or a sum of rewards) at or above this counts as winning."""


class StopReason(enum.StrEnum):
    """Why an episode ended."""

    TERMINATED = "terminated"
    """The environment says it is over: won or lost."""
    TURN_LIMIT = "turn_limit"
    """The environment, or the adapter at ``max_turns``, cut it off."""
    PLAYER_STOPPED = "player_stopped"
    """A scripted player had no further action."""
    CONTEXT_FULL = "context_full"
    """The model had no room left to think in."""
    NO_EOS = "no_eos"
    """The model's reply was cut before it ended."""
    SERVER_ERROR = "server_error"
    """The model server failed. Nobody's fault: missing data."""
    DEADLINE = "deadline"
    """Our own wall-clock limit for the episode. Missing data."""
    CANCELLED = "cancelled"
    """The caller stopped it. Missing data."""
    ENV_RAISED = "env_raised"
    """The environment raised an exception, or its process died."""
    ENV_HUNG = "env_hung"
    """The environment exceeded its time limit."""
    ENV_MEMORY = "env_memory"
    """The environment exceeded its memory or output limit."""
    ENV_CONTRACT = "env_contract"
    """The environment returned something that is no observation, reward, flag or info."""


ENV_FAULTS = frozenset({StopReason.ENV_RAISED, StopReason.ENV_HUNG, StopReason.ENV_MEMORY, StopReason.ENV_CONTRACT})
"""Ends that are the environment's doing: it is quarantined and its designer penalised."""

_AGENT_ENDS = frozenset({StopReason.TURN_LIMIT, StopReason.PLAYER_STOPPED, StopReason.CONTEXT_FULL, StopReason.NO_EOS})


class FaultKind(enum.StrEnum):
    """What an environment, or the process it runs in, did wrong."""

    RAISED = "raised"
    HUNG = "hung"
    MEMORY = "memory"
    OUTPUT = "output"
    BROKE = "broke"
    """Returned something outside the contract; :attr:`Fault.field` names which part."""
    DIED = "died"
    """The worker process ended: a crash, an exit, or a signal."""
    LIED = "lied"
    """The worker answered something that is no answer: a malformed frame, a wrong shape, an old reply."""
    LOST = "lost"
    """The worker was closed, or stayed with the parent of a forked process: nobody's fault."""


FAULT_STOPS = {
    FaultKind.RAISED: StopReason.ENV_RAISED,
    FaultKind.HUNG: StopReason.ENV_HUNG,
    FaultKind.MEMORY: StopReason.ENV_MEMORY,
    FaultKind.OUTPUT: StopReason.ENV_MEMORY,
    FaultKind.BROKE: StopReason.ENV_CONTRACT,
    FaultKind.DIED: StopReason.ENV_RAISED,
    FaultKind.LIED: StopReason.ENV_RAISED,
    FaultKind.LOST: StopReason.CANCELLED,
}


@dataclasses.dataclass(frozen=True)
class Fault:
    """One fault of an environment, as the box saw it."""

    kind: FaultKind
    """What went wrong."""
    phase: str
    """During which call: ``load``, ``reset``, ``step``, ``solution``, ``search``."""
    message: str
    """The environment's own words or ours. Hostile text: show it through ``spade_envs.terminal`` only."""
    line: int | None = None
    """Line of the source where it was raised, when known."""
    field: str = ""
    """For ``broke``: ``reset``, ``step``, ``observation``, ``reward``, ``flags`` or ``info``."""

    @property
    def costly(self) -> bool:
        """Whether meeting this fault again and again would eat a check's budget: each costs a limit or a worker."""
        return self.kind in (FaultKind.HUNG, FaultKind.MEMORY, FaultKind.DIED, FaultKind.LIED)


@dataclasses.dataclass(frozen=True)
class Stop:
    """What a player says in place of a reply when it cannot go on."""

    reason: StopReason
    detail: str = ""
    """In words, for people. Hostile text."""
    cut: str = ""
    """A reply that is not to be played, since it was cut off before its end."""


@dataclasses.dataclass(frozen=True)
class Turn:
    """One action and its answer."""

    reply: str
    """The player's raw text."""
    action: str
    """What the action reader made of it, which is what the environment was given."""
    observation: str
    """The text that came back."""
    reward: float
    """Reward of this step, finite, in [-1, 1]."""


@dataclasses.dataclass(frozen=True)
class Episode:
    """One reset to its end, as text: what happened. Tokens to train on are a :class:`Trajectory`."""

    env_id: str
    """Gymnasium id, or ``sha256:<12 hex digits>`` for a source without one."""
    seed: int
    """Seed given to ``reset``."""
    player: str
    """Name of the player that chose the actions."""
    observation: str
    """First observation, as the player saw it."""
    turns: tuple[Turn, ...]
    terminated: bool
    truncated: bool
    stop_reason: StopReason
    error: Fault | None = None
    hinted: bool = False
    """Whether the hint was appended to the first observation."""
    policy_version: str = ""
    """Which weights chose the actions, for model players."""
    repairs: tuple[str, ...] = ()
    """What the adapter mended on the way (``numpy_scalar``, ``four_tuple``, ...), sorted."""
    detail: str = ""
    """Why the player ended it, in words: a server's complaint, or which limit was met. Hostile text."""
    cut: str = ""
    """The reply that was cut off before its end, which was not played; ``no_eos`` and ``context_full`` may have one."""

    @property
    def total_reward(self) -> float:
        """The return: sum of rewards."""
        return math.fsum(turn.reward for turn in self.turns)

    @property
    def success(self) -> bool:
        """Terminated, and the last reward or the return reaches 1 (many authors pay 1/n per step)."""
        if not self.terminated or not self.turns:
            return False
        return self.turns[-1].reward >= SUCCESS_REWARD or self.total_reward >= SUCCESS_REWARD

    @property
    def outcome(self) -> float | None:
        """What both roles are trained on, in [-1, 1]; ``None`` is missing (never zero).

        Success is 1, another end by the environment is its last reward, an end by the agent is 0, and an end
        that is nobody's or the environment's fault is ``None``.
        """
        if self.stop_reason is StopReason.TERMINATED:
            if self.success:
                return 1.0
            return max(-1.0, min(1.0, self.turns[-1].reward)) if self.turns else 0.0
        return 0.0 if self.stop_reason in _AGENT_ENDS else None

    @property
    def actions(self) -> tuple[str, ...]:
        """The raw replies, in order: played again from ``seed`` they give this episode again."""
        return tuple(turn.reply for turn in self.turns)


@dataclasses.dataclass(frozen=True)
class WitnessTry:
    """What became of the author's solution on one seed."""

    seed: int
    episode: Episode | None
    """The played episode; ``None`` when there was nothing to play."""
    fault: Fault | None = None
    """What ``solution()`` itself did wrong."""
    kind: str = "none"
    """``none``, ``list``, ``text``, ``generator`` or ``search``."""
    planned: int = 0
    """Actions the solution holds, played or not."""
    sure: bool = True
    """Whether there is one way to read it: a list, a generator, or text that is a single answer or tool calls alone."""

    @property
    def won(self) -> bool:
        """Whether it ended in success."""
        return self.episode is not None and self.episode.success


@dataclasses.dataclass(frozen=True)
class Probe:
    """One measurement of regret: paired seeds, with and without the hint (SPADE, section on regret)."""

    seeds: tuple[int, ...]
    plain: tuple[float | None, ...]
    """Outcome per seed without the hint; ``None`` where missing."""
    hinted: tuple[float | None, ...]
    """Outcome per seed with the hint."""
    regret: float
    """Mean of hinted minus plain outcome over complete pairs."""
    interval: tuple[float, float]
    """Interval for the regret."""
    band: str
    """``frontier``, ``trivial``, ``unreachable``, ``no_regret`` or ``uncertain``."""
    model: str
    policy_version: str
    sampling: str
    """Sampling parameters as JSON text."""
    prompt_sha: str
    date: str
    """ISO 8601, UTC."""
    hint: str = ""
    """The static hint of the hinted arm; empty where the author's ``hint()`` gave one for each episode."""
    reason: str = ""
    """Why this band, in a sentence."""

    @property
    def missing(self) -> tuple[int, int]:
        """Missing outcomes in the plain and in the hinted arm."""
        return sum(x is None for x in self.plain), sum(x is None for x in self.hinted)


@dataclasses.dataclass(frozen=True)
class Trajectory:
    """A token sequence ready to train: what is trained, never re-tokenised text."""

    role: str
    """``agent`` or ``designer``."""
    group: str
    """Trajectories of one group have their rewards compared."""
    episode_id: str
    policy_version: str
    token_ids: tuple[int, ...]
    loss_mask: tuple[int, ...]
    """1 where the policy sampled the token, else 0. Same length as ``token_ids``."""
    sampler_logprobs: tuple[float, ...]
    """Log-probability under the sampler; 0.0 where the mask is 0. Same length as ``token_ids``."""
    temperature: float
    reward: float
    advantage: float | None
    stop_reason: StopReason
