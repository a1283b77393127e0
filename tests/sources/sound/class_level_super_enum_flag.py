import random
from abc import ABC, abstractmethod
from enum import IntFlag
from functools import cached_property
class Perm(IntFlag):
    R = 4; W = 2; X = 1
class Base(ABC):
    @abstractmethod
    def solution(self): ...
    @classmethod
    def create(cls, *a, **k): return cls(*a, **k)
class PermEnv(Base):
    def __init__(self, max_turns=3): self.max_turns = max_turns; self.reset()
    def reset(self, seed=None):
        r = random.Random(seed)
        self.__dict__.pop("names", None)
        self.p = [Perm(r.randint(0, 7)) for _ in range(3)]; self.turns = 0
        return f"Octal of {self.names}? \\boxed{{DDD}}", {}
    @cached_property
    def names(self):
        return "".join("".join(c if p & f else "-" for c, f in zip("rwx", (Perm.R, Perm.W, Perm.X))) for p in self.p)
    def step(self, action):
        self.turns += 1
        won = action.strip() == self.solution()
        return "ok" if won else "no", float(won), won, not won and self.turns >= self.max_turns, {}
    def solution(self):
        return "\\boxed{%s}" % "".join(str(int(p)) for p in self.p)
