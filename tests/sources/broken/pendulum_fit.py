# expect: refuse contract.reward
# defect: estimate before any measure takes the mean of an empty list, so the step reward is NaN
import random
import re

import numpy as np


class PendulumFitEnv:
    """Design measurements, then estimate the length of a pendulum from noisy periods."""

    def __init__(self, max_turns: int = 12):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        self.rng = random.Random(seed)
        self.turn = 0
        self.length = self.rng.randint(15, 99)
        self.readings = []
        self.tries = 3
        return (
            "A pendulum hangs from the ceiling. \\boxed{measure N} times N full swings (1 to 20) with a stop-watch that errs by up to 0.2 s in all; "
            "\\boxed{estimate DM} states its length in whole decimetres, right if within 1 dm. Three estimates at most. Take g = 9.81 m/s^2 and small "
            f"swings. {self.max_turns} turns."
        ), {}

    def _period(self):
        return 2 * np.pi * np.sqrt(self.length / 10 / 9.81)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(measure|estimate)\s+([0-9]{1,4})\s*\}", action)
        if m is None:
            return "Measure or estimate, with a number.", 0.0, False, late, {}
        value = int(m.group(2))
        if m.group(1) == "measure":
            if not 1 <= value <= 20:
                return "Between 1 and 20 swings.", 0.0, False, late, {}
            total = float(value * self._period() + self.rng.uniform(-0.2, 0.2))
            self.readings.append(total / value)
            return f"{value} swings take {total:.2f} s.", 0.0, False, late, {}
        if abs(value - self.length) <= 1:
            return "Within the tolerance.", 1.0, True, False, {}
        self.tries -= 1
        spread = float(np.mean([abs(r - self._period()) for r in self.readings]))
        reward = -0.1 * spread / (1.0 + spread)
        if self.tries == 0:
            return "That was the last estimate.", reward, True, False, {}
        return f"Off by more than 1 dm. Estimates left: {self.tries}.", reward, False, late, {}

    def solution(self):
        return ["\\boxed{measure 20}", f"\\boxed{{estimate {self.length}}}"]
