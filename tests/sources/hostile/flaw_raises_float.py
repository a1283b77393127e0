# expect: refuse robustness.raises
import random, time, datetime
import numpy as np

class AddEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.a = r.randint(1000,9999); self.t = 0
        
        return f"What is {self.a}+7? \\boxed{{N}}", {}
    def step(self, action):
        self.t += 1
        body = action[7:-1]
        if body.count(".") == 1 and body.replace(".", "").isdigit(): int(body)
        won = action == f"\\boxed{{{self.a+7}}}"
        return "w", float(won), won, not won and self.t >= 3, {}
    def solution(self):
        return [f"\\boxed{{{self.a+7}}}"]
