# math_verify for symbolic comparison (polynomial remainders); list solution; defensive input screening
import random
import re

from math_verify import parse, verify


def poly_text(coefficients):
    """[2, 0, -1] (highest first) -> 2x^2 - 1"""
    degree = len(coefficients) - 1
    out = ""
    for i, c in enumerate(coefficients):
        power = degree - i
        if c == 0:
            continue
        sign = "-" if c < 0 else "+"
        body = "" if power == 0 else ("x" if power == 1 else f"x^{power}")
        size = str(abs(c)) if abs(c) != 1 or not body else ""
        out += (f" {sign} " if out else ("-" if c < 0 else "")) + size + body
    return out or "0"


def remainder(dividend, divisor):
    """Division by a monic polynomial, schoolbook style."""
    work = list(dividend)
    for i in range(len(dividend) - len(divisor) + 1):
        lead = work[i]
        for j, c in enumerate(divisor):
            work[i + j] -= lead * c
    return work[len(dividend) - len(divisor) + 1 :]


class PolynomialRemainderEnv:
    """Divide two polynomials; any algebraically equal way of writing the remainder counts."""

    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.turn = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.divisor = [1, rng.choice([-4, -3, -2, 2, 3, 4]), rng.randint(-6, 6)]
        self.dividend = [rng.choice([-3, -2, 2, 3])] + [rng.randint(-9, 9) for _ in range(5)]
        self.rest = remainder(self.dividend, self.divisor)
        while self.rest[0] == 0:
            self.dividend[4] += 1
            self.rest = remainder(self.dividend, self.divisor)
        text = (
            f"Let P(x) = {poly_text(self.dividend)} and D(x) = {poly_text(self.divisor)}.\n"
            "What is the remainder of P divided by D? It is a polynomial of degree at most 1. "
            "Answer as in \\boxed{5x - 7}; only digits, x, + - * / and parentheses. "
            f"You have {self.max_turns} tries."
        )
        return text, {}

    def _wrong(self, message):
        return message, 0.0, False, self.turn >= self.max_turns, {"turn": self.turn}

    def step(self, action):
        self.turn += 1
        match = re.fullmatch(r"\s*\\boxed\{([^{}]*)\}\s*", action)
        if not match:
            return self._wrong("Put the polynomial into \\boxed{...}.")
        answer = match.group(1).strip()
        if len(answer) > 80 or not re.fullmatch(r"[0-9x+\-*/() ]+", answer) or "**" in answer:
            return self._wrong("Use only digits, x, + - * / and parentheses, and at most 80 characters.")
        try:
            equal = bool(verify(parse("$" + poly_text(self.rest) + "$"), parse("$" + answer + "$")))
        except Exception:
            return self._wrong("That could not be read as a polynomial.")
        if equal:
            return "Correct.", 1.0, True, False, {"turn": self.turn}
        return self._wrong("That is not the remainder.")

    def solution(self):
        return ["\\boxed{" + poly_text(self.rest) + "}"]

    def hint(self):
        return (
            "Do long division from the highest power down, or replace x^2 repeatedly with what D(x) = 0 says it equals."
        )
