import random
from typing import Protocol, runtime_checkable
@runtime_checkable
class Rule(Protocol):
    def apply(self, x: int) -> int: ...
class Add:
    def __init__(self, k): self._k = k
    def apply(self, x): return x + self._k
    def __repr__(self): return f"add {self._k}"
class Mul:
    def __init__(self, k): self._k = k
    def apply(self, x): return x * self._k
    def __repr__(self): return f"multiply by {self._k}"
class MachineEnv:
    def __init__(self, max_turns: int = 3, **kw):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None, **kwargs):
        self._rng = random.Random(seed)
        self.rules = [self._rng.choice([Add, Mul])(self._rng.randint(2, 9)) for _ in range(3)]
        assert all(isinstance(r, Rule) for r in self.rules)
        self.x = self._rng.randint(1, 9)
        self.turn = 0
        return f"Start with {self.x}, then {', '.join(map(repr, self.rules))}. Result? \\boxed{{N}}", {}
    @property
    def target(self):
        y = self.x
        for r in self.rules: y = r.apply(y)
        return y
    def step(self, action):
        self.turn += 1
        s = action[action.rfind("{") + 1: action.rfind("}")] if "{" in action else action
        try:
            v = int(s)
        except (ValueError, TypeError):
            return "Give an integer.", -0.05, False, self.turn >= self.max_turns, {}
        if v == self.target:
            return "Right!", 1.0, True, False, {}
        return "Wrong.", 0.0, False, self.turn >= self.max_turns, {}
    def solution(self):
        return [f"\\boxed{{{self.target}}}"]
