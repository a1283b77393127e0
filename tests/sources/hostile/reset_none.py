# expect: refuse contract.reset | load.error
"""reset returns nothing."""
import random


class SilentEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        self.n = random.Random(seed).randint(100, 999)

    def step(self, action):
        ok = f"{{{self.n * 2}}}" in action
        return str(self.n), float(ok), ok, False, {}

    def solution(self):
        return [f"\\boxed{{{self.n * 2}}}"]
