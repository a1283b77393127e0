"""How alike two sources behave: both are played in the box, on the same seeds, by the same players."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence

from .players import Scripted
from .replays import AGAIN_WAY, FRESH_WAY
from .sandbox.host import BoxOptions
from .sandbox.pool import Compiled
from .seeds import derive_seed
from .trial import Trial
from .types import EnvSource, Episode, Fault, Limits
from .weak import Experience, weak_player

PLAYERS = ("idle", "echo", "junk", "first command", "random command")
"""Players that understand nothing; they see only what the environment shows."""
CALLERS = ("idle", "junk", "random call")
"""Those of tools environments."""

BUDGET = 3600.0
"""Seconds of wall time at most: so many that no result depends on them."""


@dataclasses.dataclass(frozen=True)
class Played:
    """What one player came to in both, on the same seeds. Pairs are of the first and the second source."""

    player: str
    episodes: int
    """Of each source."""
    wins: tuple[int, int]
    reward: tuple[float, float]
    """Mean return."""
    alike: int
    """Episodes that are the same in both, turn by turn."""


@dataclasses.dataclass(frozen=True)
class Behaviour:
    """Two sources side by side. Pairs are of the first and the second one."""

    seeds: tuple[int, ...]
    contract: tuple[str, str]
    max_turns: tuple[int, int]
    """Turn limits in force."""
    first: int
    """Seeds with the same first observation."""
    tools: int
    """Seeds with the same tool schemas, none being the same as none."""
    witness: tuple[str, str]
    """How each witness was found: ``list``, ``generator``, ``text``, ``search``, or ``none``."""
    played: tuple[Played, ...]
    """The two witnesses first, on the seeds where there is one."""
    replayed: int
    """Episodes that were played again, in the same instance and in another process."""
    repeated: tuple[int, int]
    """How many of them came out as before, both times."""
    problem: tuple[str, str] = ("", "")
    """Why a source cannot be played, or what ended the comparison. Hostile text."""

    @property
    def unplayed(self) -> bool:
        """Whether one of them cannot be played at all, so that nothing was seen of the other either."""
        return "" in self.contract

    @property
    def alike(self) -> bool:
        """Whether nothing that was seen tells them apart."""
        pairs = (self.contract, self.max_turns, self.problem)
        everywhere = self.first == self.tools == len(self.seeds)
        steady = self.repeated == (self.replayed, self.replayed)
        return (
            everywhere and steady and all(a == b for a, b in pairs) and all(p.alike == p.episodes for p in self.played)
        )


def compare(
    first: EnvSource, second: EnvSource, count: int, *, run_seed: int = 0, options: BoxOptions | None = None
) -> Behaviour:
    """Play two sources on ``count`` seeds.

    The seeds come from both hashes and ``run_seed``, whichever source is named first.

    Args:
        first, second: the sources; a declared contract is taken as it is.
        count: how many seeds, at least 1.
        run_seed: decides the seeds, with the sources.
        options: how to build the box; the default demands isolation ``seccomp``.

    Raises:
        SandboxError: this machine cannot isolate them as required.
        ValueError: ``count`` is below 1.

    >>> text = "class AEnv:\\n def reset(self, seed=None): return 'x', {}\\n"
    >>> won = text + " def step(self, a): return 'y', 1.0, True, False, {}\\n"
    >>> lost = text + " def step(self, a): return 'y', 0.0, True, False, {}\\n"
    >>> behaviour = compare(EnvSource(won), EnvSource(lost), 2)
    >>> behaviour.first, behaviour.alike
    (2, False)
    """
    if count < 1:
        raise ValueError(f"{count} seeds are none to play on; at least 1 is needed")
    hashes = sorted((first.sha256, second.sha256))
    seeds = tuple(derive_seed(run_seed, "behaviour", *hashes, number) for number in range(count))
    limits = dataclasses.replace(Limits(), budget_seconds=BUDGET)
    trials = [Trial(source, limits, run_seed, options or BoxOptions()) for source in (first, second)]
    try:
        problems = [_unplayable(trial) for trial in trials]
        if any(problems):
            return _nothing(seeds, (problems[0], problems[1]))
        return _Both(trials[0], trials[1], seeds).behaviour()
    finally:
        for trial in trials:
            trial.close()


def _unplayable(trial: Trial) -> str:
    """Why it cannot be played at all; empty where it can."""
    started = trial.start()
    if isinstance(started, Fault):
        return f"the parser {started.message}"
    if isinstance(started, Compiled) and started.problems:
        _, line, message = started.problems[0]
        return f"{message} (line {line})" if line else message
    trial.start_replays()
    error = trial.play(trial.seeds[0], ()).error
    return f"{error.phase}: {error.message}" if error is not None else ""


def _nothing(seeds: tuple[int, ...], problem: tuple[str, str]) -> Behaviour:
    return Behaviour(seeds, ("", ""), (0, 0), 0, 0, ("none", "none"), (), 0, (0, 0), problem)


class _Both:
    """Two sources on trial."""

    def __init__(self, first: Trial, second: Trial, seeds: tuple[int, ...]) -> None:
        self.trials, self.seeds = (first, second), seeds
        self.kinds = ["none", "none"]
        self.winning: tuple[dict[int, Sequence[str]], dict[int, Sequence[str]]] = ({}, {})
        """Actions that win, by seed."""

    def behaviour(self) -> Behaviour:
        first, second = self.trials
        contract = (first.contract, second.contract)
        beginnings = [(first.play(seed, ()), second.play(seed, ())) for seed in self.seeds]
        schemas = [first.schemas(seed) == second.schemas(seed) for seed in self.seeds]
        self._find_witnesses()
        played = tuple(self._played())
        replays = list(self._replays()) if not self._costly() else []
        return Behaviour(
            seeds=self.seeds,
            contract=contract,
            max_turns=(first.max_turns, second.max_turns),
            first=sum(a.observation == b.observation for a, b in beginnings),
            tools=sum(schemas),
            witness=(self.kinds[0], self.kinds[1]),
            played=played,
            replayed=len(replays),
            repeated=(sum(pair[0] for pair in replays), sum(pair[1] for pair in replays)),
            problem=(self._trouble(first), self._trouble(second)),
        )

    def _costly(self) -> bool:
        """Whether one met a fault that costs a time limit or a worker each time: then nothing more is played."""
        return any(trial.costly or trial.witnesses.spent is not None for trial in self.trials)

    def _trouble(self, trial: Trial) -> str:
        spent = trial.witnesses.spent
        if spent is not None:
            return f"the comparison ended early: {spent.phase} {spent.kind.value}: {spent.message}"
        return "the comparison ended early: a fault that costs a time limit or a worker" if trial.costly else ""

    def _find_witnesses(self) -> None:
        for number, trial in enumerate(self.trials):
            for at, seed in enumerate(self.seeds):
                if self._costly():
                    return
                tried = trial.attempt(seed)
                if tried.kind == "none" and at >= trial.limits.replay_seeds:
                    break  # a search takes long
                actions = trial.witness(seed)
                if actions:
                    self.kinds[number] = tried.kind if tried.kind != "none" else "search"
                    self.winning[number][seed] = actions

    def _played(self) -> Iterator[Played]:
        first, second = self.trials
        for name, winning in zip("AB", self.winning, strict=True):
            pairs = [(first.play(seed, list(a)), second.play(seed, list(a))) for seed, a in winning.items()]
            if pairs:
                yield _sums(f"witness of {name}", pairs)
        names = [name for trial in self.trials for name in (CALLERS if trial.tools else PLAYERS)]
        for name in dict.fromkeys(names):
            pairs = []
            for seed in self.seeds:
                if self._costly():
                    return
                pairs.append((_weak(first, name, seed), _weak(second, name, seed)))
            yield _sums(name, pairs)

    def _replays(self) -> Iterator[tuple[bool, bool]]:
        """Whether an episode of each source, of its witness or of junk, comes out the same when it is played again."""
        for seed in self.seeds[: self.trials[0].limits.replay_seeds]:
            found = []
            for trial, winning in zip(self.trials, self.winning, strict=True):
                actions = list(winning.get(seed) or _weak(trial, "junk", seed).actions)
                episode = trial.play(seed, actions)
                found.append(all(_alike(episode, trial.replay(seed, actions, way)) for way in (AGAIN_WAY, FRESH_WAY)))
            yield found[0], found[1]


def _weak(trial: Trial, name: str, seed: int) -> Episode:
    """An episode of a player that knows nothing of other seeds: as blind in both."""
    if name == "idle":
        return trial.play(seed, Scripted([""] * trial.max_turns, name))
    return trial.play(seed, weak_player(name, seed, Experience("tools" if trial.tools else "interactive", {}, {})))


def _sums(player: str, pairs: Sequence[tuple[Episode, Episode]]) -> Played:
    columns = ([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    wins = [sum(episode.success for episode in column) for column in columns]
    means = [math.fsum(episode.total_reward for episode in column) / len(column) for column in columns]
    return Played(player, len(pairs), (wins[0], wins[1]), (means[0], means[1]), sum(_alike(*pair) for pair in pairs))


def _alike(one: Episode, other: Episode) -> bool:
    """Whether two episodes show the same to their player, who did the same."""
    ends = [(e.observation, e.turns, e.stop_reason, e.error.kind if e.error else None) for e in (one, other)]
    return ends[0] == ends[1]
