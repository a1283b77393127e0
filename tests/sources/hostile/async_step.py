# expect: refuse static.restricted | contract.step | load.error
"""step is a coroutine."""
import random


class AsyncEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns

    async def reset(self, seed=None):
        self.n = random.Random(seed).randint(100, 999)
        return f"Double {self.n}: \\boxed{{number}}", {}

    async def step(self, action):
        ok = str(2 * self.n) in action
        return "x", float(ok), ok, False, {}

    def solution(self):
        return [f"\\boxed{{{2 * self.n}}}"]
