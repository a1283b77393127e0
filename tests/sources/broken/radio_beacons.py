# expect: refuse determinism.replay | determinism.seed | feasibility.witness
# defect: the generator is only made at the very first reset, later seeds are ignored and the stream goes on, so replaying a seed gives another task
import random
import re


class RadioBeaconsEnv:
    """Locate a transmitter from distances to known beacons (taxicab metric)."""

    def __init__(self, max_turns=3, seed=None):
        self.max_turns = max_turns
        self.rng = None
        self.reset(seed)

    def reset(self, seed=None):
        if self.rng is None:
            self.rng = random.Random(seed)
        self.turn = 0
        while True:
            self.beacons = [(self.rng.randint(0, 60), self.rng.randint(0, 60)) for _ in range(4)]
            self.spot = (self.rng.randint(0, 60), self.rng.randint(0, 60))
            self.ranges = [abs(x - self.spot[0]) + abs(y - self.spot[1]) for x, y in self.beacons]
            if self._matches() == [self.spot]:
                break
        lines = "\n".join(f"- beacon at {b}: {r} blocks" for b, r in zip(self.beacons, self.ranges))
        return (
            "In a town with square blocks (coordinates 0 to 60) a transmitter is measured by four beacons, in blocks along the streets:\n"
            f"{lines}\nWhere is it? Answer \\boxed{{x, y}}. {self.max_turns} tries."
        ), {}

    def _matches(self):
        found = []
        for x in range(61):
            for y in range(61):
                if all(abs(x - bx) + abs(y - by) == r for (bx, by), r in zip(self.beacons, self.ranges)):
                    found.append((x, y))
        return found

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*\(?\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\)?\s*\}", action)
        if m is None:
            return "Two numbers are needed.", 0.0, False, late, {}
        if (int(m.group(1)), int(m.group(2))) == self.spot:
            return "Signal found.", 1.0, True, False, {}
        return "Only static there.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{self.spot[0]}, {self.spot[1]}}}"]
