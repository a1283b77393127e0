# expect: refuse feasibility.budget | feasibility.witness
"""The witness needs more turns than there are."""
import random
import re


class CounterEnv:
    def __init__(self, max_turns=6, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.goal, self.at, self.turn = rng.randint(9, 15), 0, 0
        self.sides = [rng.choice(["left", "right"]) for _ in range(self.goal)]
        return f"Pull the levers in this order: {' '.join(self.sides)}. One per turn, \\boxed{{left}} or \\boxed{{right}}.", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{(left|right)\}", action)
        self.at = self.at + 1 if m and m.group(1) == self.sides[self.at] else 0
        won = self.at == self.goal
        return f"{self.at} in a row.", float(won), won, not won and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{side}}}" for side in self.sides]
