"""What every trajectory must hold to before it is trained on, and trajectories that nothing is learnt from.

A mask that is off by one, a log-probability under another temperature or a reward that is no number all train without
complaint and to no good; so they are looked for here, once, before a batch is built or handed to an engine.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable

from ..errors import SpadeEnvsError
from ..types import FAULT_STOPS, StopReason, Trajectory
from .steps import AGENT, ROLES

LARGEST_LOGPROB = 1e-3
"""Above 0 only by a server's rounding."""
MISSING_ENDS = frozenset({StopReason.SERVER_ERROR, StopReason.DEADLINE, *FAULT_STOPS.values()})
"""Ends without an outcome (:attr:`spade_envs.types.Episode.outcome` is ``None``): never trained on."""
CUT_ENDS = frozenset({StopReason.NO_EOS, StopReason.CONTEXT_FULL})
"""Ends for want of tokens, which ``[play] overlong`` is about."""


class TrajectoryError(SpadeEnvsError, ValueError):
    """A trajectory that must not be trained on; the message names it, what was found and what is allowed."""


def checked(trajectory: Trajectory) -> Trajectory:
    """Return the trajectory if it is fit to train on.

    Its advantage may be missing still (``None``), but is finite if it is there.

    Raises:
        TrajectoryError: when it is not.
    """
    problem = _problem(trajectory)
    if problem:
        raise TrajectoryError(f"Trajectory {trajectory.episode_id!r} ({trajectory.role}): {problem}.")
    return trajectory


def _problem(trajectory: Trajectory) -> str:
    """What is wrong, in half a sentence; empty when nothing is."""
    count, lengths = len(trajectory.token_ids), (len(trajectory.loss_mask), len(trajectory.sampler_logprobs))
    if trajectory.role not in ROLES:
        return f"no such role; allowed: {', '.join(ROLES)}"
    if not trajectory.policy_version.isascii() or not trajectory.policy_version.isdigit():
        return f"policy_version is {trajectory.policy_version!r}, not a whole number as text"
    if not count or lengths != (count, count):
        return f"{count} token ids, {lengths[0]} masks, {lengths[1]} log-probabilities; all as many, and at least one"
    if not (math.isfinite(trajectory.temperature) and trajectory.temperature > 0):
        return f"temperature is {trajectory.temperature}; it divides logits, so it is above 0"
    if not math.isfinite(trajectory.reward):
        return f"reward is {trajectory.reward}; what has no outcome is left out, not given a number"
    if trajectory.advantage is not None and not math.isfinite(trajectory.advantage):
        return f"advantage is {trajectory.advantage}, not a finite number"
    return _token_problem(trajectory)


def _token_problem(trajectory: Trajectory) -> str:
    for place, (token, mask, logprob) in enumerate(
        zip(trajectory.token_ids, trajectory.loss_mask, trajectory.sampler_logprobs, strict=True)
    ):
        if token < 0:
            return f"token {place} is {token}; ids are 0 or more"
        if mask not in (0, 1):
            return f"mask {place} is {mask}, neither 0 nor 1"
        if not mask and logprob != 0:
            return f"log-probability {place} is {logprob}, but the policy did not sample this token; it has to be 0"
        if not (math.isfinite(logprob) and logprob <= LARGEST_LOGPROB):
            return f"log-probability {place} is {logprob}; a finite number of at most 0"
    if trajectory.loss_mask[0]:
        return "mask 0 is 1, but nothing precedes the first token that could have predicted it"
    return ""


def version_of(trajectory: Trajectory) -> int:
    """Number of the weights that sampled it."""
    return int(trajectory.policy_version)


def trained_tokens(trajectories: Iterable[Trajectory]) -> int:
    """Tokens with mask 1."""
    return sum(sum(trajectory.loss_mask) for trajectory in trajectories)


def trained_episodes(trajectories: Iterable[Trajectory]) -> int:
    """Distinct episodes with at least one such token. One episode may be several trajectories, each a turn."""
    return len({trajectory.episode_id for trajectory in trajectories if any(trajectory.loss_mask)})


def of_role(trajectories: Iterable[Trajectory], role: str) -> tuple[Trajectory, ...]:
    """Those of one role, in order, inert ones left out.

    >>> of_role([inert(EXAMPLE, 2), EXAMPLE], "agent") == (EXAMPLE,)
    True
    """
    return tuple(one for one in trajectories if one.role == role and not is_inert(one))


def scaled(trajectory: Trajectory, factor: float) -> Trajectory:
    """Reward and advantage, if there is one, times ``factor``.

    >>> scaled(EXAMPLE, 3.0).reward, scaled(EXAMPLE, 3.0).advantage
    (3.0, 1.5)
    """
    if factor == 1.0:
        return trajectory
    advantage = None if trajectory.advantage is None else trajectory.advantage * factor
    return dataclasses.replace(trajectory, reward=trajectory.reward * factor, advantage=advantage)


def inert(like: Trajectory, length: int) -> Trajectory:
    """A trajectory of ``length`` tokens that nothing is learnt from: mask all 0, advantage 0.

    Engines that want batches of one size are given these. Token and version are those of ``like``, so that any model
    can read it and nothing finds it stale.

    >>> inert(EXAMPLE, 3).token_ids, inert(EXAMPLE, 3).loss_mask
    ((7, 7, 7), (0, 0, 0))
    """
    if length < 1:
        raise ValueError(f"An inert trajectory has at least one token, not {length}.")
    return Trajectory(
        role=AGENT,
        group=INERT,
        episode_id=INERT,
        policy_version=like.policy_version,
        token_ids=like.token_ids[:1] * length,
        loss_mask=(0,) * length,
        sampler_logprobs=(0.0,) * length,
        temperature=like.temperature,
        reward=0.0,
        advantage=0.0,
        stop_reason=StopReason.CANCELLED,
    )


INERT = "inert"
"""Group and episode of inert trajectories."""


def is_inert(trajectory: Trajectory) -> bool:
    """Whether :func:`inert` made it."""
    return trajectory.group == INERT and not any(trajectory.loss_mask)


EXAMPLE = Trajectory(
    role=AGENT,
    group="env 0",
    episode_id="env 0, seed 5",
    policy_version="0",
    token_ids=(7, 8, 9, 10, 11),
    loss_mask=(0, 0, 1, 1, 0),
    sampler_logprobs=(0.0, 0.0, -0.5, -1.0, 0.0),
    temperature=1.0,
    reward=1.0,
    advantage=0.5,
    stop_reason=StopReason.TERMINATED,
)
"""Two tokens of the prompt, two that the policy sampled, one that answers them; for examples and tests."""
