# expect: refuse interactive.static
# defect: every observation is drawn from the landing site instead of the present position, so nothing ever changes
import random
import re


class RoverEnv:
    """Drive a rover over slopes that let it slip downhill, and report from the crater."""

    TURN = {"n": (0, 1), "s": (0, -1), "e": (1, 0), "w": (-1, 0)}

    def __init__(self, max_turns=30):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.landing = (rng.randint(0, 8), rng.randint(0, 8))
        self.site = self.landing
        self.crater = (rng.randint(0, 8), rng.randint(0, 8))
        while abs(self.crater[0] - self.landing[0]) + abs(self.crater[1] - self.landing[1]) < 5:
            self.crater = (rng.randint(0, 8), rng.randint(0, 8))
        self.turn = 0
        return self._panorama(), {}

    def _panorama(self):
        x, y = self.landing
        dx, dy = self.crater[0] - x, self.crater[1] - y
        return (
            f"Rover at ({x}, {y}) on a field of 9 by 9. The crater lies {abs(dx)} cells to the {'east' if dx >= 0 else 'west'} "
            f"and {abs(dy)} cells to the {'north' if dy >= 0 else 'south'}. Drive with \\boxed{{drive n}}, s, e or w, one "
            f"cell each; standing in the crater send \\boxed{{report}}. A report elsewhere ends the mission. "
            f"At most {self.max_turns} commands."
        )

    def _drive(self, way):
        dx, dy = self.TURN[way]
        x, y = self.site[0] + dx, self.site[1] + dy
        if 0 <= x <= 8 and 0 <= y <= 8:
            self.site = (x, y)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(drive ([nsew])|report)\s*\}", action)
        if m and m.group(1) == "report":
            ok = self.site == self.crater
            return self._panorama(), 1.0 if ok else 0.0, True, False, {}
        if m:
            self._drive(m.group(2))
        return self._panorama(), 0.0, False, late, {}

    def solution(self):
        x, y = self.site
        way = []
        way += ["drive e" if self.crater[0] > x else "drive w"] * abs(self.crater[0] - x)
        way += ["drive n" if self.crater[1] > y else "drive s"] * abs(self.crater[1] - y)
        return [f"\\boxed{{{w}}}" for w in way + ["report"]]
