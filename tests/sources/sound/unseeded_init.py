"""Builds everything in an unseeded __init__, and reset draws afresh only when asked."""
import random
import re


class StampsEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.rng = random.Random()
        self.values = random.sample(range(3, 30), 3)
        self.shape = [random.random() for _ in range(2)]
        self.reset()

    def reset(self, seed=None):
        if seed is not None:
            self.rng = random.Random(seed)
        self.values = self.rng.sample(range(4, 40), 3)
        self.amount = self.rng.randint(150, 400)
        fewest = [0] + [10**6] * self.amount
        for total in range(1, self.amount + 1):
            fewest[total] = 1 + min((fewest[total - v] for v in self.values if v <= total), default=10**6)
        if fewest[self.amount] >= 10**6:
            return self.reset()
        self.answer = fewest[self.amount] * 1000 + sum(self.values)
        self.turn = 0
        return (
            f"Stamps of {self.values[0]}, {self.values[1]} and {self.values[2]} cents. Let n be the fewest stamps that make "
            f"exactly {self.amount} cents. Give 1000 n plus the sum of the three values: \\boxed{{number}}"
        ), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
