"""Weak players: what wins without understanding anything. Their success is the floor of an environment.

They may know what any player knows after a while: the shape of right answers, and right answers of *other* seeds.
"""

from __future__ import annotations

import dataclasses
import functools
import random
from collections.abc import Callable, Mapping, Sequence

from .actions import boxed
from .answer_texts import as_action, candidates, parts, shape, template
from .players import JUNK, Echo, Idle, Junk, Stubborn
from .sandbox.mentions import offers, words_of
from .schema_calls import Seen, functions, random_call
from .types import Player

CONSTANTS = ("yes", "1", "A", "done", "0", "no", "true", "", "nan", "e")
"""Texts somebody might always say."""
RUN = " ".join(map(str, range(1500)))
"""The first whole numbers, all in one action."""
SMALL = 20
"""Guesses of small numbers go from 0 to this."""
MOST_GUESSES = 40
MOST_COMMANDS = 100


@dataclasses.dataclass(frozen=True)
class Experience:
    """What a player has learned from other seeds of the same environment, by seed."""

    contract: str
    firsts: dict[int, str]
    """First observations."""
    answers: dict[int, str]
    """Right answers of environments that are won by submitting one; empty for others."""

    @functools.cached_property
    def common(self) -> frozenset[str]:
        """Tokens that nearly every first observation holds."""
        return template(list(self.firsts.values())[:40])

    @functools.cached_property
    def shapes(self) -> dict[int, frozenset[str]]:
        """Shapes of the items of every right answer, by seed."""
        return {seed: frozenset(map(shape, parts(answer)[1])) for seed, answer in self.answers.items()}

    def others(self, seed: int) -> list[str]:
        """Right answers of other seeds."""
        return [answer for other, answer in self.answers.items() if other != seed]

    def visible(self, seed: int, observation: str) -> list[list[str]]:
        """Lists of pieces a guess is made of: what is visible and has the shape of other seeds' answers.

        Pieces that every telling holds come second, since options may be fixed.
        """
        kinds = {kind for other, kinds in self.shapes.items() if other != seed for kind in kinds} - {"text"}
        kinds = kinds or {"integer", "decimal", "code", "name", "word"}
        return [candidates(observation, kinds, self.common), candidates(observation, kinds)]


class Sayer(Idle):
    """Says the :data:`CONSTANTS` in turn, beginning with another one for every seed."""

    def __init__(self, seed: int, contract: str) -> None:
        super().__init__(60, name="constants")
        self.seed = seed
        self.contract = contract

    def act(self, observation: str) -> str | None:
        """The next text."""
        self._left -= 1
        if self._left < 0:
            return None
        return as_action(CONSTANTS[(self.seed + self.turns - 1 - self._left) % len(CONSTANTS)], self.contract)


class EveryOption(Idle):
    """Submits everything that could be right in one action, in several manners."""

    def __init__(self, seed: int, experience: Experience) -> None:
        super().__init__(8, name="every option")
        self.seed = seed
        self.experience = experience
        self._forms: list[str] = []

    def begin(self, observation: str, info: Mapping[str, object]) -> None:
        """Gather the options."""
        super().begin(observation, info)
        rng = random.Random(self.seed)
        fresh, visible = self.experience.visible(self.seed, observation)
        others = self.experience.others(self.seed)
        # The right answer among wrong ones, as it would be in an enumeration: only a lax grader pays for that.
        own = [self.experience.answers[self.seed]] if self.seed in self.experience.answers else []
        pile = list(dict.fromkeys([*others[:10], *visible[:30], *own, *fresh[:30], *others[10:20]]))
        rng.shuffle(pile)
        fillers = [*others[:2], "zzz", "zzz"]
        pile = [fillers[0], *pile, fillers[1]] if pile else []  # neither first nor last: some graders take that one
        forms = [", ".join(pile), " ".join(pile), RUN, "\n".join(visible[:200])] if pile else [RUN]
        turn = self.seed % len(forms)
        self._forms = [as_action(form[:7000], self.experience.contract) for form in [*forms[turn:], *forms[:turn]]]

    def act(self, observation: str) -> str | None:
        """The next manner; ``None`` after the last."""
        self._left -= 1
        return self._forms.pop(0) if self._forms and self._left >= 0 else None


class Guesser(Idle):
    """Submits one guess after the other, each drawn from what ``draw`` gives; never the same twice."""

    def __init__(self, name: str, seed: int, contract: str, draw: Callable[[str, random.Random], list[str]]) -> None:
        super().__init__(MOST_GUESSES, name=name)
        self.seed = seed
        self.contract = contract
        self._draw = draw
        self._guesses: list[str] = []

    def begin(self, observation: str, info: Mapping[str, object]) -> None:
        """Draw the guesses."""
        super().begin(observation, info)
        self._guesses = list(dict.fromkeys(self._draw(observation, random.Random(self.seed))))[:MOST_GUESSES]

    def act(self, observation: str) -> str | None:
        """The next guess; ``None`` when there is none left."""
        self._left -= 1
        return as_action(self._guesses.pop(0), self.contract) if self._guesses and self._left >= 0 else None


