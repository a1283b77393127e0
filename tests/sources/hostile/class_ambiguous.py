# expect: refuse static.class
"""Two equally good classes."""
import random


class FirstEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns

    def reset(self, seed=None):
        self.n = random.Random(seed).randint(100, 999)
        return f"Double {self.n}. \\boxed{{number}}", {}

    def step(self, action):
        ok = f"{{{self.n * 2}}}" in action
        return "x", float(ok), ok, False, {}

    def solution(self):
        return [f"\\boxed{{{self.n * 2}}}"]


class SecondEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns

    def reset(self, seed=None):
        self.n = random.Random(seed).randint(100, 999)
        return f"Triple {self.n}. \\boxed{{number}}", {}

    def step(self, action):
        ok = f"{{{self.n * 3}}}" in action
        return "x", float(ok), ok, False, {}

    def solution(self):
        return [f"\\boxed{{{self.n * 3}}}"]
