import random, re
class ProductEnv:
    LIVES = 3
    def __init__(self): self.reset()
    def reset(self, seed: int | None = None, *, options: dict | None = None):
        r = random.Random(seed); self.lives = self.LIVES; self.a, self.b = r.randint(10, 99), r.randint(10, 99); return self._q() + " ❤" * self.lives, {}
    def step(self, action: str, /):
        if self._grade(action): return "yes", 1.0, True, False, {}
        self.lives -= 1
        return f"no {'❤' * self.lives}", -0.1, self.lives <= 0, False, {"lives": self.lives}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