class Commander(Stubborn):
    """Gives commands that the observations list: the first one always, or a random one each turn.

    At random it prefers those that were answered in a way of their own, which spares it most illegal ones.
    """

    def __init__(self, seed: int, *, first: bool) -> None:
        super().__init__(MOST_COMMANDS, name="first command" if first else "random command")
        self.seed = seed
        self.first = first
        self._task = self._last = ""
        self._answers: dict[str, set[str]] = {}
        self._random = random.Random(seed)

    def begin(self, observation: str, info: Mapping[str, object]) -> None:
        """Remember the task, which lists the commands."""
        super().begin(observation, info)
        self._task, self._last, self._answers = observation, "", {}
        self._random = random.Random(self.seed)

    def ahead(self, most: int) -> Sequence[str]:
        """More of the same, for one who gives the first command; at random it always looks."""
        return super().ahead(most) if self.first else ()

    def act(self, observation: str) -> str | None:
        """A listed command."""
        self._left -= 1
        if self._left < 0:
            return None
        if self._last:
            self._answers.setdefault(observation, set()).add(self._last)
        # What several different commands were answered with is a complaint; the others seem to do something.
        taken = [next(iter(said)) for said in self._answers.values() if len(said) == 1]
        listed = offers(self._task, observation)
        if not self.first and taken and self._random.random() < 0.6:
            self._last = self._random.choice(taken)
        elif listed:
            words = listed[0] if self.first else self._random.choice(listed)
            self._last = boxed(" ".join(word or self._argument(observation) for word in words))
        else:
            self._last = boxed("1")
        return self.note(observation, self._last)

    def _argument(self, observation: str) -> str:
        """Something to fill a hole with: seen now, or in the task."""
        seen = words_of(observation) or ["1"]
        task = words_of(self._task) or seen
        return seen[0] if self.first else self._random.choice([*seen, *task])


class Caller(Idle):
    """Calls tools with arguments built from their schemas, and now and then says it is done."""

    def __init__(self, seed: int, experience: Experience) -> None:
        super().__init__(MOST_COMMANDS, name="random call")
        self.seed = seed
        self.experience = experience
        self._tools: list[dict[str, object]] = []
        self._seen = Seen()
        self._random = random.Random(seed)

    def begin(self, observation: str, info: Mapping[str, object]) -> None:
        """Read the schemas."""
        super().begin(observation, info)
        self._tools = functions(info.get("tools"))
        self._seen, self._random = Seen(), random.Random(self.seed)

    def ahead(self, most: int) -> Sequence[str]:
        """None: it looks."""
        return ()

    def act(self, observation: str) -> str | None:
        """A call, or an answer."""
        self._left -= 1
        self._seen.add(observation)
        if self._left < 0:
            return None
        if self._tools and self._random.random() < 0.85:
            return random_call(self._random.choice(self._tools), self._seen, self._random)
        others = self.experience.others(self.seed)
        answer = self._random.choice(["done", *others[:3], *self._seen.texts[:3], "done", "done"])
        return as_action(answer, "tools")


def _pieces(experience: Experience, seed: int) -> Callable[[str, random.Random], list[str]]:
    """Guesses from what is visible: single pieces, or lists of as many as other seeds' answers have."""

    def draw(observation: str, rng: random.Random) -> list[str]:
        fresh, every = experience.visible(seed, observation)
        pool = fresh if len(fresh) > 1 else every
        guesses = []
        lists = [parts(answer) for answer in experience.others(seed)] or [("", [""])]
        for _ in range(MOST_GUESSES if pool else 0):
            separator, items = rng.choice(lists)
            count = min(len(items), len(pool))
            guesses.append(separator.join(rng.sample(pool, count)))
        return guesses

    return draw


def _small(observation: str, rng: random.Random) -> list[str]:
    return [str(number) for number in rng.sample(range(SMALL + 1), SMALL + 1)]


def _shuffled(answers: Sequence[str]) -> Callable[[str, random.Random], list[str]]:
    return lambda observation, rng: rng.sample(list(answers), len(answers))


def _saying(text: str, contract: str) -> Player:
    return Idle(40, as_action(text, contract), f"constant {text}")


def weak_player(name: str, seed: int, experience: Experience) -> Player:
    """The weak player of this name for an episode of ``seed``.

    Raises:
        ValueError: when there is none of this name.
    """
    contract = experience.contract
    makers: dict[str, Callable[[], Player]] = {
        "idle": lambda: Idle(100),
        "echo": Echo,
        "junk": lambda: Junk(seed, 60),
        "constants": lambda: Sayer(seed, contract),
        **{f"constant {text}": functools.partial(_saying, text, contract) for text in CONSTANTS},
        "every option": lambda: EveryOption(seed, experience),
        "visible candidate": lambda: Guesser("visible candidate", seed, contract, _pieces(experience, seed)),
        "small number": lambda: Guesser("small number", seed, contract, _small),
        "other answer": lambda: Guesser("other answer", seed, contract, _shuffled(experience.others(seed))),
        "first command": lambda: Commander(seed, first=True),
        "random command": lambda: Commander(seed, first=False),
        "random call": lambda: Caller(seed, experience),
    }
    if name not in makers:
        raise ValueError(f"no weak player is named {name!r}; there are {', '.join(makers)}")
    return makers[name]()


__all__ = ["CONSTANTS", "JUNK", "Experience", "weak_player"]
