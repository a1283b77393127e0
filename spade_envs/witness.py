"""Finding a witness: the author's solution, read and played, or what a bounded search found instead."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Protocol

from . import readings
from .actions import boxed
from .env import SpadeEnv
from .rollout import Rollout
from .sandbox.boxed import BoxedEnv
from .sandbox.checked import SolutionAnswer
from .sandbox.pool import WorkerPool
from .types import Budget, EnvSource, Episode, Fault, Limits, StopReason, WitnessTry


class Stage(Protocol):
    """What finding a witness needs of the trial it is part of."""

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
    @property
    def tools(self) -> bool:
        """Whether the source offers tools."""

    def make(self, pool: WorkerPool) -> SpadeEnv:
        """A fresh instance."""

    def play(self, seed: int, actions: Sequence[str]) -> Episode:
        """One boxed episode."""

    @property
    def kept(self) -> SpadeEnv:
        """An instance that is used again and again."""

    def drop(self, env: SpadeEnv) -> None:
        """Let the worker forget an instance that is not needed again, unless it is the kept one."""

    def rushed(self, seed: int, actions: Sequence[str]) -> Episode:
        """As :meth:`play` in an instance that was used before, perhaps from a copied state: cheaper, and no proof."""

    def keep(self, rollout: Rollout, actions: Sequence[str]) -> Episode:
        """Play actions in a rollout that has just begun, and remember the episode as :meth:`play` would."""


class Witnesses:
    """The witness of one source, seed by seed; every seed is tried once."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.spent: Fault | None = None
        """A costly fault of the witness: it is not played on further seeds."""
        self._tries: dict[int, WitnessTry] = {}
        self._searched: dict[int, tuple[str, ...]] = {}
        self._reading = 0

    def attempts(self) -> Sequence[WitnessTry]:
        """The author's solution on every seed; or, without one, what the search found on the first seeds."""
        attempts: list[WitnessTry] = []
        for seed in self.stage.seeds:
            attempts.append(self.attempt(seed))
            if attempts[-1].kind == "none":
                return [self._search(seed) for seed in self.stage.seeds[: self.stage.limits.replay_seeds]]
            if self.spent is not None or self.stage.budget.left() <= 0 or self._hopeless(attempts):
                break
        return attempts

    def attempt(self, seed: int, *, used: bool = False) -> WitnessTry:
        """Read the author's solution for ``seed`` and play it; with ``used``, on an instance that was used before."""
        if seed not in self._tries:
            if self.spent is not None:
                return WitnessTry(seed, None, fault=self.spent, kind="list")
            tried = self._tries[seed] = self._attempt(seed, used=used)
            fault = tried.fault or (tried.episode.error if tried.episode else None)
            if fault is not None and fault.costly:
                self.spent = fault
        return self._tries[seed]

    def tried(self) -> Sequence[WitnessTry]:
        """Every seed's try so far."""
        return list(self._tries.values())

    def _hopeless(self, attempts: Sequence[WitnessTry]) -> bool:
        """Three losses that took long: more of them would not change the verdict."""
        lost = sum(not attempt.won for attempt in attempts)
        return lost >= 3 and self.stage.budget.left() < 0.8 * self.stage.limits.budget_seconds

    def actions(self, seed: int) -> Sequence[str]:
        """Actions that win on ``seed``; empty when none were found."""
        attempt = self.attempt(seed)
        if attempt.kind == "none":
            attempt = self._search(seed)
        return attempt.episode.actions if attempt.episode is not None and attempt.won else ()

    def _attempt(self, seed: int, *, used: bool) -> WitnessTry:
        env = self.stage.kept if used else self.stage.make(self.stage.pool)
        rollout = Rollout(env, seed, player="witness")
        rollout.begin()
        if env.boxed is None:
            return WitnessTry(
                seed, rollout.episode(), kind="list" if "def solution" in self.stage.source.text else "none"
            )
        said = env.boxed.solution(seed, used=used)
        if isinstance(said, Fault):
            self.stage.drop(env)
            return WitnessTry(seed, None, fault=said, kind="list")
        if said.kind == "none":
            self.stage.drop(env)
            return WitnessTry(seed, None)
        if said.kind == "generator":
            tried = self._drive(env, env.boxed, rollout, bare=True)
            tried = tried if tried.won or self.stage.tools else self._drive_boxed(seed, tried)
            return self._confirmed(tried, used=used)
        tools = rollout.infos[0].get("tools") if env.contract == "tools" else None
        options = self._options(said, rollout.first, tools if isinstance(tools, list) else [])
        # The first reading goes on in this very instance: a twin was asked, so it has only been reset.
        return self._replay_readings(seed, said, options, rollout)

    def _confirmed(self, tried: WitnessTry, *, used: bool) -> WitnessTry:
        """A generator's win once more in another instance, where it cannot have helped by anything but its actions."""
        if not tried.won or tried.episode is None:
            return tried
        if used and (again := self.stage.rushed(tried.seed, tried.episode.actions)).success:
            return dataclasses.replace(tried, episode=again)
        return dataclasses.replace(tried, episode=self.stage.play(tried.seed, tried.episode.actions))

    def _drive_boxed(self, seed: int, bare: WitnessTry) -> WitnessTry:
        """A generator's actions once more, boxed this time; what was tried bare, unless that wins."""
        if bare.fault is not None or bare.episode is None or all(boxed(a) == a for a in bare.episode.actions):
            return bare
        env = self.stage.make(self.stage.pool)
        rollout = Rollout(env, seed, player="witness")
        rollout.begin()
        if env.boxed is None or isinstance(env.boxed.solution(seed), Fault):
            return bare
        tried = self._drive(env, env.boxed, rollout, bare=False)
        return tried if tried.won else bare

    def _drive(self, env: SpadeEnv, box: BoxedEnv, rollout: Rollout, *, bare: bool) -> WitnessTry:
        """Play a generator, which shares the played instance and is sent each observation."""
        told: str | None = None
        while not rollout.over and len(rollout.turns) < readings.MOST_ACTIONS:
            if self.stage.budget.left() <= 0:
                rollout.stop(StopReason.DEADLINE)
                break
            action = box.advance(told)
            if isinstance(action, Fault):
                return WitnessTry(rollout.seed, rollout.episode(), fault=action, kind="generator")
            if action is None:
                break
            rollout.feed(action if bare else boxed(action))
            told = rollout.observation
        longer = rollout.stop_reason is StopReason.TURN_LIMIT
        rollout.stop(StopReason.PLAYER_STOPPED)
        self.stage.drop(env)
        return WitnessTry(rollout.seed, rollout.episode(), kind="generator", planned=len(rollout.turns) + longer)

    def _options(self, said: SolutionAnswer, observation: str, tools: list[dict[str, object]]) -> list[tuple[str, ...]]:
        if said.kind == "list":
            return list(readings.of_list(said.actions, tools=self.stage.tools))
        return readings.of_text(
            said.text, observation=observation, source=self.stage.source.text, tools=tools, expected=said.expected
        )

    def _replay_readings(
        self, seed: int, said: SolutionAnswer, options: Sequence[tuple[str, ...]], rollout: Rollout
    ) -> WitnessTry:
        if not options:
            self.stage.drop(rollout.env)
        first: Episode | None = None
        # The reading that won last is tried first; a source keeps to its manner.
        order = sorted(range(len(options)), key=lambda i: i != self._reading)
        for number, i in enumerate(order):
            episode = self.stage.play(seed, options[i]) if number else self.stage.keep(rollout, options[i])
            first = episode if first is None or i == 0 else first
            if episode.success:
                self._reading = i
                return WitnessTry(seed, episode, kind=said.kind, planned=len(options[i]))
        sure = said.kind != "text" or readings.is_plain(said.text)
        return WitnessTry(seed, first, kind=said.kind, planned=len(options[0]) if options else 0, sure=sure)

    def _search(self, seed: int) -> WitnessTry:
        if seed not in self._searched:
            self._searched[seed] = ()
            box = self.stage.pool.spawn(self.stage.source)
            if isinstance(box, BoxedEnv) and self.stage.budget.left() > 0:
                found = box.search(seed)
                self._searched[seed] = () if isinstance(found, Fault) else found
                box.drop()
        actions = self._searched[seed]
        if not actions:
            return WitnessTry(seed, None)
        return WitnessTry(seed, self.stage.play(seed, actions), kind="search")


def drop(env: SpadeEnv) -> None:
    """Let the worker forget an instance that is not needed again."""
    if env.boxed is not None:
        env.boxed.drop()
        env.boxed = None
