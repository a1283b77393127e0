"""The one play loop: a player, an environment, an episode.

:class:`Rollout` is the loop turned inside out, for callers that wait elsewhere between turns (a person at a terminal,
two episodes in turn); :func:`run` and :func:`play` run it to the end, and :func:`converse` does while it waits for a
model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .asynchronous import AsyncEnv
from .env import SpadeEnv
from .types import AsyncPlayer, Blind, Episode, Player, Stop, StopReason, Turn

TOGETHER = 32
"""Most turns of a player that does not look which a check sends to the worker in one message."""


class Rollout:
    """One episode in the making: ``begin``, then ``feed`` replies until it returns ``True``."""

    def __init__(self, env: SpadeEnv, seed: int, *, player: str, env_id: str = "", policy_version: str = "") -> None:
        self.env = env
        self.seed = seed
        self.player = player
        self.env_id = env_id or f"sha256:{env.source.sha256[:12]}"
        self.policy_version = policy_version
        self.first = ""
        self.observation = ""
        """What the player sees now."""
        self.infos: list[dict[str, object]] = []
        """Info at reset and after each turn."""
        self.turns: list[Turn] = []
        self.stop_reason: StopReason | None = None
        self._stopped = Stop(StopReason.CANCELLED)

    def begin(self) -> str:
        """Reset the environment; the first observation."""
        self.begun(*self.env.reset(seed=self.seed))
        return self.first

    def begun(self, observation: str, info: dict[str, object]) -> None:
        """Take what ``reset`` returned."""
        self.first = self.observation = observation
        self.infos = [info]
        self.stop_reason = self.env.stop_reason

    def feed(self, reply: str) -> bool:
        """Play one reply; whether the episode is over."""
        result = self.env.step(reply)
        self.taken(reply, self.env.action, result)
        return self.over

    def feed_many(self, replies: Sequence[str]) -> bool:
        """Play replies that were fixed beforehand, in one message; whether the episode is over."""
        left = list(replies)
        while left and not self.over:
            results = self.env.step_many(left)
            read = self.env.history[-len(results) :]
            for reply, action, result in zip(left, read, results, strict=False):
                self.taken(reply, action.text, result)
            del left[: len(results)]
        return self.over

    def taken(self, reply: str, action: str, result: tuple[str, float, bool, bool, dict[str, object]]) -> None:
        """Take what ``step`` returned."""
        observation, reward, _, _, info = result
        self.infos.append(info)
        self.turns.append(Turn(reply, action, observation, reward))
        self.observation = observation
        self.stop_reason = self.env.stop_reason

    def stop(self, why: StopReason | Stop) -> None:
        """End it for a reason outside the environment."""
        if self.stop_reason is None:
            self._stopped = why if isinstance(why, Stop) else Stop(why)
            self.stop_reason = self._stopped.reason

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.stop_reason is not None

    def episode(self) -> Episode:
        """The record of what happened so far."""
        reason = self.stop_reason or StopReason.CANCELLED
        terminated = reason is StopReason.TERMINATED
        return Episode(
            env_id=self.env_id,
            seed=self.seed,
            player=self.player,
            observation=self.first,
            turns=tuple(self.turns),
            terminated=terminated,
            truncated=not terminated,
            stop_reason=reason,
            error=self.env.fault,
            hinted=self.env.settings.hinted,
            policy_version=self.policy_version,
            repairs=tuple(sorted(self.env.repairs)),
            detail=self._stopped.detail,
            cut=self._stopped.cut,
        )


def play(
    env: SpadeEnv,
    player: Player,
    seed: int,
    *,
    env_id: str = "",
    policy_version: str = "",
    interrupt: Callable[[], StopReason | None] = lambda: None,
    together: int = 1,
) -> Episode:
    """Play one episode.

    Args:
        env: the environment; it is reset.
        player: picks the replies.
        seed: seed of the episode, taken modulo 2**31.
        env_id: gymnasium id for the record.
        policy_version: which weights play, for model players.
        interrupt: asked before every turn; a reason it gives ends the episode.
        together: turns of a player that does not look (:class:`~spade_envs.types.Blind`) which go to the worker in one
            message; ``interrupt`` is asked before each message.

    Returns:
        The episode, whatever happened: a fault of the environment is in its ``stop_reason`` and ``error``.
    """
    rollout = Rollout(env, seed, player=player.name, env_id=env_id, policy_version=policy_version)
    return run(rollout, player, interrupt, together)


def run(
    rollout: Rollout,
    player: Player,
    interrupt: Callable[[], StopReason | None] = lambda: None,
    together: int = 1,
) -> Episode:
    """Play a rollout that has not begun to its end; as :func:`play`."""
    rollout.begin()
    return finish(rollout, player, interrupt, together)


def finish(
    rollout: Rollout,
    player: Player,
    interrupt: Callable[[], StopReason | None] = lambda: None,
    together: int = 1,
) -> Episode:
    """Play a rollout that has just begun to its end; as :func:`play`."""
    player.begin(rollout.first, rollout.infos[0])
    blind = player if together > 1 and isinstance(player, Blind) else None
    while not rollout.over:
        if (reason := interrupt()) is not None:
            rollout.stop(reason)
            break
        ahead = blind.ahead(together) if blind is not None else ()
        if ahead:
            rollout.feed_many(ahead)
        elif (reply := player.act(rollout.observation)) is not None:
            rollout.feed(reply)
        else:
            rollout.stop(StopReason.PLAYER_STOPPED)
    return rollout.episode()


async def converse(
    env: AsyncEnv,
    player: AsyncPlayer,
    seed: int,
    *,
    env_id: str = "",
    policy_version: str = "",
    watch: Callable[[Rollout], None] = lambda rollout: None,
) -> Episode:
    """Play one episode with a player that has to be waited for; as :func:`play`, and others can be played meanwhile.

    Args:
        env, player, seed, env_id, policy_version: as for :func:`play`.
        watch: told after the reset and after each turn.

    Raises:
        SandboxError: this machine cannot isolate the source as required.
        RuntimeError: the environments were closed.
    """
    rollout = Rollout(env.env, seed, player=player.name, env_id=env_id, policy_version=policy_version)
    rollout.begun(*await env.reset(seed=seed))
    player.begin(rollout.first, rollout.infos[0])
    watch(rollout)
    while not rollout.over:
        said = await player.act(rollout.observation)
        if isinstance(said, Stop):
            rollout.stop(said)
        else:
            result = await env.step(said)
            rollout.taken(said, env.env.action, result)
            watch(rollout)
    return rollout.episode()
