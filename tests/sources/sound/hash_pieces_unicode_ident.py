import random, re, hashlib
from typing import Final
ΔMAX: Final = 5
class Произведение:
    """Helper."""
    def __init__(self, α, β): self.α, self.β = α, β
    @property
    def результат(self): return self.α * self.β
class ProductEnv:
    def __init__(self, max_turns=ΔMAX): self.max_turns = max_turns; self.reset()
    def reset(self, seed=None):
        h = hashlib.sha256(f"prod:{seed}".encode()).digest(); self.a, self.b = 10 + h[0] % 90, 10 + h[1] % 90; self.t = 0
        self.p = Произведение(self.a, self.b); return "╔═══╗\n║ 💡 ║\n╚═══╝\n" + self._q(), {}
    def step(self, action):
        self.t += 1; ok = self._grade(action) and self.p.результат == self.a * self.b; return ("да" if ok else "нет"), float(ok), ok, self.t >= self.max_turns and not ok, {}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
