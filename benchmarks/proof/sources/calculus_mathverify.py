# math_verify-checked exact value of a definite integral; Fraction for the truth; type hints; numpy-free
import random
import re
from fractions import Fraction

import math_verify


class IntegralEnv:
    allowed = re.compile(r"[0-9+\-/() ]{1,60}")

    def __init__(self, max_turns: int = 3):
        self.max_turns = max_turns
        self.coeffs: list[int] = []
        self.reset()

    def reset(self, seed: int | None = None):
        r = random.Random(seed)
        self.t = 0
        self.value = Fraction(0)
        while self.value.denominator == 1:
            self.coeffs = [r.randint(-12, 12) or 5 for _ in range(5)]  # c0 + c1 x + ... + c4 x^4
            self.lo = Fraction(r.randint(-5, 1), r.choice([1, 2, 3]))
            self.hi = self.lo + Fraction(r.randint(1, 9), r.choice([2, 3, 4]))
            self.value = self.primitive(self.hi) - self.primitive(self.lo)
        terms = [f"({c})*x^{k}" for k, c in enumerate(self.coeffs)]
        return (
            f"Compute the integral of f(x) = {' + '.join(reversed(terms))} from x = {self.lo} to x = {self.hi}.\n"
            "Give the exact value as a fraction in \\boxed{}, for example \\boxed{-22/7}. "
            f"Number of tries: {self.max_turns}."
        ), {}

    def primitive(self, x: Fraction) -> Fraction:
        return sum((Fraction(c, k + 1) * x ** (k + 1) for k, c in enumerate(self.coeffs)), Fraction(0))

    def step(self, action: str):
        self.t += 1
        over = self.t >= self.max_turns
        m = re.search(r"\\boxed\{(.*)\}", action)
        inner = m.group(1) if m else ""
        # \frac{a}{b} is welcome too
        inner = re.sub(r"\\d?frac\{(-?[0-9]{1,30})\}\{(-?[0-9]{1,30})\}", r"(\1)/(\2)", inner).strip()
        if not self.allowed.fullmatch(inner):
            return "Please send one fraction, such as \\boxed{-22/7}.", 0.0, False, over, {}
        try:
            ok = math_verify.verify(
                math_verify.parse("$" + str(self.value) + "$"), math_verify.parse("$" + inner + "$"), float_rounding=12
            )
        except Exception:
            ok = False
        if ok:
            return "Exactly.", 1.0, True, False, {}
        return "No, the area comes out differently.", 0.0, False, over, {}

    def solution(self):
        return [f"\\boxed{{{self.value}}}"]

    def hint(self):
        return "Find a primitive term by term, evaluate it at both limits with fractions, subtract the lower from the upper."


def _plot(env):  # pragma: no cover - was handy while writing this
    rows = []
    for i in range(11):
        x = env.lo + (env.hi - env.lo) * i / 10
        rows.append((float(x), float(sum(c * x**k for k, c in enumerate(env.coeffs)))))
    return rows
