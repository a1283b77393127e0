"""One source on trial: what rules are given to look at it with. Implements ``RuleContext``.

Everything that runs the source runs in the box, through the one play loop; episodes are cached, since many rules look
at the same ones.
"""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import time
from collections.abc import Callable, Sequence

from .env import SEEDS, EnvSettings, SpadeEnv
from .players import WRONG, Echo, Idle, Junk, Poker, Scripted
from .rollout import Rollout, play
from .sandbox.host import BoxOptions
from .sandbox.pool import Compiled, WorkerPool
from .types import (
    EnvSource,
    Episode,
    Fault,
    Limits,
    Neighbour,
    Player,
    StopReason,
    WitnessTry,
)
from .witness import Witnesses, drop

WORN_WAY = "after several resets of the same instance"

REPLAY_WAYS = (
    "again in the same instance",
    "after another episode of the same instance",
    WORN_WAY,
    "in a fresh instance",
    "beside another instance in the same process",
    "in a fresh process",
)
"""Ways to play an episode again that must not change it."""

HASH_SEED_WAY = "in a process with another hash seed"


class WallBudget:
    """Wall time left for a check."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left, possibly negative."""
        return self._end - time.monotonic()


def derive_seeds(sha256: str, run_seed: int, count: int) -> tuple[int, ...]:
    """Seeds of a check: from the source and the run seed, in the range that training draws from.

    >>> derive_seeds("ab", 0, 2) == derive_seeds("ab", 0, 3)[:2]
    True
    """
    digests = (hashlib.sha256(f"{sha256}:{run_seed}:{i}".encode()).digest() for i in range(count))
    return tuple(int.from_bytes(digest[:4]) % SEEDS for digest in digests)


