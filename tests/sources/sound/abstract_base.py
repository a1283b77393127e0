"""An abstract base class with placeholder methods comes first; the environment fills them in."""
from abc import ABC, abstractmethod
import random
import re


class Puzzle(ABC):
    max_turns = 4

    @abstractmethod
    def reset(self, seed=None):
        raise NotImplementedError

    @abstractmethod
    def step(self, action):
        ...

    @abstractmethod
    def solution(self):
        pass

    @property
    @abstractmethod
    def expected(self) -> str:
        """The right answer."""


class AgePuzzleEnv(Puzzle):
    def __init__(self, max_turns=4, **kwargs):
        super().__init__()
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.child = rng.randint(5, 30)
        factor, years = rng.randint(2, 6), rng.randint(3, 20)
        self.parent = factor * self.child + rng.randint(1, 9)
        rest = self.parent - factor * self.child
        total = self.child + self.parent + 2 * years
        self.turn = 0
        return (
            f"Two trees: the old one is {rest} years more than {factor} times as old as the young one. In {years} years "
            f"their ages add up to {total}. Give young*1000 + old (ages now) as \\boxed{{number}}."
        ), {}

    @property
    def expected(self):
        return str(self.child * 1000 + self.parent)

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([^{}\s]*)\s*\}", action)
        if m and m.group(1) == self.expected:
            return "Right", 1.0, True, False, {}
        return "Wrong", 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.expected}}}"]
