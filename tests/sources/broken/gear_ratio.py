# expect: refuse robustness.raises
# defect: the answer a/b is read with Fraction(a, b), and \boxed{3/0} raises ZeroDivisionError
from fractions import Fraction
import random
import re


class GearRatioEnv:
    """Multiply out a compound gear train with idlers and a slipping clutch."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.stages = [(rng.randint(11, 29), rng.randint(31, 67)) for _ in range(rng.randint(3, 4))]
        self.idler = rng.randint(10, 40)
        self.slip = Fraction(rng.randint(1, 6), rng.randint(20, 40))
        self.turns_in = rng.randint(40, 300)
        ratio = Fraction(1)
        for driver, driven in self.stages:
            ratio *= Fraction(driver, driven)
        self.result = self.turns_in * ratio * (1 - self.slip)
        stages = "; ".join(f"stage {i}: driver {a} teeth, driven {b} teeth" for i, (a, b) in enumerate(self.stages, 1))
        return (
            f"A gear train: {stages}. Between the first driver and its driven wheel sits an idler with {self.idler} teeth. The output clutch "
            f"loses {self.slip} of the turns. The input makes {self.turns_in} turns. How many turns does the output make?\n"
            f"Answer with an exact fraction \\boxed{{p/q}} or a whole number. {self.max_turns} tries."
        ), {}

    def _parse(self, text):
        m = re.fullmatch(r"\s*(-?[0-9]{1,30})\s*(?:/\s*([0-9]{1,30}))?\s*", text)
        if not m:
            return None
        return Fraction(int(m.group(1)), int(m.group(2) or 1))

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        value = self._parse(m.group(1)) if m else None
        if value is None:
            return "I need a fraction such as \\boxed{7/3}.", 0.0, late, {}
        if value == self.result:
            return "Exact.", 1.0, True, {}
        return "The counter on the output shaft shows something else.", 0.0, late, {}

    def solution(self):
        return [f"\\boxed{{{self.result}}}"]

    def hint(self):
        return "An idler changes the sense of rotation only. Cancel factors before you multiply."
