"""What contract rules look at: episodes of mindless players, pokes, the witness and whatever exploration found."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Protocol

from .actions import boxed
from .exploration import Exploration
from .players import WRONG, Echo, Idle, Junk, changed, pokes
from .sandbox.mentions import offers
from .types import Budget, Episode, Limits, Player, WitnessTry
from .witness import Witnesses


class Stage(Protocol):
    """What these episodes need of the trial they are part of."""

    @property
    def limits(self) -> Limits: ...
    @property
    def seeds(self) -> Sequence[int]: ...
    @property
    def budget(self) -> Budget: ...
    @property
    def witnesses(self) -> Witnesses: ...
    @property
    def exploration(self) -> Exploration: ...

    def play(self, seed: int, actions: Sequence[str] | Player) -> Episode:
        """One boxed episode in a fresh instance."""

    def rushed(self, seed: int, actions: Sequence[str]) -> Episode:
        """The same from a copied state, which is cheaper, unless it shows something to be told."""

    def attempts(self) -> Sequence[WitnessTry]:
        """What became of the author's solution."""

    def witness(self, seed: int) -> Sequence[str]:
        """Actions that win."""

    def schemas(self, seed: int) -> Sequence[object]:
        """Tool schemas shown at reset."""


class Plays:
    """These episodes of one source, played once."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def episodes(self) -> Sequence[Episode]:
        """All of them, in order; fewer after a fault that costs a limit, or without budget."""
        return self._episodes

    @functools.cached_property
    def _episodes(self) -> Sequence[Episode]:
        episodes = []
        for seed in self.stage.seeds[: self.stage.limits.play_seeds]:
            for player in (Idle(), Echo(), Junk(seed)):
                episodes.append(self.stage.play(seed, player))
                if self._enough(episodes[-1]):
                    return episodes
        for episode in self._poked():
            episodes.append(episode)
            if self._enough(episode):
                return episodes
        episodes += [attempt.episode for attempt in self.stage.attempts() if attempt.episode is not None]
        if self.stage.witnesses.spent is None:
            # Right after wrong, and wrong after right: graders often remember what they should not.
            for seed in self.stage.seeds[:2]:
                winning = self.stage.witness(seed)
                if winning:
                    episodes.append(self.stage.play(seed, [WRONG, *winning]))
                    episodes.append(self.stage.play(seed, [*winning[: len(winning) // 2], WRONG, *winning]))
            if not any(episode.error for episode in episodes):
                episodes += self.stage.exploration.episodes()
        return episodes

    def _enough(self, episode: Episode) -> bool:
        """Whether nothing more should be tried: a fault that costs a limit, or no budget left."""
        return (episode.error is not None and episode.error.costly) or self.stage.budget.left() <= 0

    def _poked(self) -> Iterator[Episode]:
        """Every poke, over as many episodes as that takes; then single commands again and again."""
        first = self.stage.seeds[0]
        observation = self.stage.play(first, ()).observation
        left = pokes(observation, self.stage.schemas(first), first)
        winning = self.stage.witness(first)
        left = [*(poke for action in [*winning[:2], *winning[-1:]] for poke in changed(action)), *left]
        enough = self.stage.budget.left() - self.stage.limits.budget_seconds / 10
        for number in range(self.stage.limits.poke_episodes):
            if not left or self.stage.budget.left() < enough:
                break
            episode = self.stage.rushed(self.stage.seeds[number % self.stage.limits.play_seeds], left)
            left = left[max(1, len(episode.turns)) :]
            yield episode
        alone = [boxed(words[0]) for words in offers(observation, observation) if len(words) == 1]
        again = [*alone[:6], *dict.fromkeys(self.stage.witness(first)[:20])]
        for action in dict.fromkeys(again[:10]):
            if self.stage.budget.left() >= enough:
                yield self.stage.rushed(first, [action] * 60)
