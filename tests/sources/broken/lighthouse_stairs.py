# expect: refuse exploits.constant | exploits.floor
# defect: repeating the one command \boxed{climb} wins on every seed, because resting and lighting the lamp never matter
import random
import re


class LighthouseStairsEnv:
    """Manage breath, oil and steps on the way up a lighthouse."""

    def __init__(self, max_turns=25, **_):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.steps = rng.randint(60, 100)
        self.height = 0
        self.breath = rng.randint(5, 9)
        self.oil = rng.randint(6, 12)
        self.dark = sorted(rng.sample(range(10, self.steps), 5))
        self.lamp = False
        return (
            f"The lamp room lies {self.steps} steps up. Flights of the stair are dark. Breath {self.breath}, oil {self.oil}.\n"
            "Each turn: \\boxed{climb}, \\boxed{rest}, \\boxed{light} or \\boxed{douse}. Climbing takes breath; without breath you "
            f"climb less; in the dark you climb less without a lamp. Reach the lamp room within {self.max_turns} turns."
        ), {}

    def _gain(self):
        gain = 7 if self.breath > 0 else 5
        if any(self.height < d <= self.height + gain for d in self.dark) and not self.lamp:
            gain -= 1
        return gain

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(climb|rest|light|douse)\s*\}", action)
        if not m:
            return "You hesitate on the stair.", 0.0, False, late, {}
        verb = m.group(1)
        if self.lamp:
            self.oil -= 1
            self.lamp = self.oil > 0
        if verb == "climb":
            self.height += self._gain()
            self.breath = max(0, self.breath - 1)
        elif verb == "rest":
            self.breath += 2
        elif verb == "light":
            self.lamp = self.oil > 0
        else:
            self.lamp = False
        if self.height >= self.steps:
            return "You stand in the lamp room, and the sea lies below you.", 1.0, True, False, {}
        state = f"Step {self.height} of {self.steps}, breath {self.breath}, oil {max(0, self.oil)}, lamp {'on' if self.lamp else 'off'}."
        return state, 0.0, False, late, {}

    def solution(self):
        plan, breath, height = ["light"], self.breath, 0
        while height < self.steps and len(plan) < self.max_turns:
            plan.append("climb")
            height += 6 if breath > 0 else 4
            breath -= 1
        return [f"\\boxed{{{p}}}" for p in plan + ["climb"] * (self.max_turns - len(plan))]
