# expect: refuse exploits.floor | exploits.blind | exploits.constant
# defect: the season's end at max_turns is reported as a win with reward 1, so doing nothing wins on every seed
import random
import re


class OrchardSeasonEnv:
    """Keep five rows of trees between two moisture marks with one valve turn per day."""

    def __init__(self, max_turns=18):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.day = 0
        self.rows = [rng.randint(38, 66) for _ in range(5)]
        self.drift = [rng.choice([-2, -1, -1, 1, 2]) for _ in range(5)]
        self.goal = rng.randint(46, 54)
        return (
            f"An orchard has rows 1 to 5. Each day the moisture of a row drifts by a hidden fixed amount. You end the job by "
            f"\\boxed{{harvest}} once every row is within 6 points of {self.goal}; harvesting too early ruins the crop.\n"
            f"Commands: \\boxed{{water N}} (+15), \\boxed{{drain N}} (-15), \\boxed{{rest}}, \\boxed{{harvest}}.\n"
            f"{self._rows()}\nThe season has {self.max_turns} days."
        ), {}

    def _rows(self):
        return "Moisture: " + ", ".join(f"row {i + 1}: {v}" for i, v in enumerate(self.rows))

    def _ready(self):
        return all(abs(v - self.goal) <= 6 for v in self.rows)

    def _tend(self, index, amount):
        self.rows = [max(0, min(100, v + d)) for v, d in zip(self.rows, self.drift)]
        if index is not None:
            self.rows[index] = max(0, min(100, self.rows[index] + amount))

    def step(self, action):
        self.day += 1
        m = re.search(r"\\boxed\{\s*(water|drain|rest|harvest)\s*([1-5])?\s*\}", action)
        if m is None:
            text = "The valves do not understand that."
        elif m.group(1) == "harvest":
            if self._ready():
                return "A fine crop!", 1.0, True, False, {}
            return "Too early, the crop is ruined.", 0.0, True, False, {}
        elif m.group(1) == "rest":
            self._tend(None, 0)
            text = "A quiet day."
        elif m.group(2) is None:
            text = "Which row? For example \\boxed{water 2}."
        else:
            self._tend(int(m.group(2)) - 1, 15 if m.group(1) == "water" else -15)
            text = "Done."
        if self.day >= self.max_turns:
            return "The season is over and the trees have survived.", 1.0, True, False, {}
        return f"{text} {self._rows()} Day {self.day}.", 0.0, False, False, {}

    def solution(self):
        rows, plan = list(self.rows), []
        for _ in range(self.max_turns - 1):
            if all(abs(v - self.goal) <= 6 for v in rows):
                return plan + ["\\boxed{harvest}"]
            rows = [max(0, min(100, v + d)) for v, d in zip(rows, self.drift)]
            worst = max(range(5), key=lambda i: abs(rows[i] - self.goal))
            verb, amount = ("water", 15) if rows[worst] < self.goal else ("drain", -15)
            rows[worst] += amount
            plan.append(f"\\boxed{{{verb} {worst + 1}}}")
        return plan + ["\\boxed{rest}"]
