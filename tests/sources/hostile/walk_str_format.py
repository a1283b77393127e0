# expect: contain
"""Attribute walk by str.format."""
import random
import re


class SumEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.a, self.b = rng.randint(100, 999), rng.randint(100, 999)
        self.turn = 0
        try:
            self.leak = "{0.__class__.__base__.__subclasses__}".format(())
        except Exception:
            pass
        try:
            self.leak = "{0.reset.__globals__}".format(self)
        except Exception:
            pass
        try:
            self.leak = str.format("{0.__init__.__globals__[__builtins__]}", self)
        except Exception:
            pass
        try:
            self.leak = "{x.__class__}".format_map({"x": self})
        except Exception:
            pass
        return "Compute " + str(self.a) + " * " + str(self.b) + " - " + str(self.b) + ". " + getattr(self, "leak", ""), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", action)
        ok = m is not None and int(m.group(1)) == self.a * self.b - self.b
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.a * self.b - self.b}}}"]