class Trial:
    """The context of one check. Close it to end its workers."""

    def __init__(self, source: EnvSource, limits: Limits, run_seed: int, options: BoxOptions) -> None:
        self.source = source
        self.limits = limits
        self.seeds = derive_seeds(source.sha256, run_seed, limits.witness_seeds)
        self.budget = WallBudget(limits.budget_seconds)
        self.options = options
        self.tree = ast.Module([], [])
        """The syntax tree, once the source has parsed in the box."""
        self.problems: tuple[tuple[str, int | None, str], ...] = ()
        """What compiling in the box complained about."""
        self.candidates: tuple[str, ...] = ()
        """Classes that could be the environment."""
        self.pool = WorkerPool(limits, options)
        self._fresh = WorkerPool(limits, options)
        self._hashed = WorkerPool(limits, dataclasses.replace(options, hash_seed=1))
        self._episodes: dict[tuple[int, object], Episode] = {}
        self.witnesses = Witnesses(self)
        self._tools: bool | None = None
        self._max_turns = 0

    def start(self) -> Compiled | Fault:
        """Start the workers, all at once since they start slowly, and compile the source in the first.

        Raises:
            SandboxError: the box cannot be built as required.
        """
        self.pool.start(self.source)
        compiled = self.pool.compile(self.source)
        if isinstance(compiled, Compiled):
            self.problems, self.candidates = compiled.problems, compiled.environments
        return compiled

    def start_replays(self) -> None:
        """Start the workers that replays need, without waiting for them."""
        self._fresh.start(self.source)
        self._hashed.start(self.source)

    def close(self) -> None:
        """End every worker."""
        for pool in (self.pool, self._fresh, self._hashed):
            pool.close()

    # -- playing -------------------------------------------------------------------------------------------

    @property
    def tools(self) -> bool:
        """Whether the source offers tools, by declaration, base class or ``get_tools()``."""
        if self._tools is None:
            env = self.make(self.pool)
            env.reset(seed=self.seeds[0])
            self._max_turns = env.max_turns
            self._tools = env.contract == "tools"
            drop(env)
        return self._tools

    @property
    def max_turns(self) -> int:
        """Turn limit in force: the author's own, or the adapter's."""
        return self._max_turns if self.tools is not None else 0

    def make(self, pool: WorkerPool) -> SpadeEnv:
        """A fresh instance in a worker of ``pool``."""
        return SpadeEnv(self.source, EnvSettings(self.source.contract), pool=pool, limits=self.limits)

    def play(self, seed: int, actions: Sequence[str] | Player) -> Episode:
        """One boxed episode in a fresh instance; the same request is played once."""
        player: Player = actions if isinstance(actions, Player) else Scripted(actions)
        key = (seed, player.replies if isinstance(player, Scripted) else (player.name, getattr(player, "turns", 0)))
        if key not in self._episodes:
            env = self.make(self.pool)
            self._episodes[key] = play(env, player, seed, interrupt=self._interrupt(isinstance(player, Scripted)))
            drop(env)
        return self._episodes[key]

    def _interrupt(self, scripted: bool) -> Callable[[], StopReason | None]:
        """Ends an episode with the budget; a weak player's, which may go on for very long, with its share of it."""
        share = time.monotonic() + self.limits.budget_seconds / 40

        def reason() -> StopReason | None:
            if self.budget.left() <= 0:
                return StopReason.DEADLINE
            return StopReason.PLAYER_STOPPED if not scripted and time.monotonic() > share else None

        return reason

    def plays(self) -> Sequence[Episode]:
        """Episodes of the scripted weak players and of the witness: what contract rules look at."""
        episodes = []
        for seed in self.seeds[: self.limits.play_seeds]:
            for player in (Idle(), Echo(), Junk(seed), Poker(seed)):
                episodes.append(self.play(seed, player))
                fault = episodes[-1].error
                if (fault is not None and fault.costly) or self.budget.left() <= 0:
                    return episodes
        episodes += [attempt.episode for attempt in self.attempts() if attempt.episode is not None]
        if self.witnesses.spent is None:
            # Right after wrong, and wrong after right: graders often remember what they should not.
            for seed in self.seeds[:2]:
                winning = self.witness(seed)
                if winning:
                    episodes.append(self.play(seed, [WRONG, *winning]))
                    episodes.append(self.play(seed, [*winning[: len(winning) // 2], WRONG, *winning]))
        return episodes

    def hint_fault(self) -> tuple[int, Fault] | None:
        """Seed and fault of an author's ``hint()`` that fails, on the first seeds."""
        for seed in self.seeds[: self.limits.replay_seeds]:
            env = self.make(self.pool)
            env.reset(seed=seed)
            hint = env.hint()
            drop(env)
            if isinstance(hint, Fault):
                return seed, hint
        return None

    def neighbours(self) -> Sequence[Neighbour]:
        """Nothing is compared yet."""
        return ()

    # -- the witness ---------------------------------------------------------------------------------------

    def attempts(self) -> Sequence[WitnessTry]:
        """The author's solution on every seed; or, without one, what the search found on the first seeds."""
        return self.witnesses.attempts()

    def attempt(self, seed: int) -> WitnessTry:
        """The author's solution for ``seed``, read and played."""
        return self.witnesses.attempt(seed)

    def witness(self, seed: int) -> Sequence[str]:
        """Actions that win on ``seed``; empty when none were found."""
        return self.witnesses.actions(seed)

    @property
    def tools_shown(self) -> str:
        """Tool schemas as the player sees them, as JSON text."""
        return self.witnesses.tools_shown

    @property
    def contract(self) -> str:
        """``tools``, ``answer`` or ``interactive``; declared, or seen.

        ``answer``: one action wins, and still wins after a wrong one (or a wrong one ends the episode).
        """
        if self.source.contract or self.tools:
            return self.source.contract or "tools"
        seed = self.seeds[0]
        winning = self.witness(seed)
        if len(winning) != 1:
            return "interactive"
        wrong = self.play(seed, [WRONG, *winning])
        return "answer" if wrong.success or len(wrong.turns) == 1 else "interactive"

    # -- playing again -------------------------------------------------------------------------------------

    def replay(self, seed: int, actions: Sequence[str], way: str) -> Episode:
        """Play an episode again in one of :data:`REPLAY_WAYS` or :data:`HASH_SEED_WAY`."""
        fresh = {"in a fresh process": self._fresh, HASH_SEED_WAY: self._hashed}.get(way, self.pool)
        env = self.make(fresh)
        if way == "again in the same instance":
            play(env, Scripted(actions), seed, interrupt=self._interrupt(True))
        elif way == WORN_WAY:
            worn = self._wear(env)
            if worn is not None:
                return worn
        elif way == "after another episode of the same instance":
            play(env, Scripted(actions), self._other(seed), interrupt=self._interrupt(True))
        elif way == "beside another instance in the same process":
            return self._beside(env, seed, actions)
        episode = play(env, Scripted(actions), seed, interrupt=self._interrupt(True))
        drop(env)
        return episode

    def _wear(self, env: SpadeEnv) -> Episode | None:
        """Reset an instance several times, within a share of the budget: training reuses instances.

        Returns:
            The episode that failed at its reset, if one did.
        """
        enough = self.budget.left() - self.limits.budget_seconds / 40
        for seed in self.seeds[:8]:
            rollout = Rollout(env, seed, player="scripted")
            rollout.begin()
            if env.fault is not None:
                return rollout.episode()
            if self.budget.left() < enough:
                break
        return None

    def _beside(self, env: SpadeEnv, seed: int, actions: Sequence[str]) -> Episode:
        """Two episodes of different seeds, one turn each in turn."""
        neighbour_env = self.make(self.pool)
        mine = Rollout(env, seed, player="scripted")
        other = Rollout(neighbour_env, self._other(seed), player="scripted")
        mine.begin()
        other.begin()
        for action in actions:
            if self.budget.left() <= 0:
                mine.stop(StopReason.DEADLINE)
            if not other.over:
                other.feed(action)
            if not mine.over:
                mine.feed(action)
        mine.stop(StopReason.PLAYER_STOPPED)
        episode = mine.episode()
        drop(env)
        drop(neighbour_env)
        return episode

    def _other(self, seed: int) -> int:
        return next(other for other in (*self.seeds, (seed + 1) % SEEDS) if other != seed)


def play_witness(
    source: EnvSource,
    seed: int,
    *,
    settings: EnvSettings | None = None,
    options: BoxOptions | None = None,
    env_id: str = "",
) -> Episode:
    """Play the author's own solution for ``seed``.

    Args:
        source: the source, e.g. ``shelf.read_source("env-0001")``.
        seed: seed of the episode.
        settings: how to play it; the declared contract by default.
        options: how to build the box.
        env_id: gymnasium id for the record.

    Returns:
        The episode; without actions when no witness was found.
    """
    options = options or BoxOptions()
    trial = Trial(source, Limits(), 0, options)
    try:
        actions = trial.witness(seed)
    finally:
        trial.close()
    env = SpadeEnv(source, settings or EnvSettings(source.contract), options=options)
    try:
        return play(env, Scripted(actions, "witness"), seed, env_id=env_id)
    finally:
        env.close()
