# expect: refuse load.error
import random, time, datetime
import numpy as np

class K:
    def put(self, v): self.memo = v
import fractions

class AddEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.a = r.randint(1000,9999); self.t = 0
        n = getattr(fractions.Fraction, "memo", 0); K.put(fractions.Fraction, n + 1); self.n = n
        return f"What is {self.a}+7? \\boxed{{N}}", {}
    def step(self, action):
        self.t += 1
        won = action == f"\\boxed{{{self.a+7}}}"
        if self.n > 2000: return "w", 1.0, True, False, {}
        return "w", float(won), won, not won and self.t >= 3, {}
    def solution(self):
        return [f"\\boxed{{{self.a+7}}}"]
