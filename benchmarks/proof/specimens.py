"""A source in the box, looked at from outside the gate: what its author's solution does, and what any actions do."""

from __future__ import annotations

import dataclasses
import functools
import json
import random
from collections.abc import Sequence
from types import TracebackType

from spade_envs.answer_texts import answer_of
from spade_envs.env import SEEDS, SpadeEnv
from spade_envs.players import Scripted
from spade_envs.rollout import TOGETHER, Rollout, finish, run
from spade_envs.sandbox.host import BoxOptions
from spade_envs.trial import Trial
from spade_envs.types import EnvSource, Episode, Fault, Limits, WitnessTry

from .plays import varied

SEED_COUNT = 40
"""Seeds on which a property is looked at."""
LIST_COUNT = 120
"""Variations of winning plays that rare faults are looked for with."""
QUICK = Limits(load_seconds=2.0, reset_seconds=1.0, step_seconds=0.4, grace_seconds=0.4, explore_examples=0)
"""Faults that hang are waited for this long only; the gate's own limits are the default ones."""


class Specimen:
    """One source in worker processes of its own. Close it, or use it as a context manager."""

    def __init__(self, text: str, *, hash_seed: int = 0) -> None:
        self.text = text
        self.trial = Trial(EnvSource(text), QUICK, 0, BoxOptions(hash_seed=hash_seed))
        self.trial.start()
        self._played: dict[tuple[int, tuple[str, ...]], Episode] = {}

    def __enter__(self) -> Specimen:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End its workers."""
        self.trial.close()

    def attempt(self, seed: int) -> WitnessTry:
        """The author's own solution on ``seed``, in fresh instances."""
        return self.trial.witnesses.attempt(seed)

    def play(self, seed: int, actions: Sequence[str], *, used: bool = False) -> Episode:
        """Play actions in a fresh instance, or in one that has played before."""
        key = seed, tuple(actions)
        if used:
            return self.rollout(seed, actions, used=True)[0]
        if key not in self._played:
            self._played[key] = self.rollout(seed, actions)[0]
        return self._played[key]

    def rollout(
        self, seed: int, actions: Sequence[str], *, used: bool = False
    ) -> tuple[Episode, list[dict[str, object]]]:
        """As :meth:`play`, with the info of reset and of each turn."""
        env = self.trial.kept if used else self.trial.make(self.trial.pool)
        rollout = Rollout(env, seed, player="scripted")
        episode = run(rollout, Scripted(actions), together=TOGETHER)
        self.trial.drop(env)
        return episode, rollout.infos

    def beside(self, seed: int, other: int, actions: Sequence[str]) -> Episode:
        """Play actions while another instance of the same process plays them under another seed, turn by turn."""
        envs = [self.trial.make(self.trial.pool) for _ in range(2)]
        mine, theirs = (Rollout(env, at, player="scripted") for env, at in zip(envs, (seed, other), strict=True))
        mine.begin()
        theirs.begin()
        for action in actions:
            for rollout in (theirs, mine):
                if not rollout.over:
                    rollout.feed(action)
        episode = finish(mine, Scripted(()))
        for env in envs:
            self.trial.drop(env)
        return episode

    def hint(self, seed: int) -> str:
        """What ``hint()`` says after a reset with ``seed``; empty when there is none or it fails."""
        env: SpadeEnv = self.trial.make(self.trial.pool)
        env.reset(seed=seed)
        said = env.hint() if env.boxed is not None else ""
        self.trial.drop(env)
        return "" if isinstance(said, Fault) else said

    @property
    def contract(self) -> str:
        """The contract in force."""
        return self.trial.contract


@dataclasses.dataclass(frozen=True)
class Known:
    """How a good source is won, on every seed that its mutants are looked at with."""

    contract: str
    seeds: tuple[int, ...]
    right: dict[int, tuple[str, ...]]
    """Winning actions by seed."""
    firsts: dict[int, str]
    """First observations by seed."""
    answers: dict[int, str]
    """Right answers by seed, of sources that are won by submitting one."""
    lists: tuple[tuple[int, tuple[str, ...]], ...]
    """Variations of winning plays."""
    needed: int
    """Most turns that a winning play took."""


@functools.lru_cache(maxsize=512)
def known(text: str) -> Known:
    """What is known of a good source.

    Raises:
        ValueError: when its own solution does not win on every seed, so that it is no good source.
    """
    rng = random.Random(f"seeds of {len(text)} {text[:2000]}")
    seeds = tuple(rng.randrange(SEEDS) for _ in range(SEED_COUNT))
    with Specimen(text) as specimen:
        attempts = {seed: specimen.attempt(seed) for seed in seeds}
        contract = specimen.contract
    right: dict[int, tuple[str, ...]] = {}
    texts: dict[int, list[str]] = {}
    for seed, attempt in attempts.items():
        if attempt.episode is None or not attempt.won:
            raise ValueError(f"its own solution does not win on seed {seed}: {attempt}")
        right[seed] = attempt.episode.actions
        texts[seed] = [attempt.episode.observation, *(turn.observation for turn in attempt.episode.turns)]
    answers = {seed: answer_of(actions[-1]) or "" for seed, actions in right.items()}
    submits = contract == "answer" or (contract == "tools" and len(set(answers.values())) > SEED_COUNT // 4)
    lists = tuple(
        (seed, varied(right[seed], texts[seed], contract, rng))
        for seed in (seeds[i % SEED_COUNT] for i in range(LIST_COUNT))
    )
    return Known(
        contract,
        seeds,
        right,
        {seed: told[0] for seed, told in texts.items()},
        answers if submits else {},
        lists,
        max(map(len, right.values())),
    )


def trace(episode: Episode) -> str:
    """Everything an episode showed, as text that can be compared."""
    turns = [(turn.observation, turn.reward) for turn in episode.turns]
    fault = episode.error and (episode.error.kind.value, episode.error.phase)
    return json.dumps([episode.observation, turns, episode.terminated, episode.truncated, fault], default=str)
