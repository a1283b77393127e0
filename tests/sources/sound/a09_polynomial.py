import random
import re
import numpy as np


class PolynomialRemainderEnv:
    """Remainder of a polynomial division, with integer coefficients (the divisor is monic)."""

    max_turns = 4

    def __init__(self):
        self.reset()

    def reset(self, seed=None, options=None):
        rng = random.Random(seed)
        self.divisor = np.array([1] + [rng.randint(-6, 6) for _ in range(3)], dtype=np.int64)
        self.dividend = np.array([rng.choice([1, 2, 3, -1, -2])] + [rng.randint(-9, 9) for _ in range(6)], dtype=np.int64)
        self.remainder = self._mod(self.dividend, self.divisor)
        if np.count_nonzero(self.remainder) < 3:      # draw another one, still a function of the seed
            return self.reset(rng.randint(0, 2 ** 30))
        self.turn = 0
        obs = (f"p(x) = {self.show(self.dividend)}\n"
               f"d(x) = {self.show(self.divisor)}\n\n"
               "Divide p by d. Give the remainder r(x) = a*x^2 + b*x + c as three integers: \\boxed{a, b, c}\n"
               f"({self.max_turns} tries)")
        return obs, {"degree": np.int64(len(self.dividend) - 1).item()}

    @staticmethod
    def _mod(p, d):
        p = p.copy()
        for i in range(len(p) - len(d) + 1):
            p[i:i + len(d)] -= p[i] * d
        return p[-(len(d) - 1):]

    @staticmethod
    def show(coefs):
        n, out = len(coefs) - 1, ""
        for i, c in enumerate(coefs.tolist()):
            if c == 0:
                continue
            power = n - i
            num = "" if abs(c) == 1 and power else str(abs(c))
            var = {0: "", 1: "x"}.get(power, f"x^{power}")
            out += (" - " if c < 0 else " + ") + num + var
        out = out.strip()
        return out[2:] if out.startswith("+ ") else out

    def step(self, action):
        self.turn += 1
        end = self.turn >= self.max_turns
        numbers = re.findall(r"[-+]?\d{1,12}", action, re.ASCII)
        if "\\boxed" not in action or len(numbers) != 3:
            return "I expect three integers a, b, c in a box.", 0.0, False, end, {}
        guess = np.array([int(v) for v in numbers])
        hits = guess == self.remainder
        if hits.all():
            return "Correct remainder.", np.float64(1.0), np.bool_(True), False, {"hits": 3}
        return f"Not yet: {int(hits.sum())} of 3 coefficients are right.", np.float64(0.0), np.bool_(False), end, {"hits": int(hits.sum())}

    def solution(self):
        return ["\\boxed{%d, %d, %d}" % tuple(self.remainder.tolist())]

    def hint(self):
        return "Do the long division: subtract multiples of the divisor from the highest power downwards until the degree is at most two."
