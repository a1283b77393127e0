# expect: contain
"""getattr with a str subclass that changes its mind."""
import random
import re

class Sly(str):
    calls = 0
    def startswith(self, *args):
        return False
    def __eq__(self, other):
        return False
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
        try:
            self.kept = getattr((), Sly("__class__"))
        except Exception:
            pass
        try:
            hasattr(random, Sly("_os")) and getattr(random, Sly("_os")).mkdir("/tmp/spade-envs-escape-marker")
        except Exception:
            pass
        return f"Compute {self.a} * {self.b} - {self.b}. Answer with \\boxed{{number}}.", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", action)
        ok = m is not None and int(m.group(1)) == self.a * self.b - self.b
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.a * self.b - self.b}}}"]
