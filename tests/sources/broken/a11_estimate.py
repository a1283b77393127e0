# expect: refuse contract.reward
# defect: the partial credit of a wrong answer is 0.05 minus the relative error without a lower bound, so far guesses leave [-1, 1]
import random
import re
import math


class LatticeEnv:
    """Count lattice points in a disc with an offset centre."""

    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.radius2 = rng.randint(90, 700)
        self.cx, self.cy = rng.randint(-40, 40), rng.randint(-40, 40)
        self.step_x = rng.choice([1, 1, 2])
        self.turn = 0
        extra = "" if self.step_x == 1 else " and x - cx even"
        return (
            f"Count the integer points (x, y) with (x - cx)^2 + (y - cy)^2 <= {self.radius2}{extra}, where the centre "
            f"is (cx, cy) = ({self.cx}, {self.cy}). Reply \\boxed{{count}}. A near miss earns something; "
            f"{self.max_turns} tries, the exact count ends the episode."
        ), {}

    def _count(self):
        r = math.isqrt(self.radius2)
        total = 0
        for dx in range(-r, r + 1):
            if dx % self.step_x:
                continue
            total += 2 * math.isqrt(self.radius2 - dx * dx) + 1
        return total

    def _credit(self, guess, truth):
        """A little reward for the first near miss, less the further away the guess is."""
        error = abs(guess - truth) / truth
        return round(0.05 - error, 4)

    def step(self, action):
        self.turn += 1
        done_trying = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(-?[0-9]{1,15})\s*\}", action)
        if not m:
            return "Reply with a whole number in \\boxed{}.", 0.0, False, done_trying, {}
        guess, truth = int(m.group(1)), self._count()
        if guess == truth:
            return "Exactly counted.", 1.0, True, False, {}
        side = "many" if guess > truth else "few"
        return f"Too {side}.", self._credit(guess, truth), False, done_trying, {}

    def solution(self):
        return [f"\\boxed{{{self._count()}}}"]

    def hint(self):
        return "Count column by column; the centre does not matter for the number of points."
