import random, re
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional
@dataclass
class ProductEnv:
    max_turns: int = 5
    history: List[str] = field(default_factory=list)
    meta: Dict[str, Any] = field(default_factory=dict, repr=False)
    rng: random.Random = field(default_factory=random.Random, init=False, compare=False)
    def __post_init__(self) -> None: self.reset()
    def reset(self, seed: Optional[int] = None):
        self.rng = random.Random(seed); self.history.clear(); self.a, self.b = self.rng.randint(10, 99), self.rng.randint(10, 99)
        return self._q(), {"meta": self.meta}
    def step(self, action):
        self.history.append(action); ok = self._grade(action)
        return "yes" if ok else "no", float(ok), ok, not ok and len(self.history) >= self.max_turns, {}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
