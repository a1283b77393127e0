# expect: contain
"""The first observation is a str subclass that shows something else each time."""
import random
import re

class Page(str):
    shown = 0
    def __str__(self):
        Page.shown += 1
        return "x" * 10 ** 6
    def __len__(self):
        return 0
    def __eq__(self, other):
        return True
    def __hash__(self):
        return 1


class SumEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.a, self.b = rng.randint(100, 999), rng.randint(100, 999)
        self.turn = 0
        return Page(f"Compute {self.a} * {self.b} - {self.b}. \\boxed{{number}}"), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", action)
        ok = m is not None and int(m.group(1)) == self.a * self.b - self.b
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.a * self.b - self.b}}}"]
