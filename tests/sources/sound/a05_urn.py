from fractions import Fraction
from math import comb
import random
import re


class UrnEnv:
    """Exact probabilities; a reduced or unreduced fraction or a decimal that is close enough will do."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.red, self.blue, self.white = rng.randint(5, 14), rng.randint(5, 14), rng.randint(3, 9)
        self.draws = rng.randint(4, 6)
        self.k = rng.randint(1, 3)
        self.p = self._probability()
        self.used = 0
        return (
            f"An urn holds {self.red} red, {self.blue} blue and {self.white} white balls. {self.draws} balls are drawn "
            f"without putting any back. How likely is it that exactly {self.k} of them are red and at least one is white? "
            "Give a fraction such as \\boxed{a/b}, or a decimal with six places. "
            f"Attempts: {self.max_turns}."
        ), {}

    def _probability(self):
        total = comb(self.red + self.blue + self.white, self.draws)
        rest = self.draws - self.k
        good = comb(self.red, self.k) * (comb(self.blue + self.white, rest) - comb(self.blue, rest))
        return Fraction(good, total)

    @staticmethod
    def _parse(text):
        text = text.replace(" ", "")
        if not re.fullmatch(r"[0-9]{1,18}/[0-9]{1,18}|[0-9]{0,3}\.[0-9]{1,18}", text):
            return None
        try:
            return Fraction(text)
        except (ValueError, ZeroDivisionError):
            return None

    def step(self, action):
        self.used += 1
        over = self.used >= self.max_turns
        m = re.search(r"\\boxed\{(.*?)\}", action, re.DOTALL)
        value = self._parse(m.group(1)) if m else None
        if value is None:
            return "Not readable as a fraction or decimal.", 0.0, False, over, {}
        if value == self.p or abs(value - self.p) < Fraction(1, 10 ** 6):
            return "Right.", 1.0, True, False, {}
        if value > 1:
            return "A probability is not above one.", 0.0, False, over, {}
        return "No.", 0.0, False, over, {}

    def solution(self):
        return [f"\\boxed{{{self.p.numerator}/{self.p.denominator}}}"]
