import re

import numpy as np


class TruffleHillEnv:
    """Find the strongest smell in a 30 x 30 wood. numpy builds the field; the solution climbs it."""

    SIDE = 30

    def __init__(self, max_turns=60):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = np.random.default_rng(seed)
        self.top = rng.integers(2, self.SIDE - 2, size=2)
        wide = rng.uniform(7.0, 11.0)
        x, y = np.meshgrid(np.arange(self.SIDE), np.arange(self.SIDE), indexing="ij")
        self.field = np.round(1000000 * np.exp(-np.hypot(x - self.top[0], (y - self.top[1]) * rng.uniform(0.7, 1.3)) / wide)).astype(int)
        self.turn = 0
        return (
            "Somewhere in a wood of 30 by 30 squares (0 to 29 each way) lies a truffle. The smell gets stronger towards it, there is only one peak. "
            f"\\boxed{{smell X Y}} gives the strength at a square; \\boxed{{dig X Y}} digs, once. {self.max_turns} turns."
        ), {"side": np.int64(self.SIDE)}

    def step(self, action):
        self.turn += 1
        cut = bool(self.turn >= self.max_turns)
        m = re.search(r"\\boxed\{\s*(smell|dig)\s*\(?\s*([0-9]{1,2})\s*[, ]\s*([0-9]{1,2})\s*\)?\s*\}", action.lower())
        if m is None or int(m.group(2)) >= self.SIDE or int(m.group(3)) >= self.SIDE:
            return "smell X Y or dig X Y, with 0 to 29.", np.float64(0), False, cut, {}
        x, y = int(m.group(2)), int(m.group(3))
        if m.group(1) == "smell":
            return f"Strength at ({x}, {y}): {self.field[x, y]}.", np.float64(0), False, cut, {"turn": np.int64(self.turn)}
        if x == self.top[0] and y == self.top[1]:
            return "A truffle!", np.float64(1), True, False, {}
        return "Only earth. The pig has gone home.", np.float64(0), True, False, {}

    def solution(self):
        best = [0, 0]
        for axis in (0, 1):
            low, high = 0, self.SIDE - 1
            while low < high:
                mid = (low + high) // 2
                values = []
                for v in (mid, mid + 1):
                    at = list(best)
                    at[axis] = v
                    seen = yield f"\\boxed{{smell {at[0]} {at[1]}}}"
                    values.append(int(re.search(r": (\d+)", seen).group(1)))
                if values[0] < values[1]:
                    low = mid + 1
                else:
                    high = mid
            best[axis] = low
        yield f"\\boxed{{dig {best[0]} {best[1]}}}"
