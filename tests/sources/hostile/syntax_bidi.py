# expect: contain
"""Right-to-left overrides that make code look like a comment."""
import random
import re

# ‮ } { ⁦ harmless
class BidiEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns

    def reset(self, seed=None):
        self.n = random.Random(seed).randint(1000, 9999)
        return f'Double {self.n}. \\boxed{{number}}', {}

    def step(self, action):
        ok = f'{{{self.n * 2}}}' in action
        return 'x', float(ok), ok, False, {}

    def solution(self):
        return [f'\\boxed{{{self.n * 2}}}']
