"""High precision digits with Decimal."""
import random
import re
from decimal import Decimal, getcontext, localcontext

getcontext().prec = 80


class RootDigitsEnv:
    def __init__(self, max_turns=5, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.n = rng.randint(2, 9999)
            if int(self.n ** 0.5) ** 2 != self.n:
                break
        root = Decimal(self.n).sqrt()
        self.k = rng.randint(35, 55)
        digits = str(root.quantize(Decimal(1).scaleb(-60))).split(".")[1]
        self.answer = digits[self.k - 6:self.k]
        self.turn = 0
        return f"Write the square root of {self.n} in decimal. Which six digits stand at places {self.k - 5} to {self.k} after the point? \\boxed{{dddddd}}", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{6})\s*\}", action)
        ok = bool(m) and m.group(1) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, (not ok) and self.turn >= self.max_turns, {}

    def solution(self):
        return self.answer
