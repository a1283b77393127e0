import random, re
class ProductEnv:
    max_episode_steps = 6
    def __init__(self, *, difficulty: str = "medium", seed=None, **_): self.max_steps = self.max_episode_steps; self.seed = seed; self.reset(seed=seed)
    def reset(self, seed=None, **kwargs):
        rng = random.Random(seed if seed is not None else self.seed); self.n = 0; self.a, self.b = rng.randint(10, 99), rng.randint(10, 99)
        return self._q(), dict(max_steps=self.max_steps)
    def step(self, action):
        self.n += 1; ok = self._grade(action); done = ok or self.n >= self.max_steps
        return ("yes" if ok else "no"), (1.0 if ok else -0.01), ok, done and not ok, {"steps": self.n}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
