import random, re
class ProductEnv:
    def __init__(self, max_turns=5): self._max = max_turns; self.reset()
    @property
    def max_turns(self) -> int: return self._max
    def seed(self, s=None): self._rng = random.Random(s); return [s]
    def reset(self, random_seed=None): r = random.Random(random_seed); self.t = 0; self.a, self.b = r.randint(10, 99), r.randint(10, 99); return self._q(), {}
    def step(self, action):
        self.t += 1; ok = self._grade(action); return ("yes" if ok else "no"), float(ok), ok, self.t >= self.max_turns and not ok, {}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
