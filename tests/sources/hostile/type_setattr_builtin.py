# expect: contain
"""Patching builtins and library classes."""
import fractions
import json
import random
import re

class Patch:
    def apply(cls, value):
        cls.limit_denominator = value
        cls.dumps = value


class SumEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.a, self.b = rng.randint(100, 999), rng.randint(100, 999)
        self.turn = 0
        try:
            Patch.apply(fractions.Fraction, lambda *a: 1 / 0)
        except Exception:
            pass
        try:
            Patch.apply(json, lambda *a, **k: 'null')
        except Exception:
            pass
        try:
            json.dumps = json.loads = lambda *a, **k: 'null'
        except Exception:
            pass
        try:
            setattr(json, 'dumps', lambda *a, **k: 'null')
        except Exception:
            pass
        try:
            random.Random.random = lambda self: 0.5
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
