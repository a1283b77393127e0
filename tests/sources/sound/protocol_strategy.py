import random, re
from typing import Protocol, runtime_checkable, Callable, Dict
@runtime_checkable
class Strategy(Protocol):
    name: str
    def generate(self, rng: random.Random) -> tuple: ...
class Easy:
    name = "easy"
    def generate(self, rng): return rng.randint(10, 50), rng.randint(10, 99)
class Hard:
    name = "hard"
    def generate(self, rng): return rng.randint(51, 99), rng.randint(10, 99)
STRATEGIES: Dict[str, Callable[[], Strategy]] = {c.name: c for c in (Easy, Hard)}
class ProductEnv:
    def __init__(self, max_turns=5, level="hard"): self.max_turns = max_turns; self.strategy = STRATEGIES[level](); assert isinstance(self.strategy, Strategy); self.reset()
    def reset(self, seed=None): self.t = 0; self.a, self.b = self.strategy.generate(random.Random(seed)); return self._q(), {}
    def step(self, action):
        self.t += 1; ok = self._grade(action); return ("yes" if ok else "no"), float(ok), ok, self.t >= self.max_turns and not ok, {}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
