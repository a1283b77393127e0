from dataclasses import dataclass, field
from math import gcd
import random
import re


@dataclass
class Puzzle:
    moduli: list
    rests: list
    answer: int = 0
    product: int = field(default=1)

    def text(self):
        return "; ".join(f"{r} when divided by {m}" for m, r in zip(self.moduli, self.rests))


class RemainderPuzzleEnv:
    """Chinese remainders: the smallest positive number with three given remainders."""

    MAX_ATTEMPTS = 4

    def __init__(self):
        self.max_turns = self.MAX_ATTEMPTS
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        moduli = []
        while len(moduli) < 3:
            m = rng.randint(7, 41)
            if all(gcd(m, other) == 1 for other in moduli):
                moduli.append(m)
        product = moduli[0] * moduli[1] * moduli[2]
        answer = rng.randint(product // 5, product - 1)
        self.puzzle = Puzzle(moduli, [answer % m for m in moduli], answer, product)
        self.attempts = 0
        return (
            f"A number between 1 and {product} leaves the remainders {self.puzzle.text()}. Which number is it?\n"
            f"Write it as \\boxed{{number}}. Thousands separators are fine. You have {self.MAX_ATTEMPTS} attempts."
        ), {"product": product}

    def step(self, action):
        self.attempts += 1
        over = self.attempts >= self.MAX_ATTEMPTS
        found = re.search(r"\\boxed\{\s*([0-9][0-9,\s]{0,30})\}", action)
        digits = re.sub(r"[^0-9]", "", found.group(1)) if found else ""
        if not digits:
            return "No number found. Use \\boxed{number}.", 0.0, False, over, {"valid": False}
        guess = int(digits)
        if guess == self.puzzle.answer:
            return "All remainders agree.", 1.0, True, False, {"valid": True}
        agree = sum(guess % m == r for m, r in zip(self.puzzle.moduli, self.puzzle.rests))
        return f"{agree} of 3 remainders agree.", 0.0, False, over, {"valid": True}

    def solution(self):
        step, value = 1, 0
        for m, r in zip(self.puzzle.moduli, self.puzzle.rests):
            while value % m != r:
                value += step
            step *= m
        return [f"\\boxed{{{value:,}}}"]

    def hint(self):
        return "Satisfy one remainder, then go on in steps that keep it, until the next one fits as well."
