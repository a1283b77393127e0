# expect: refuse feasibility.witness
# defect: the text says that five or more days of a started week cost a whole week, the grader charges the week from six days on, so the correct answer is refused where exactly five days remain
import random
import re


class BoxedTask:
    """Turn counting and reading of one whole number; subclasses give _right()."""

    max_turns = 3
    turn = 0

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9]{1,7})\s*\}", action)
        if m is None:
            return "An amount is needed.", 0.0, False, late, {}
        if self._right(m.group(1)):
            return "Paid and settled.", 1.0, True, False, {}
        return "The boatyard has another sum.", 0.0, False, late, {}


class BoatRentalEnv(BoxedTask):
    """Rental charges with weeks, discounts and a late fee."""

    BOATS = {"skiff": (23, 41), "sloop": (44, 71), "barge": (63, 97)}

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.fleet = []
        for name, (low, high) in self.BOATS.items():
            daily = rng.randint(low, high)
            self.fleet.append((name, daily, daily * 6 - rng.randint(11, 30), rng.randint(9, 45)))
        self.late = rng.randint(4, 9)
        self.hours = rng.randint(2, 11)
        lines = "\n".join(f"- {n}: {d} per day, {w} per week, rented for {t} days" for n, d, w, t in self.fleet)
        return (
            f"A boatyard bills three boats:\n{lines}\nFull weeks cost the weekly price. Of a started week the days are charged one by one, but five or "
            "more days of a started week cost the whole weekly price. All boats were brought back "
            f"{self.hours} hours late, and each late hour costs {self.late} for every boat. What is the bill?\n"
            f"\\boxed{{amount}}, {self.max_turns} tries."
        ), {}

    def _bill(self):
        total = 0
        for _, daily, weekly, days in self.fleet:
            weeks, rest = divmod(days, 7)
            if rest > 5:
                weeks, rest = weeks + 1, 0
            total += weeks * weekly + rest * daily
        return total + self.late * self.hours * len(self.fleet)

    def _right(self, text):
        return int(text) == self._bill()

    def solution(self):
        total = 0
        for _, daily, weekly, days in self.fleet:
            rest = days % 7
            total += days // 7 * weekly + (weekly if rest >= 5 else rest * daily)
        return [f"\\boxed{{{total + 3 * self.late * self.hours}}}"]
