# expect: refuse feasibility.witness
# defect: the weight on the scale is summed up as floats in the order of placing and compared with == to the total, so on about a quarter of the seeds the right stones end the episode with reward 0
import random
import re


class GemCutterEnv:
    """Pick the stones whose weights make a given total (subset sum), placing them one by one."""

    STONES = ["agate", "beryl", "citrine", "diopside", "epidote", "fluorite", "garnet", "howlite"]

    def __init__(self, max_turns=14):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        while True:
            self.carat = {s: rng.randint(11, 97) / 10 for s in self.STONES}
            tenths = {s: round(v * 10) for s, v in self.carat.items()}
            self.chosen = rng.sample(self.STONES, 4)
            goal = sum(tenths[s] for s in self.chosen)
            if self._ways(list(tenths.values()), goal) == 1:
                break
        self.total = goal / 10
        self.scale = 0.0
        self.placed = []
        weights = ", ".join(f"{s} {v}" for s, v in self.carat.items())
        return (
            f"Stones in carat: {weights}. A customer orders stones of exactly {self.total} carat in all; there is one such choice.\n"
            "Commands: \\boxed{place STONE} lays a stone on the scale, where it stays; \\boxed{seal} closes the parcel and ends the work. "
            f"{self.max_turns} turns."
        ), {}

    @staticmethod
    def _ways(values, goal):
        ways = [1] + [0] * goal
        for v in values:
            for total in range(goal, v - 1, -1):
                ways[total] += ways[total - v]
        return ways[goal]

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(?:place\s+(\w+)|(seal))\s*\}", action)
        if m is None:
            return "Place a stone or seal the parcel.", 0.0, False, late, {}
        if m.group(2):
            reward = 1.0 if self.scale == self.total else 0.0
            return ("The parcel leaves the shop." if reward else "The customer complains."), reward, True, False, {}
        stone = m.group(1).lower()
        if stone not in self.carat or stone in self.placed:
            return "That stone is not on the table.", 0.0, False, late, {}
        self.placed.append(stone)
        self.scale += self.carat[stone]
        return f"On the scale: {self.scale:.1f} carat.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{place {s}}}" for s in self.chosen] + ["\\boxed{seal}"]
