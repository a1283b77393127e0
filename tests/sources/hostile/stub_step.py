# expect: refuse static.stub
"""step is a placeholder."""
import random


class StubEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns

    def reset(self, seed=None):
        self.n = random.Random(seed).randint(100, 999)
        return f"Double {self.n}. \\boxed{{number}}", {}

    def step(self, action):
        """Grade the answer."""
        ...

    def solution(self):
        return [f"\\boxed{{{self.n * 2}}}"]
