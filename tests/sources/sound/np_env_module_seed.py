import numpy as np
import numpy.random as npr
import re
from numpy.typing import NDArray
class ProductEnv:
    def __init__(self, max_turns: int = 5): self.max_turns = max_turns; self.rng: npr.Generator = npr.default_rng(); self.reset()
    def reset(self, seed=None):
        if seed is not None: np.random.seed(seed % (2**32)); self.rng = npr.default_rng(seed)
        self.t = np.int64(0); v: NDArray[np.int64] = self.rng.integers(10, 99, size=2); self.a, self.b = v
        return self._q(), {"v": v.tolist()}
    def step(self, action):
        self.t += 1; ok = np.any([self._grade(action)]); return ("yes" if ok else "no"), np.float32(ok), ok, np.logical_and(self.t >= self.max_turns, ~ok), {}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
