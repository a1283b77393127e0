"""prime-rl: training samples, and an environment of verifiers (v1) whose seats design and play.

prime-rl samples and computes advantages itself: ``algo.type = "hierarchical_grpo"`` with ``episode_agents =
["solver"]`` compares plays of one design with each other, and designs across the group, by their mean alone. So what is
plugged in here is the episode: design, gate, plays in both arms, and what they are paid.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Sequence
from typing import Any, Protocol

from ..selfplay.failures import ConfigError
from ..types import Trajectory
from .collecting import advantage_of, per_token

DESIGN_SEAT, PLAIN_SEAT, HINTED_SEAT = "proposer", "solver", "hinted"
"""Names of the seats; prime-rl's algorithm knows the first two."""


def to_prime(trajectory: Trajectory, env_name: str) -> dict[str, Any]:
    """Fields of a ``TrainingSample``: one entry per token in each list.

    Raises:
        TrajectoryError: when it is not fit to train on, or has no advantage.

    >>> from spade_envs.selfplay.trajectories import EXAMPLE
    >>> to_prime(EXAMPLE, "spade")["mask"], to_prime(EXAMPLE, "spade")["advantages"]
    ([False, False, True, True, False], [0.0, 0.0, 0.5, 0.5, 0.0])
    """
    return {
        "token_ids": list(trajectory.token_ids),
        "mask": [bool(mask) for mask in trajectory.loss_mask],
        "logprobs": list(trajectory.sampler_logprobs),
        "temperatures": [trajectory.temperature] * len(trajectory.token_ids),
        "env_name": env_name,
        "advantages": per_token(trajectory, advantage_of(trajectory)),
    }


class Play(Protocol):
    """One episode that is being played."""

    @property
    def observation(self) -> str:
        """What the agent sees first."""

    async def answer(self, reply: str) -> str | None:
        """What the environment answers; ``None`` when the episode is over."""

    @property
    def outcome(self) -> float | None:
        """In [-1, 1]; ``None`` is missing. Of an episode the agent gave up, 0."""


class Admitted(Protocol):
    """An environment that passed the gate."""

    @property
    def system(self) -> str:
        """System message of the agent."""

    async def play(self, number: int, *, hinted: bool) -> Play:
        """Begin an episode; equal numbers have equal seeds in both arms."""


class Desk(Protocol):
    """What decides and pays."""

    async def admit(self, reply: str) -> Admitted | float | None:
        """The environment in a designer's reply; the reward of one that is refused; ``None`` when undecided."""

    def pay(self, admitted: Admitted, plain: Sequence[float | None], hinted: Sequence[float | None]) -> float | None:
        """The designer's reward; ``None`` for no sample."""


async def run_episode(desk: Desk, verifiers: Any, task: Any, agents: Any, count: int) -> None:
    """Design once, play ``count`` times in each arm, and record what each trace is paid.

    Traces without an outcome are not trained on. Hinted ones are not either, since their seat is not.

    Args:
        desk: decides and pays.
        verifiers: the module ``verifiers.v1``.
        task: asks for a design.
        agents: seats of :data:`DESIGN_SEAT`, :data:`PLAIN_SEAT` and :data:`HINTED_SEAT`.
        count: episodes in each arm.
    """
    trace = await getattr(agents, DESIGN_SEAT).run(task)
    found = await desk.admit(trace.last_reply or "")
    if found is None or isinstance(found, int | float):
        _record(trace, "design", found)
        return
    arms = [(getattr(agents, PLAIN_SEAT), False), (getattr(agents, HINTED_SEAT), True)]
    async with asyncio.TaskGroup() as group:
        plays = [
            [group.create_task(_play(found, number, hinted, verifiers, seat)) for number in range(count)]
            for seat, hinted in arms
        ]
    plain, hinted = ([play.result() for play in arm] for arm in plays)
    _record(trace, "regret", desk.pay(found, plain, hinted))


async def _play(admitted: Admitted, number: int, hinted: bool, verifiers: Any, seat: Any) -> float | None:
    """Play one episode with a seat; its outcome."""
    play = await admitted.play(number, hinted=hinted)
    # Without a prompt, since the environment speaks first.
    task = verifiers.Task(verifiers.TaskData(idx=number, prompt=None, system_prompt=admitted.system))
    async with seat.interaction(task) as interaction:
        observation: str | None = play.observation
        while observation is not None:
            segment = await interaction.turn(observation)
            if segment.terminated:
                break
            observation = await play.answer(segment.last_reply)
    _record(interaction.trace, "outcome", play.outcome)
    return play.outcome


def _record(trace: Any, name: str, reward: float | None) -> None:
    """A missing reward would count as 0, and be compared."""
    if reward is None:
        trace.agent.trainable = False
    else:
        trace.record_reward(name, float(reward))


def environment(desk: Desk) -> tuple[Any, Any]:
    """Give an environment class of verifiers, and its configuration, for prime-rl to load.

    The configuration is a subclass of the one that ``hierarchical_grpo`` asks for, with a third seat; ``n`` is the
    number of plays in each arm.

    Raises:
        ConfigError: when verifiers, or its environment ``proposer_solver``, is not installed.
    """
    try:
        import pydantic

        verifiers = importlib.import_module("verifiers.v1")
        base = getattr(importlib.import_module("proposer_solver"), "ProposerSolverEnvConfig")  # noqa: B009
    except ImportError as error:
        raise ConfigError(
            f"{error.name} is not installed: prime-rl brings verifiers, and proposer_solver is in environments/ of its "
            "repository."
        ) from error
    seats: Any = {HINTED_SEAT: (verifiers.AgentConfig, verifiers.AgentConfig())}
    config: Any = pydantic.create_model("SelfPlayConfig", __base__=base, **seats)

    class SelfPlayEnv(verifiers.Env[config]):  # type: ignore[misc, name-defined]
        """Seats that design, play, and play with the hint."""

        async def setup(self, agents: Any) -> None:
            for seat in (DESIGN_SEAT, PLAIN_SEAT):
                getattr(agents, seat).trainable = getattr(self.config, f"train_{seat}")
            getattr(agents, HINTED_SEAT).trainable = False

        async def run(self, task: Any, agents: Any) -> None:
            await run_episode(desk, verifiers, task, agents, self.config.n)

    return SelfPlayEnv, config
