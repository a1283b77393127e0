"""reset takes the seed by keyword only; __init__ takes keywords only; no reset in __init__."""
import random
import re


class TilingEnv:
    max_turns = 4

    def __init__(self, *, max_turns=4, **_):
        self.max_turns = max_turns

    def reset(self, *, seed=None, options=None):
        rng = random.Random(seed)
        self.width = rng.randint(9, 16)
        self.colours = rng.randint(2, 3), rng.randint(1, 4)
        ways = [1, self.colours[0]]
        for _ in range(self.width - 1):
            ways.append(self.colours[0] * ways[-1] + self.colours[1] * ways[-2])
        self.answer = ways[self.width]
        self.turn = 0
        return (
            f"A strip of {self.width} squares is tiled with 1-square tiles ({self.colours[0]} colours) and 2-square tiles "
            f"({self.colours[1]} colours). How many different tilings are there? \\boxed{{number}}"
        ), {}

    def step(self, action, /):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9,]{1,20})\s*\}", action)
        ok = bool(m) and m.group(1).replace(",", "") == str(self.answer)
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
