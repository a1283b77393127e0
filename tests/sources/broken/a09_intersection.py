# expect: refuse robustness.raises
# defect: an answer with two or more commas is unpacked into two names and raises ValueError
import random
import re


class LineCrossingEnv:
    """Where do two lines cross? Integer linear algebra."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.x, self.y = rng.randint(-60, 60), rng.randint(-60, 60)
        while True:
            a, b, c, d = (rng.choice([-9, -7, -5, -4, -3, -2, 2, 3, 4, 5, 6, 8]) for _ in range(4))
            if a * d != b * c:
                break
        self.rows = [(a, b, a * self.x + b * self.y), (c, d, c * self.x + d * self.y)]
        self.turn = 0
        eqs = "\n".join(f"  {p} x + {q} y = {s}".replace("+ -", "- ") for p, q, s in self.rows)
        return (
            f"Two lines are given:\n{eqs}\nIn which point do they cross? Answer \\boxed{{x, y}} with whole numbers. "
            f"You have {self.max_turns} tries."
        ), {}

    def _parse(self, action):
        m = re.search(r"\\boxed\{(.*)\}", action, re.DOTALL)
        if not m:
            return None
        body = m.group(1).replace("(", "").replace(")", "")
        if "," not in body:
            return None
        x, y = body.split(",")
        try:
            return int(x), int(y)
        except ValueError:
            return None

    def step(self, action):
        self.turn += 1
        out = self.turn >= self.max_turns
        point = self._parse(action)
        if point is None:
            return "Write the point as \\boxed{x, y}.", 0.0, False, out, {}
        if point == (self.x, self.y):
            return "Both lines pass through it. Correct.", 1.0, True, False, {}
        on = [p * point[0] + q * point[1] == s for p, q, s in self.rows]
        return f"Lines through that point: {sum(on)} of 2.", 0.0, False, out, {}

    def solution(self):
        return [f"\\boxed{{{self.x}, {self.y}}}"]
