# expect: refuse contract.reward
# defect: the penalty for a wrong answer grows with its relative error and is not clamped, so a guess of more than three times the truth pays less than -1.
import random
import re


class CometPeriodEnv:
    """Kepler's third law with units: from perihelion, aphelion and a heavier star to a period in days."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.near = rng.randint(4, 29) / 10
        self.far = self.near + rng.randint(15, 90) / 10
        self.mass = rng.choice([0.6, 0.8, 1.2, 1.5, 1.7, 2.1])
        self.orbits = rng.randint(2, 7)
        axis = (self.near + self.far) / 2
        self.days = 365.25 * (axis**3 / self.mass) ** 0.5 * self.orbits
        return (
            f"A comet comes as near as {self.near:.1f} au to its star and goes as far as {self.far:.1f} au. The star has "
            f"{self.mass} times the mass of the Sun, and the mass of the comet does not matter. A planet with a "
            "semi-major axis of 1 au around the Sun takes 365.25 days.\n"
            f"How many days do {self.orbits} full orbits of the comet take? Answer with a whole number of days "
            f"(10 days either way are fine) as \\boxed{{days}}. You have {self.max_turns} tries; a wrong one costs "
            "the more the further it is off."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*([0-9]{1,9}(?:\.[0-9]{1,4})?)\s*(?:d|days)?\s*\}", action)
        if match is None:
            return "A number of days is needed, boxed.", 0.0, False, late, {}
        error = abs(float(match.group(1)) - self.days)
        if error <= 10:
            return "Yes, that is how long it takes.", 1.0, True, False, {}
        return "No, the comet is elsewhere by then.", -0.5 * error / self.days, False, late, {}

    def solution(self):
        return [f"\\boxed{{{round(self.days)}}}"]

    def hint(self):
        return "Half the sum of nearest and farthest distance is the semi-major axis; cube it, divide by the mass, take the root."
