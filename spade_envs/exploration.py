"""Looking for faults on rare paths: an explorer proposes action lists, the box plays them, the worst are kept."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any, Protocol

from .explorers import Explorer, lease, leased
from .sandbox.mentions import commands, offers
from .schema_calls import Seen
from .types import Budget, Episode, FaultKind, Limits

_UNSHOWABLE = (
    (
        re.compile(r"<[^<>\n]{0,60}(?:object|function|method|module)[^<>\n]{0,60} at 0x[0-9a-f]{4,}>"),
        "a memory address",
    ),
    (re.compile(r"<\|[A-Za-z_][\w-]{2,40}\|>"), "a chat control token"),
)
_HUGE = re.compile(r"\d{51}")
SEEDS = 4
"""Episodes' seeds that are explored."""


MOST_WINS = 4


class Stage(Protocol):
    """What exploring needs of the trial it is part of."""

    @property
    def limits(self) -> Limits: ...
    @property
    def seeds(self) -> Sequence[int]: ...
    @property
    def budget(self) -> Budget: ...
    @property
    def tools(self) -> bool:
        """Whether the source offers tools."""

    def play(self, seed: int, actions: Sequence[str]) -> Episode:
        """One boxed episode."""

    def rushed(self, seed: int, actions: Sequence[str]) -> Episode:
        """The same from a copied state, which is cheaper, unless it shows something to be told."""

    def witness(self, seed: int) -> Sequence[str]:
        """Actions that win."""

    def schemas(self, seed: int) -> Sequence[object]:
        """Tool schemas shown at reset."""


class Exploration:
    """Everything explored of one source, once."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.complete: bool | None = None
        """Whether it ran to its end; ``None`` before it began."""
        self.wins: list[Episode] = []
        """Short episodes that were won in another way than the witness's."""
        self._explorer: Explorer | None = None
        self._episodes: list[Episode] | None = None
        self._fault: Episode | None = None
        self._exotic: Episode | None = None
        self._richest: Episode | None = None
        self._longest: Episode | None = None
        self._end = 0.0
        self._cut = False

    def start(self) -> None:
        """Start the process in the background."""
        if self._explorer is None and self.stage.limits.explore_examples > 0:
            self._explorer = lease()

    def close(self) -> None:
        """Give back a process that was never used."""
        if self._explorer is not None:
            with leased(self._explorer):
                self._explorer = None

    def episodes(self) -> Sequence[Episode]:
        """The smallest episode with a fault, the smallest whose fault takes an exotic number, and the richest."""
        if self._episodes is None:
            self._episodes = []
            self.start()
            if self._explorer is not None:
                self._run(self._explorer)
            kept = (self._fault, self._exotic, self._richest, self._longest)
            # Copied states are no proof, so what is kept is what fresh instances show.
            self._episodes = [self.stage.play(one.seed, one.actions) for one in kept if one is not None]
        return self._episodes

    def _run(self, explorer: Explorer) -> None:
        self._explorer = None
        self.complete = False
        stage = self.stage
        self._end = time.monotonic() + min(stage.limits.budget_seconds / 10, stage.budget.left() / 2)
        try:
            with leased(explorer):
                explorer.run(self._task(), self._try, max(5.0, 2 * (self._end - time.monotonic())))
            self.complete = not self._cut
        except OSError:
            pass  # what was not explored is not reached; other rules still decide

    def _task(self) -> dict[str, Any]:
        stage = self.stage
        seeds = stage.seeds[:SEEDS]
        seen = Seen()
        named: dict[str, None] = {}
        verbs: dict[str, None] = {}
        for seed in seeds:
            first = stage.play(seed, ()).observation
            episode = stage.play(seed, tuple(stage.witness(seed)))
            for text in (first, *(turn.observation for turn in episode.turns)):
                seen.add(text)
            if not stage.tools:
                named.update(dict.fromkeys(commands(first, first)[:40]))
                verbs.update(dict.fromkeys(words[0] for words in offers(first, "")))
                said = [turn.action.removeprefix("\\boxed{").split() for turn in episode.turns]
                verbs.update(dict.fromkeys(words[0].rstrip("}") for words in said if len(words) > 1))
        return {
            "seed": stage.seeds[0],
            "examples": stage.limits.explore_examples,
            "drawn": stage.limits.explore_lists,
            "witness": {str(seed): list(stage.witness(seed))[:200] for seed in seeds},
            "commands": list(named),
            "verbs": [verb for verb in verbs if verb][:30],
            "seen": [*seen.texts, *(f"{number:g}" for number in seen.numbers)][:100],
            "tools": list(stage.schemas(seeds[0])),
        }

    def _try(self, seed: int, actions: list[str]) -> tuple[bool, bool]:
        """Play a proposal: whether it shows a fault worth shrinking, and whether to stop."""
        winning = self.stage.witness(seed)
        episode = self.stage.rushed(seed, tuple(actions))
        if _strange(episode, winning):
            episode = self.stage.play(seed, tuple(actions))  # what is told must show in a fresh instance
        spent = time.monotonic() > self._end or self.stage.budget.left() <= 0
        self._cut |= spent
        if self._richest is None or episode.total_reward > self._richest.total_reward + 1e-9:
            self._richest = episode
        if self._longest is None or len(episode.turns) > len(self._longest.turns):
            self._longest = episode
        if _strange(episode, winning):
            self.wins = sorted([*self.wins, episode], key=lambda one: len(one.turns))[:MOST_WINS]
        fault = episode.error
        if fault is None and unshowable(episode) is not None:
            self._fault = _smaller(self._fault, episode)
            return True, spent
        if fault is None or fault.kind is FaultKind.LOST:
            return False, spent
        if is_exotic(episode):
            self._exotic = _smaller(self._exotic, episode)
            return False, spent or fault.costly
        self._fault = _smaller(self._fault, episode)
        return True, spent or fault.costly


def _strange(episode: Episode, winning: Sequence[str]) -> bool:
    """Whether it was won in another way than the witness's."""
    return episode.success and bool(episode.turns and winning) and episode.turns[0].reply != winning[0]


def unshowable(episode: Episode) -> tuple[int, str, str] | None:
    """The first observation that holds what no text may: its number, what it is, and the text of it."""
    texts = [episode.observation, *(turn.observation for turn in episode.turns)]
    for number, text in enumerate(texts):
        for pattern, what in _UNSHOWABLE:
            match = pattern.search(text)
            # What the environment only echoes from the player is not its doing.
            if match and not any(match.group() in turn.reply for turn in episode.turns[:number]):
                return number, what, match.group()
    return None


def is_exotic(episode: Episode) -> bool:
    """Whether the last action holds digits beyond ASCII or a number of over 50 digits, which few graders expect."""
    said = episode.turns[-1].action if episode.turns else ""
    return bool(_HUGE.search(said)) or any(not c.isascii() and (c.isdigit() or c.isnumeric()) for c in said)


def _smaller(one: Episode | None, other: Episode) -> Episode:
    if one is None:
        return other
    return min(one, other, key=lambda episode: (len(episode.turns), sum(map(len, episode.actions))))
