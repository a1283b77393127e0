"""solution returns one boxed string with words around it."""
import random
import re


class GearsEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.teeth = [rng.randint(8, 40) for _ in range(3)]
        low = math.lcm(*self.teeth)
        self.answer = sum(low // t for t in self.teeth)
        self.turn = 0
        return (
            f"Three meshed gears have {self.teeth[0]}, {self.teeth[1]} and {self.teeth[2]} teeth. They turn until all marks "
            "line up again for the first time. How many full turns do the three gears make together? \\boxed{number}"
        ), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,7})\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return f"The least common multiple divided by each tooth count, summed up: \\boxed{{{self.answer}}}"
