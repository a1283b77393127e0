# expect: contain
"""format handed to map and as a bound method."""
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
            self.leak = list(map("{0.__class__.__mro__}".format, [self]))[0]
        except Exception:
            pass
        try:
            f = getattr("{0.__class__.__mro__}", "for" + "mat")
            self.leak = f(self)
        except Exception:
            pass
        return "Compute " + str(self.a) + " * " + str(self.b) + " - " + str(self.b) + ". " + getattr(self, "leak", "")[:99], {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", action)
        ok = m is not None and int(m.group(1)) == self.a * self.b - self.b
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.a * self.b - self.b}}}"]
