# expect: refuse robustness.raises
# defect: the answer is rounded with round(float(text)), which raises OverflowError on inf or 1e999 and ValueError on nan
import random
import re


class KilnGlazeEnv:
    """Heat-up schedule of a kiln: piecewise linear ramps with a lagging thermocouple."""

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.room = rng.randint(15, 28)
        self.ramps = [(rng.randint(60, 180), rng.randint(250, 560)), (0, rng.randint(20, 70)),
                      (rng.randint(90, 220), rng.randint(620, 900)), (rng.randint(120, 300), rng.randint(960, 1280))]
        self.lag = rng.randint(4, 9)
        clock, heat = 0.0, float(self.room)
        for rate, value in self.ramps:
            if rate == 0:
                clock += value
            else:
                clock += (value - heat) / rate * 60
                heat = value
        self.minutes = round(clock + self.lag)
        lines = []
        for rate, value in self.ramps:
            lines.append(f"hold for {value} minutes" if rate == 0 else f"heat at {rate} degrees per hour up to {value} degrees")
        return (
            f"A kiln starts at {self.room} degrees. Schedule:\n" + "\n".join(f"{i}. {t}" for i, t in enumerate(lines, 1))
            + f"\nThe display follows {self.lag} minutes behind the true temperature. After how many minutes does the display show the final "
            f"temperature? Round once at the end to whole minutes. \\boxed{{minutes}}, {self.max_turns} tries."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        try:
            value = float(m.group(1)) if m else None
        except ValueError:
            value = None
        if value is None:
            return "A number of minutes is needed.", 0.0, False, late, {}
        if round(value) == self.minutes:
            return "The cone bends at that moment.", 1.0, True, False, {}
        return "Not at that moment.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{self.minutes}}}"]
