"""try: import numpy, else pure Python; __all__, __version__ and __author__ at the top."""
from __future__ import annotations

import random
import re

try:
    import numpy as np
    HAS_NUMPY = True
except ImportError:
    np = None
    HAS_NUMPY = False

__all__ = ["PolygonEnv"]
__version__ = "1.0.0"
__author__ = "designer"


def shoelace(points):
    if HAS_NUMPY:
        x, y = np.array(points).T
        return int(abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))))
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1])))


class PolygonEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        left = [(-rng.randint(3, 20), rng.randint(1, 9)), (-rng.randint(3, 20), rng.randint(10, 20))]
        right = [(rng.randint(3, 20), rng.randint(10, 20)), (rng.randint(3, 20), rng.randint(1, 9))]
        points = [(0, 0), *left, (0, 30), *right]
        self.answer = shoelace(points)
        self.turn = 0
        return f"A field has corners {points} in this order. Give twice its area: \\boxed{{number}}", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,6})\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
