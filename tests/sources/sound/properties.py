"""Properties, setters, static and class methods, cached_property."""
import random
import re
from functools import cached_property


class Ladder:
    def __init__(self, rungs):
        self._rungs = rungs

    @cached_property
    def ways(self):
        a, b = 1, 1
        for _ in range(self._rungs):
            a, b = b, a + b
        return a

    @property
    def rungs(self):
        return self._rungs

    @rungs.setter
    def rungs(self, value):
        self._rungs = max(1, value)
        self.__dict__.pop("ways", None)

    @classmethod
    def random(cls, rng):
        return cls(rng.randint(8, 17))

    @staticmethod
    def describe(count):
        return f"a ladder with {count} rungs"


class LadderEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    @property
    def answer(self):
        return self.first.ways * self.factor + self.second.ways

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.first, self.second = Ladder.random(rng), Ladder.random(rng)
        self.second.rungs = self.second.rungs - 3
        self.factor = rng.randint(2, 9)
        self.turn = 0
        return (
            "You climb one or two rungs at a time. Let x be the number of ways to climb "
            f"{Ladder.describe(self.first.rungs)} and y for {Ladder.describe(self.second.rungs)}. "
            f"Give {self.factor}x + y as \\boxed{{number}}."
        ), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", action)
        if m and int(m.group(1)) == self.answer:
            return "Correct", 1.0, True, False, {}
        return "Wrong", 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
