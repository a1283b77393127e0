"""One source on trial: what rules are given to look at it with. Implements ``RuleContext``.

Everything that runs the source runs in the box, through the one play loop; episodes are cached, since many rules look
at the same ones.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import json
import time
from collections.abc import Callable, Sequence

from .answer_texts import answer_of
from .env import EnvSettings, SpadeEnv
from .exploration import Exploration, unshowable
from .limits import WallBudget
from .players import WRONG, Scripted
from .plays import Plays
from .replays import Replays
from .rollout import TOGETHER, Rollout, finish, run
from .sandbox.checked import Look
from .sandbox.host import BoxOptions
from .sandbox.pool import Compiled, WorkerPool
from .seeds import derive_seeds
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
from .weak import Experience, weak_player
from .witness import Witnesses, drop

COMPARED = 3
"""Episodes from copied states that are compared with fresh ones."""
_OURS = frozenset({"seed", "tools", "stop_reason", "success", "error"})


class Trial:
    """The context of one check. Close it to end its workers."""

    def __init__(self, source: EnvSource, limits: Limits, run_seed: int, options: BoxOptions) -> None:
        self.source = source
        self.limits = limits
        near, far = limits.witness_seeds + limits.more_seeds, limits.far_seeds
        every = derive_seeds(source.sha256, run_seed, near + far)
        self.seeds, self.more_seeds = every[: limits.witness_seeds], every[limits.witness_seeds : near]
        self.far_seeds = every[near:]
        self.budget = WallBudget(limits.budget_seconds)
        self.options = options
        self.tree = ast.Module([], [])
        """The syntax tree, once the source has parsed in the box."""
        self.problems: tuple[tuple[str, int | None, str], ...] = ()
        """What compiling in the box complained about."""
        self.candidates: tuple[str, ...] = ()
        """Classes that could be the environment."""
        self.pool = WorkerPool(limits, options)
        self.witnesses = Witnesses(self)
        self.replays = Replays(self, options)
        self.exploration = Exploration(self)
        self._plays = Plays(self)
        self.known: Sequence[Neighbour] = ()
        """Known sources like this one, set by whoever can look them up."""
        self._episodes: dict[tuple[int, object], Episode] = {}
        self._infos: dict[tuple[int, object], Sequence[dict[str, object]]] = {}
        self._schemas: dict[int, Sequence[object]] = {}
        self._samples: dict[tuple[int, str], Episode] = {}
        self._hints: dict[int, str | Fault] = {}
        self._looks: dict[tuple[int, tuple[str, ...]], Sequence[tuple[Look, str]]] = {}
        self._kept: SpadeEnv | None = None
        self._copied_seeds: frozenset[int] = frozenset()
        self._compared = 0
        self._faithful = True
        self._repairs: set[str] = set()
        """What was mended in fresh instances."""
        self._tools: bool | None = None
        self._max_turns = 0
        self.costly = False
        """Whether an episode met a fault that costs a time limit or a worker each time."""

    def start(self) -> Compiled | Fault:
        """Start the workers, all at once since they start slowly, and compile the source in the first.

        Raises:
            SandboxError: the box cannot be built as required.
        """
        self.pool.start(self.source)
        compiled = self.pool.compile(self.source)
        if isinstance(compiled, Compiled):
            self.problems, self.candidates = compiled.problems, compiled.environments
            self.replays.learn(compiled)
        return compiled

    def start_replays(self) -> None:
        """Start the processes that later rules need, without waiting for them."""
        self.replays.start()
        self.exploration.start()

    def close(self) -> None:
        """End every worker."""
        self.exploration.close()
        self.replays.close()
        self.pool.close()

    # -- playing -------------------------------------------------------------------------------------------

    @property
    def tools(self) -> bool:
        """Whether the source offers tools, by declaration, base class or ``get_tools()``."""
        if self._tools is None:
            env = self.make(self.pool)
            env.reset(seed=self.seeds[0])
            self._max_turns = env.max_turns
            self._tools = env.contract == "tools"
            self.drop(env)
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
        key = _key(seed, player)
        if key not in self._episodes:
            self._remember(Rollout(self.make(self.pool), seed, player=player.name), player)
        return self._episodes[key]

    def keep(self, rollout: Rollout, actions: Sequence[str]) -> Episode:
        """Play actions in a rollout that has just begun, and remember the episode as :meth:`play` would.

        What a used instance plays is not remembered: :meth:`play` answers for fresh ones.
        """
        player = Scripted(actions)
        if rollout.env is self._kept:
            return self._run(rollout, player)
        key = _key(rollout.seed, player)
        if key not in self._episodes:
            self._remember(rollout, player)
        else:
            self.drop(rollout.env)
        return self._episodes[key]

    def _remember(self, rollout: Rollout, player: Player) -> None:
        key = _key(rollout.seed, player)
        self._episodes[key] = self._run(rollout, player)
        self._infos[key] = rollout.infos
        self._repairs.update(self._episodes[key].repairs)
        tools = rollout.infos[0].get("tools")
        self._schemas.setdefault(rollout.seed, tools if isinstance(tools, list) else ())
        self.drop(rollout.env)

    def infos(self, seed: int, actions: Sequence[str], *, proof: bool = True) -> tuple[Sequence[str], Episode]:
        """Info at reset and after each turn as JSON text, without what the adapter adds; and the episode.

        Without ``proof`` it is played as in :meth:`rushed`.
        """
        player = Scripted(actions)
        key = _key(seed, player)
        if proof or key in self._episodes or not self._faithful:
            episode = self.play(seed, actions)
            found = self._infos[key]
        else:
            rollout = Rollout(self.copied, seed, player=player.name)
            episode = self._run(rollout, player)
            found = rollout.infos
        return [json.dumps(_own(info), ensure_ascii=False) for info in found], episode

    def schemas(self, seed: int) -> Sequence[object]:
        """Tool schemas shown at reset."""
        self.play(seed, ())
        return self._schemas[seed]

    def shown_tools(self, seed: int) -> Sequence[object]:
        """Tool schemas that an episode of ``seed`` has shown; none where none was played for it."""
        return self._schemas.get(seed, ())

    def sample(self, name: str, seed: int) -> Episode:
        """An episode of the weak player of this name, on an instance that earlier ones have used, as training does."""
        if (seed, name) not in self._samples:
            player = weak_player(name, seed, self.experience)
            self._samples[seed, name] = self._run(Rollout(self.kept, seed, player=name), player)
        return self._samples[seed, name]

    def quick(self, seed: int, actions: Sequence[str]) -> Episode:
        """As :meth:`play`, on an instance that was used before: cheaper, and right where replays agree."""
        player = Scripted(actions)
        key = _key(seed, player)
        return self._episodes.get(key) or self._run(Rollout(self.kept, seed, player=player.name), player)

    def rushed(self, seed: int, actions: Sequence[str]) -> Episode:
        """As :meth:`quick`, from a copy of the state after the reset of an earlier one: cheaper still.

        What shows something to be told is played in a fresh instance instead, and so are the first few episodes: where
        these come out otherwise, nothing is copied any more.
        """
        player = Scripted(actions)
        if (known := self._episodes.get(_key(seed, player))) is not None:
            return known
        if not self._faithful:
            return self.quick(seed, actions)
        episode = self._run(Rollout(self.copied, seed, player=player.name), player)
        again, self._copied_seeds = seed in self._copied_seeds, self._copied_seeds | {seed}
        compare = again and bool(episode.turns) and self._compared < COMPARED
        if not compare and not self._tells(episode):
            return episode
        proof = self.play(seed, actions)
        if compare:
            self._compared += 1
            self._faithful = proof.turns == episode.turns and proof.stop_reason is episode.stop_reason
        return proof

    def _tells(self, episode: Episode) -> bool:
        """Whether an episode shows what a finding may be made of: that must be seen in a fresh instance."""
        strange = episode.error is not None or unshowable(episode) is not None or episode.total_reward > 1.0
        return strange or not self._repairs.issuperset(episode.repairs)

    @functools.cached_property
    def copied(self) -> SpadeEnv:
        """An instance that begins episodes of seeds it has seen from copied states."""
        settings = EnvSettings(self.source.contract, again=True)
        return SpadeEnv(self.source, settings, pool=self.pool, limits=self.limits)

    @property
    def kept(self) -> SpadeEnv:
        """An instance that is used again and again."""
        self._kept = self._kept or self.make(self.pool)
        return self._kept

    def drop(self, env: SpadeEnv) -> None:
        """Let the worker forget an instance that is not needed again, unless it is the kept one."""
        if env is not self._kept:
            drop(env)

    def _run(self, rollout: Rollout, player: Player) -> Episode:
        interrupt = self.interrupt(scripted=isinstance(player, Scripted))
        go_on = finish if rollout.infos else run
        episode = go_on(rollout, player, interrupt, TOGETHER)
        if episode.error is not None and not rollout.env.settings.again:
            self.costly |= episode.error.costly
        return episode

    @functools.cached_property
    def experience(self) -> Experience:
        """What weak players know of other seeds."""
        firsts: dict[int, str] = {}
        answers: dict[int, str] = {}
        for attempt in self.witnesses.tried():
            if attempt.episode is not None:
                firsts[attempt.seed] = attempt.episode.observation
            if attempt.won and attempt.episode is not None:
                final = attempt.episode.turns[-1].action
                alone = len(attempt.episode.turns) == 1 or self.tools
                answer = answer_of(final) if alone else None
                if answer is not None and answer.lower() != "done":
                    answers[attempt.seed] = answer
        for seed in () if firsts else self.seeds:
            firsts[seed] = self.play(seed, ()).observation
        return Experience(self.contract, firsts, answers)

    def interrupt(self, *, scripted: bool) -> Callable[[], StopReason | None]:
        """Ends an episode with the budget; a weak player's, which may go on for very long, with its share of it."""
        share = time.monotonic() + self.limits.budget_seconds / 40

        def reason() -> StopReason | None:
            if self.budget.left() <= 0:
                return StopReason.DEADLINE
            return StopReason.PLAYER_STOPPED if not scripted and time.monotonic() > share else None

        return reason

    def plays(self) -> Sequence[Episode]:
        """Episodes of the scripted weak players and of the witness: what contract rules look at."""
        return self._plays.episodes()

    def strange_wins(self) -> Sequence[Episode]:
        """Episodes that exploration won in another way than the witness."""
        return self.exploration.wins

    # -- looking closer ------------------------------------------------------------------------------------

    def hint(self, seed: int) -> str | Fault:
        """The hint shown for an episode: the static one, or what the author's ``hint()`` says; perhaps empty."""
        if self.source.hint:
            return self.source.hint
        if seed not in self._hints:
            self.kept.reset(seed=seed)
            self._hints[seed] = self.kept.hint()
        return self._hints[seed]

    def hint_fault(self) -> tuple[int, Fault] | None:
        """Seed and fault of an author's ``hint()`` that fails, on the first seeds."""
        for seed in self.seeds[: self.limits.replay_seeds]:
            hint = self.hint(seed)
            if isinstance(hint, Fault):
                return seed, hint
        return None

    def looks(self, seed: int, actions: Sequence[str]) -> Sequence[tuple[Look, str]]:
        """State and observation at reset and after each action, until the episode ends or a look fails."""
        key = seed, tuple(actions)
        if key not in self._looks:
            self._looks[key] = self._look(seed, actions)
        return self._looks[key]

    def _look(self, seed: int, actions: Sequence[str]) -> Sequence[tuple[Look, str]]:
        env = self.make(self.pool)
        rollout = Rollout(env, seed, player="scripted")
        rollout.begin()
        found: list[tuple[Look, str]] = []
        for action in (None, *actions):
            if action is not None:
                if rollout.over or self.budget.left() <= 0:
                    break
                rollout.feed(action)
            look = env.boxed.look() if env.boxed is not None else None
            if not isinstance(look, Look):
                break
            found.append((look, rollout.observation))
        drop(env)
        return found

    def neighbours(self) -> Sequence[Neighbour]:
        """Known sources like this one; none when nobody looked them up."""
        return self.known

    # -- the witness ---------------------------------------------------------------------------------------

    def attempts(self) -> Sequence[WitnessTry]:
        """The author's solution on every seed; or, without one, what the search found on the first seeds."""
        return self.witnesses.attempts()

    def attempt(self, seed: int, *, used: bool = False) -> WitnessTry:
        """The author's solution for ``seed``, read and played; with ``used``, on an instance that was used before."""
        return self.witnesses.attempt(seed, used=used)

    def newborn(self, seed: int) -> WitnessTry:
        """The author's solution for ``seed`` in a process that has played nothing before."""
        trial = Trial(self.source, self.limits, 0, dataclasses.replace(self.options, layout=1))
        compiled = self.pool.compile(self.source)
        if isinstance(compiled, Compiled):
            trial.pool.learn(self.source, compiled)
        try:
            trial.start()
            return trial.attempt(seed)
        finally:
            trial.close()

    def witness(self, seed: int) -> Sequence[str]:
        """Actions that win on ``seed``; empty when none were found."""
        return self.witnesses.actions(seed)

    @functools.cached_property
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

    def replay(self, seed: int, actions: Sequence[str], way: str) -> Episode:
        """Play an episode again in one of ``replays.REPLAY_WAYS`` or ``replays.HASH_SEED_WAY``."""
        return self.replays.replay(seed, actions, way)


def _key(seed: int, player: Player) -> tuple[int, object]:
    return seed, player.replies if isinstance(player, Scripted) else (player.name, getattr(player, "turns", 0))


def _own(info: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in info.items() if key not in _OURS}
