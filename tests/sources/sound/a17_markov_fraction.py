import random
import re
from fractions import Fraction as F

PLACES = ["kitchen", "garden", "attic", "cellar", "porch", "study"]


class WanderingCatEnv:
    """
    A cat changes rooms every hour with given probabilities.
    The exact probability to find it in some room after n hours is asked for, as a reduced fraction.
    """

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.rooms = rng.sample(PLACES, 4)
            self.table = {}
            for room in self.rooms:
                cuts = [rng.randint(0, 3) for _ in self.rooms]
                total = sum(cuts)
                if total == 0:
                    cuts, total = [1] * 4, 4
                self.table[room] = {o: F(c, total) for o, c in zip(self.rooms, cuts) if c}
            self.n = rng.randint(3, 4)
            self.start, self.goal = rng.sample(self.rooms, 2)
            dist = {self.start: F(1)}
            for _ in range(self.n):
                new = {}
                for room, p in dist.items():
                    for other, q in self.table[room].items():
                        new[other] = new.get(other, F(0)) + p * q
                dist = new
            self.prob = dist.get(self.goal, F(0))
            if self.prob.denominator >= 100 and self.prob.numerator > 12:
                break
        self.tries_used = 0
        lines = []
        for room, row in self.table.items():
            moves = ", ".join(f"{o} {p}" for o, p in row.items())
            lines.append(f"* from the {room}: {moves}")
        return ("Every full hour a cat moves according to these probabilities (a room may lead to itself, which means it stays):\n"
                + "\n".join(lines)
                + f"\n\nAt noon it is in the {self.start}. What is the probability that it is in the {self.goal} right after its "
                f"move number {self.n}? Exact reduced fraction, \\boxed{{p/q}}."), {"n": self.n}

    def step(self, action):
        self.tries_used += 1
        over = self.tries_used >= self.max_turns
        m = re.search(r"\\boxed\{\s*(?:\\[dt]?frac\{(\d+)\}\{(\d+)\}|(\d+)\s*/\s*(\d+))\s*\}", action[:400], re.ASCII)
        if m is None:
            return "Need a fraction p/q.", 0.0, False, over, {}
        num, den = (int(g) for g in m.groups() if g is not None)
        if den == 0:
            return "The denominator is zero.", 0.0, False, over, {}
        if F(num, den) != self.prob:
            hint = "" if F(num, den) <= 1 else " A probability above one?"
            return "That is not it." + hint, 0.0, False, over, {}
        if (num, den) != (self.prob.numerator, self.prob.denominator):
            return "The value is right, but reduce the fraction.", 0.5, False, over, {}
        return "Correct.", 1.0, True, False, {}

    def solution(self):
        return f"{self.prob.numerator}/{self.prob.denominator}"

    def hint(self):
        return "Carry the whole distribution over the rooms forward hour by hour with common denominators; do not enumerate paths."
