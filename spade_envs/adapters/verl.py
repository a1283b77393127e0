"""verl: rows for its agent loop, advantages that travel with them, a sampler over its servers.

One row of verl's data set is one step of self-play, whatever the row says: the agent loop answers it with every
trajectory of the step. verl then gives all of them the reward of the last, so advantages travel in ``extra_fields``
and are read by a trainer of ours; what verl loads is in :mod:`spade_envs.adapters.verl_plugin`.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..selfplay.failures import ConfigError
from ..selfplay.sampling import Draw, Drawn
from ..selfplay.trajectories import TrajectoryError, trained_tokens, version_of
from ..types import Stop, StopReason, Trajectory
from .collecting import Collector, advantage_of, prompt_length

ADVANTAGE = "spade_advantage"
"""Key of ``extra_fields``."""
Row = dict[str, Any]
Make = Callable[["ServerSampler", Any], Collector]
"""Makes the collector from a sampler and verl's tokenizer."""


def to_verl(trajectory: Trajectory, weight: float = 1.0) -> Row:
    """Fields of an ``AgentLoopOutput``: mask and log-probabilities are as long as the response.

    Args:
        trajectory: what is trained.
        weight: factor of the advantage.

    Raises:
        TrajectoryError: when it is not fit to train on, or has no advantage.

    >>> from spade_envs.selfplay.trajectories import EXAMPLE
    >>> row = to_verl(EXAMPLE)
    >>> row["response_ids"], row["response_mask"], row["extra_fields"]["spade_advantage"]
    ([9, 10, 11], [1, 1, 0], 0.5)
    """
    cut, version = prompt_length(trajectory), version_of(trajectory)
    turns = sum(1 for before, now in _steps(trajectory.loss_mask) if now and not before)
    return {
        "prompt_ids": list(trajectory.token_ids[:cut]),
        "response_ids": list(trajectory.token_ids[cut:]),
        "response_mask": list(trajectory.loss_mask[cut:]),
        "response_logprobs": list(trajectory.sampler_logprobs[cut:]),
        "reward_score": trajectory.reward,
        "num_turns": 2 * turns,
        "metrics": {},
        "extra_fields": {
            ADVANTAGE: advantage_of(trajectory) * weight,
            "spade_reward": trajectory.reward,
            "spade_role": trajectory.role,
            "spade_group": trajectory.group,
            "min_global_steps": version,
            "max_global_steps": version,
            # Indexed by verl in the last of several outputs.
            "reward_extra_info": {},
        },
    }


def _steps(mask: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip((0, *mask), mask, strict=False))


def rows_of(trajectories: Sequence[Trajectory], designer_weight: float = 1.0) -> list[Row]:
    """Those of one step that hold trained tokens; nothing inert, since verl evens batches out itself."""
    return [
        to_verl(one, designer_weight if one.role == "designer" else 1.0)
        for one in trajectories
        if trained_tokens([one])
    ]


def advantages_of(extra_fields: Sequence[Mapping[str, Any]]) -> list[float]:
    """What :func:`to_verl` put there, row by row.

    Raises:
        TrajectoryError: when a row has none: it did not come from here.
    """
    try:
        return [float(fields[ADVANTAGE]) for fields in extra_fields]
    except KeyError:
        raise TrajectoryError(
            f"A row of the batch has no {ADVANTAGE!r}: it is of another agent loop than 'spade'. "
            "Set actor_rollout_ref.rollout.agent.default_agent_loop=spade."
        ) from None


def identity(token_level_rewards: Any, response_mask: Any, **rest: Any) -> tuple[Any, Any]:
    """verl's advantage estimator ``spade``: the reward of a row is its advantage, at each token that is trained.

    For agent loops with one output per row, whose ``reward_score`` holds the advantage.

    Args:
        token_level_rewards: tensor of (rows, tokens); its sum over tokens is the advantage.
        response_mask: tensor of the same shape, of 0 and 1.
        rest: what else verl gives to estimators.

    Returns:
        Advantages and returns, both of that shape.
    """
    advantages = token_level_rewards.sum(-1, keepdim=True) * response_mask
    return advantages, advantages


def imported(name: str) -> Make:
    """The function that ``package.module:function`` names.

    Raises:
        ConfigError: when there is none.
    """
    module, _, function = name.partition(":")
    try:
        return getattr(importlib.import_module(module), function)  # type: ignore[no-any-return]
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(
            f"collector is {name!r}, not package.module:function that can be imported: {error}"
        ) from error


class ServerSampler:
    """A :class:`~spade_envs.selfplay.sampling.Sampler` over verl's servers (its ``server_manager``).

    Args:
        servers: has ``async generate(request_id, *, prompt_ids, sampling_params)``.
        ends: tokens that end a turn.
        context: most tokens of a sequence.
    """

    def __init__(self, servers: Any, ends: frozenset[int], context: int) -> None:
        self._servers = servers
        self._ends = ends
        self._version = 0
        self.context = context

    @property
    def policy_version(self) -> int:
        """Training steps of the newest weights that a server told of."""
        return self._version

    def published(self, version: int) -> None:
        """Note that newer weights are there."""
        self._version = max(self._version, version)

    async def draw(self, draw: Draw) -> Drawn | Stop:
        """Continue a sequence; a :class:`~spade_envs.types.Stop` when the server fails or tells no log-probability."""
        room = min(draw.max_tokens, self.context - len(draw.tokens))
        if room < 1:
            return Stop(StopReason.CONTEXT_FULL)
        asked = {
            "temperature": draw.temperature,
            "top_p": draw.top_p,
            "top_k": draw.top_k or -1,
            "repetition_penalty": 1.0,
            "logprobs": True,
            "max_tokens": room,
            "seed": draw.seed,
        }
        try:
            found = await self._servers.generate(draw.key, prompt_ids=list(draw.tokens), sampling_params=asked)
        except Exception as error:
            return Stop(StopReason.SERVER_ERROR, f"{type(error).__name__}: {error}")
        tokens, logprobs = tuple(found.token_ids), tuple(found.log_probs or ())
        if not tokens or len(tokens) != len(logprobs) or found.stop_reason == "aborted":
            what = f"{len(tokens)} tokens with {len(logprobs)} log-probabilities, stopped by {found.stop_reason!r}"
            return Stop(StopReason.SERVER_ERROR, what)
        self.published(int(found.extra_fields.get("max_global_steps") or 0))
        return Drawn(tokens, logprobs, tokens[-1] in self._ends, self._version)

    def seat(self) -> contextlib.AbstractContextManager[None]:
        """Nothing to wait for: verl's servers batch by themselves."""
        return contextlib.nullcontext()
