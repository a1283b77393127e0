import random
import re
from typing import List


class Sonar:
    """Answers with taxicab distances."""

    def __init__(self, target):
        self.target = target
        self.pings = []

    def ping(self, p):
        self.pings.append(p)
        return sum(abs(a - b) for a, b in zip(p, self.target))


class SunkenBeaconEnv:
    """Locate a beacon in a cube of water by triangulation; the battery allows few pings."""

    EDGE = 40

    def __init__(self, max_turns=9, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.sonar = Sonar(tuple(rng.randint(1, self.EDGE - 1) for _ in range(3)))
        self.turn = 0
        self.dives = 1
        self.code = rng.randint(100, 999)
        return (f"Expedition {self.code}. A beacon lies at whole coordinates x, y, z, each between 1 and {self.EDGE - 1}.\n"
                f"\\boxed{{ping x y z}} (each 0 to {self.EDGE}) tells |dx|+|dy|+|dz|. \\boxed{{dive x y z}} is possible once.\n"
                f"{self.max_turns} turns."), {"battery": self.max_turns}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        info = {"battery": max(0, self.max_turns - self.turn)}
        m = re.search(r"\\boxed\{\s*(ping|dive)\s+(\d{1,3})[,\s]+(\d{1,3})[,\s]+(\d{1,3})\s*\}", action, re.ASCII | re.IGNORECASE)
        if not m:
            return "The console beeps: ping x y z, or dive x y z.", 0.0, False, late, info
        p = tuple(int(v) for v in m.groups()[1:])
        if max(p) > self.EDGE:
            return "Outside the search area.", 0.0, False, late, info
        if m.group(1).lower() == "ping":
            return f"Distance {self.sonar.ping(p)}.", 0.0, False, late, info
        if p == self.sonar.target:
            return "The beacon blinks in front of you.", 1.0, True, False, info
        return "Nothing but sand. The submarine has to return.", 0.0, True, False, info

    def solution(self) -> List[str]:
        e = self.EDGE
        corners = [(0, 0, 0), (e, 0, 0), (0, e, 0), (0, 0, e)]
        target = self.sonar.target
        return ["\\boxed{ping %d %d %d}" % c for c in corners] + ["\\boxed{dive %d %d %d}" % target]

    def hint(self):
        return "In the corners of the area no absolute value changes its sign, so each ping gives a linear equation."
