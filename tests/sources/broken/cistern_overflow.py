# expect: refuse exploits.constant | exploits.floor
# defect: rain is far too light for the tank, so the litres spilled are 0 on more than half of the seeds and the constant answer 0 wins there.
import random
import re


class CisternEnv:
    """Simulate a cistern by hand for ten days and report how much water was lost over the rim."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.capacity = rng.randint(140, 220)
        self.level = rng.randint(40, 90)
        self.rain = [rng.randint(0, 46) for _ in range(10)]
        self.use = [rng.randint(8, 20) for _ in range(10)]
        self.leak_every = rng.randint(3, 4)
        self.leak = rng.randint(5, 15)
        self.turn = 0
        self.spilled = self._simulate()
        days = "\n".join(
            f"  day {day}: rain {rain}, use {use}"
            for day, (rain, use) in enumerate(zip(self.rain, self.use), 1)
        )
        text = (
            f"A cistern holds at most {self.capacity} litres and starts with {self.level}.\n"
            "Every day, in this order: rain flows in, and what exceeds the capacity spills and is lost; "
            "then the house uses water (never more than there is); "
            f"and on every day whose number is a multiple of {self.leak_every} a further {self.leak} litres leak out "
            "(never more than there is).\n"
            f"{days}\n"
            "How many litres spill over the rim in these ten days altogether?\n"
            f"Answer with a whole number, as \\boxed{{N}}. {self.max_turns} tries."
        )
        return text, {}

    def _simulate(self):
        level, spilled = self.level, 0
        for day, (rain, use) in enumerate(zip(self.rain, self.use), 1):
            level += rain
            if level > self.capacity:
                spilled += level - self.capacity
                level = self.capacity
            level = max(0, level - use)
            if day % self.leak_every == 0:
                level = max(0, level - self.leak)
        return spilled

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        found = re.fullmatch(r"\s*\\boxed\{\s*([0-9]{1,7})\s*\}\s*", action)
        if found is None:
            return "A whole number is wanted, as \\boxed{N}.", 0.0, False, late, {}
        if int(found.group(1)) == self.spilled:
            return "Correct, to the litre.", 1.0, True, False, {}
        return "Not the amount that spills. Go through the days once more.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{self.spilled}}}"]

    def hint(self):
        return "Keep a table with the level after rain, after use and after the leak of each day."
