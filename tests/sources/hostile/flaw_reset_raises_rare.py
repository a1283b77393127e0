# expect: refuse contract.reset | determinism.replay
import random, time, datetime
import numpy as np

class AddEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.a = r.randint(1000,9999); self.t = 0
        if self.a % 40 == 3: raise ValueError("unlucky")
        return f"What is {self.a}+7? \\boxed{{N}}", {}
    def step(self, action):
        self.t += 1
        won = action == f"\\boxed{{{self.a+7}}}"
        return "r" if won else "w", float(won), won, not won and self.t >= 3, {}
    def solution(self):
        return [f"\\boxed{{{self.a+7}}}"]
