import random, re
class ProductEnv:
    class Config:
        LOW, HIGH = 10, 99
        class Rewards: WIN = 1.0; LOSE = 0.0
    class _Turn:
        __slots__ = ("n", "_log")
        def __init__(self): self.n = 0; self._log = []
        def tick(self, a): self.n += 1; self._log.append(a); return self
    class Error(Exception): pass
    def __init__(self, max_turns=Config.LOW // 2): self.max_turns = max_turns; self.reset()
    def reset(self, seed=None):
        c = self.Config; rng = random.Random(seed); self._turn = ProductEnv._Turn(); self.a, self.b = (rng.randint(c.LOW, c.HIGH) for _ in range(2)); return self._q(), {}
    def step(self, action):
        self._turn.tick(action)
        try:
            if not isinstance(action, str) or len(action) > 5000: raise ProductEnv.Error("too long")
            ok = self._grade(action)
        except self.Error as e: return f"{e!s}", 0.0, False, self._turn.n >= self.max_turns, {}
        return ("yes" if ok else "no"), (self.Config.Rewards.WIN if ok else self.Config.Rewards.LOSE), ok, self._turn.n >= self.max_turns and not ok, {"log": len(self._turn._log)}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
