import random, re
class CoreSim:
    """Helper with its own reset/step."""
    def reset(self, seed): self.t = 0; return random.Random(seed)
    def step(self): self.t += 1; return self.t
class ProductGame:
    def __init__(self, max_turns=5): self.sim = CoreSim(); self.max_turns = max_turns; self.reset()
    def reset(self, seed=None): r = self.sim.reset(seed); self.a, self.b = r.randint(10, 99), r.randint(10, 99); return self._q(), {}
    def step(self, action):
        n = self.sim.step(); ok = self._grade(action)
        return ("yes" if ok else "no"), float(ok), ok, n >= self.max_turns and not ok, {}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
