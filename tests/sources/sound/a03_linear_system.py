import random
import re
from fractions import Fraction


def solve(matrix, rhs):
    """Gauss-Jordan over the rationals; None if singular."""
    n = len(matrix)
    rows = [[Fraction(v) for v in row] + [Fraction(b)] for row, b in zip(matrix, rhs)]
    for col in range(n):
        pivot = next((r for r in range(col, n) if rows[r][col] != 0), None)
        if pivot is None:
            return None
        rows[col], rows[pivot] = rows[pivot], rows[col]
        rows[col] = [v / rows[col][col] for v in rows[col]]
        for r in range(n):
            if r != col and rows[r][col] != 0:
                factor = rows[r][col]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[col])]
    return [row[-1] for row in rows]


class LinearSystemEnv:
    """Four unknowns, four equations, exact rational answer required."""

    def __init__(self, max_turns=5, size=4, **kwargs):
        self.max_turns = max_turns
        self.size = size
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        letters = rng.sample("abcdfghkmnpqrstuvwxyz", self.size)
        while True:
            matrix = [[rng.randint(-9, 9) for _ in range(self.size)] for _ in range(self.size)]
            rhs = [rng.randint(-40, 40) for _ in range(self.size)]
            result = solve(matrix, rhs)
            if result is None:
                continue
            wanted = rng.randrange(self.size)
            if result[wanted].denominator > 20 and abs(result[wanted].numerator) > 20:
                break
        self.matrix, self.rhs, self.letters = matrix, rhs, letters
        self.wanted, self.value = wanted, result[wanted]
        self.turns = 0
        return self._show(), {"size": self.size}

    def _equation(self, row, b):
        parts = []
        for coef, letter in zip(row, self.letters):
            if coef == 0:
                continue
            sign = "-" if coef < 0 else "+"
            body = letter if abs(coef) == 1 else f"{abs(coef)}{letter}"
            parts.append((sign, body))
        if not parts:
            return f"0 = {b}"
        head = ("-" if parts[0][0] == "-" else "") + parts[0][1]
        return head + "".join(f" {s} {t}" for s, t in parts[1:]) + f" = {b}"

    def _show(self):
        eqs = "\n".join("    " + self._equation(r, b) for r, b in zip(self.matrix, self.rhs))
        return (f"Solve the system\n\n{eqs}\n\nand report the exact value of {self.letters[self.wanted]} as a reduced "
                f"fraction p/q, like this: \\boxed{{p/q}}. {self.max_turns} attempts.")

    def _parse(self, text):
        m = re.search(r"\\boxed\{(.*)\}", text, re.S)
        if not m:
            return None
        body = m.group(1).replace(" ", "")
        m = re.fullmatch(r"(-?)\\[dt]?frac\{(-?\d{1,30})\}\{(\d{1,30})\}", body, re.A)
        if m:
            body = f"{m.group(1)}{m.group(2)}/{m.group(3)}".replace("--", "")
        if not re.fullmatch(r"-?\d{1,30}(/\d{1,30})?", body, re.A):
            return None
        try:
            return Fraction(body)
        except ZeroDivisionError:
            return None

    def step(self, action):
        self.turns += 1
        last = self.turns >= self.max_turns
        guess = self._parse(action)
        if guess is None:
            return "Could not read a fraction. Use \\boxed{p/q}.", 0.0, False, last, {"parsed": False}
        if guess == self.value:
            return "Correct.", 1.0, True, False, {"parsed": True}
        relation = "larger" if guess > self.value else "smaller"
        return f"No. Your number is {relation} than the true value.", 0.0, False, last, {"parsed": True}

    def solution(self):
        return f"\\boxed{{{self.value.numerator}/{self.value.denominator}}}"

    def hint(self):
        return "Eliminate one letter at a time with integer multiples of the rows, and divide only at the very end."
