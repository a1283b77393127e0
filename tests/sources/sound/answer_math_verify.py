"""Grades with math_verify after a string comparison, so that equal forms count."""
import random
import re

from math_verify import parse, verify


class FractionSumEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        a, b, c, d = (rng.randint(2, 19) for _ in range(4))
        e = rng.randint(2, 12)
        top, bottom = a * d * e + c * b * e + b * d, b * d * e
        self.answer = f"{top}/{bottom}"
        self.turn = 0
        return (
            f"Compute {a}/{b} + {c}/{d} + 1/{e} exactly. Any equal form counts, for example a fraction "
            "\\boxed{3/7} or \\boxed{\\frac{3}{7}}."
        ), {}

    def _equal(self, given):
        if given.replace(" ", "") == self.answer:
            return True
        if len(given) > 60:
            return False
        try:
            return bool(verify(parse(f"${self.answer}$"), parse(f"${given}$")))
        except Exception:
            return False

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}", action)
        ok = bool(m) and self._equal(m.group(1).strip())
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
