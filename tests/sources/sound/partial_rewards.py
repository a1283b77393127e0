"""Rewards of 1/n for each leg; the last one tops up to success."""
import random
import re


class PostRoundEnv:
    """Visit houses in the order of their letters' codes; a wrong house sends you home."""

    def __init__(self, max_turns=20, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        houses = rng.sample(["oak", "rose", "mill", "hill", "lake", "park", "ford"], 6)
        codes = {house: (rng.randint(10, 99), rng.randint(10, 99)) for house in houses}
        self.order = sorted(houses, key=lambda h: (codes[h][0] * codes[h][1], h))
        self.done_legs, self.best, self.turn = 0, 0, 0
        listing = ", ".join(f"{h} ({a} x {b})" for h, (a, b) in codes.items())
        return (
            f"Deliver in order of increasing product: {listing}. One house per turn: \\boxed{{visit oak}}. "
            "A wrong house sends you back to the start of the round."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*visit\s+([a-z]+)\s*\}", action.lower())
        if not m or m.group(1) not in self.order:
            return "Visit one of the houses.", 0.0, False, late, {}
        if m.group(1) != self.order[self.done_legs]:
            self.done_legs = 0
            return "Wrong house; back to the start.", 0.0, False, late, {}
        self.done_legs += 1
        if self.done_legs == len(self.order):
            return "Round finished.", 1.0, True, False, {"progress": 1.0}
        gain = 0.0
        if self.done_legs > self.best:
            self.best = self.done_legs
            gain = 1 / (10 * len(self.order))
        return f"Delivered {self.done_legs} of {len(self.order)}.", gain, False, late, {"progress": self.done_legs / 6}

    def solution(self):
        return [f"\\boxed{{visit {house}}}" for house in self.order]
