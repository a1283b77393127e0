"""Playing an episode again, in every way that must not change it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Protocol

from .env import SEEDS, SpadeEnv
from .players import Scripted
from .rollout import TOGETHER, Rollout, play
from .sandbox.host import BoxOptions
from .sandbox.pool import Compiled, WorkerPool
from .types import Budget, EnvSource, Episode, Limits, StopReason
from .witness import drop

AGAIN_WAY = "again in the same instance"
ANEW_WAY = "in a fresh instance"
WORN_WAY = "after several resets of the same instance"
FRESH_WAY = "in a fresh process"
AFTER_WAY = "after another episode of the same instance"
HASH_SEED_WAY = "in a process with another hash seed"

USED_WAY = "on an instance that has played many episodes"

REPLAY_WAYS = (
    AGAIN_WAY,
    AFTER_WAY,
    WORN_WAY,
    ANEW_WAY,
    "beside another instance in the same process",
    FRESH_WAY,
)
"""Ways to play an episode again that must not change it."""

LATER_WAYS = (AFTER_WAY, FRESH_WAY)
"""The telling ones of them, for further seeds."""


class Stage(Protocol):
    """What replays need of the trial they are part of."""

    @property
    def source(self) -> EnvSource: ...
    @property
    def limits(self) -> Limits: ...
    @property
    def seeds(self) -> Sequence[int]: ...
    @property
    def budget(self) -> Budget: ...
    @property
    def pool(self) -> WorkerPool: ...

    def make(self, pool: WorkerPool) -> SpadeEnv:
        """A fresh instance."""

    @property
    def kept(self) -> SpadeEnv:
        """An instance that is used again and again."""

    def interrupt(self, *, scripted: bool) -> Callable[[], StopReason | None]:
        """What ends an episode from outside."""


class Replays:
    """The replays of one source, with worker processes of their own."""

    def __init__(self, stage: Stage, options: BoxOptions) -> None:
        self.stage = stage
        self._last: tuple[tuple[int, tuple[str, ...]], tuple[Episode, Episode]] | None = None
        self._fresh = WorkerPool(stage.limits, dataclasses.replace(options, layout=1))
        self._hashed = WorkerPool(stage.limits, dataclasses.replace(options, hash_seed=1))

    def start(self) -> None:
        """Start the workers without waiting for them."""
        self._fresh.start(self.stage.source)
        self._hashed.start(self.stage.source)

    def learn(self, compiled: Compiled) -> None:
        """Spare the workers what another one compiled."""
        if compiled.code:
            self._fresh.learn(self.stage.source, compiled)
            self._hashed.learn(self.stage.source, compiled)

    def close(self) -> None:
        """End the workers."""
        self._fresh.close()
        self._hashed.close()

    def replay(self, seed: int, actions: Sequence[str], way: str) -> Episode:
        """Play an episode again in one of :data:`REPLAY_WAYS` or :data:`HASH_SEED_WAY`."""
        stage = self.stage
        if way == USED_WAY:
            return self._play(stage.kept, seed, actions)
        if way in (AGAIN_WAY, ANEW_WAY):
            return self._twice(seed, actions)[way == AGAIN_WAY]
        env = stage.make({FRESH_WAY: self._fresh, HASH_SEED_WAY: self._hashed}.get(way, stage.pool))
        if way == WORN_WAY:
            worn = self._wear(env)
            if worn is not None:
                return worn
        elif way == AFTER_WAY:
            self._play(env, self._other(seed), actions)
        elif way == "beside another instance in the same process":
            return self._beside(env, seed, actions)
        episode = self._play(env, seed, actions)
        drop(env)
        return episode

    def _twice(self, seed: int, actions: Sequence[str]) -> tuple[Episode, Episode]:
        """In a fresh instance, and once more in the same one."""
        if self._last is None or self._last[0] != (seed, tuple(actions)):
            env = self.stage.make(self.stage.pool)
            pair = self._play(env, seed, actions), self._play(env, seed, actions)
            drop(env)
            self._last = (seed, tuple(actions)), pair
        return self._last[1]

    def _play(self, env: SpadeEnv, seed: int, actions: Sequence[str]) -> Episode:
        interrupt = self.stage.interrupt(scripted=True)
        return play(env, Scripted(actions), seed, interrupt=interrupt, together=TOGETHER)

    def _wear(self, env: SpadeEnv) -> Episode | None:
        """Reset an instance several times, within a share of the budget: training reuses instances.

        Returns:
            The episode that failed at its reset, if one did.
        """
        stage = self.stage
        enough = stage.budget.left() - stage.limits.budget_seconds / 40
        for seed in stage.seeds[:8]:
            rollout = Rollout(env, seed, player="scripted")
            rollout.begin()
            if env.fault is not None:
                return rollout.episode()
            if stage.budget.left() < enough:
                break
        return None

    def _beside(self, env: SpadeEnv, seed: int, actions: Sequence[str]) -> Episode:
        """Two episodes of different seeds, one turn each in turn."""
        neighbour_env = self.stage.kept
        mine = Rollout(env, seed, player="scripted")
        other = Rollout(neighbour_env, self._other(seed), player="scripted")
        mine.begin()
        other.begin()
        for action in actions:
            if self.stage.budget.left() <= 0:
                mine.stop(StopReason.DEADLINE)
            if not other.over:
                other.feed(action)
            if not mine.over:
                mine.feed(action)
        mine.stop(StopReason.PLAYER_STOPPED)
        episode = mine.episode()
        drop(env)
        return episode

    def _other(self, seed: int) -> int:
        return next(other for other in (*self.stage.seeds, (seed + 1) % SEEDS) if other != seed)
