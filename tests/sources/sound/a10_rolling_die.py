"""Spatial reasoning: roll a die over a strip of numbered fields and add up what its top face collects."""
import random
import re
from enum import Enum


class Dir(Enum):
    N = (-1, 0)
    S = (1, 0)
    E = (0, 1)
    W = (0, -1)


class Die:
    """Opposite faces add up to seven."""

    def __init__(self, top, north, east):
        self.top, self.north, self.east = top, north, east

    def roll(self, d):
        t, n, e = self.top, self.north, self.east
        if d is Dir.N:
            self.top, self.north = 7 - n, t
        elif d is Dir.S:
            self.top, self.north = n, 7 - t
        elif d is Dir.E:
            self.top, self.east = 7 - e, t
        else:
            self.top, self.east = e, 7 - t


class RollingDieEnv:
    SIZE = 6

    def __init__(self, max_turns=3, difficulty=2):
        self.max_turns = max_turns
        self.difficulty = difficulty
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.field = [[rng.randint(1, 9) for _ in range(self.SIZE)] for _ in range(self.SIZE)]
        r, c = rng.randrange(self.SIZE), rng.randrange(self.SIZE)
        start = (r, c)
        top = rng.randint(1, 6)
        north = rng.choice([f for f in range(1, 7) if f not in (top, 7 - top)])
        east = rng.choice([f for f in range(1, 7) if f not in (top, 7 - top, north, 7 - north)])
        die = Die(top, north, east)
        self.moves, self.total, self.trace = [], 0, []
        length = 6 + 4 * self.difficulty + rng.randint(0, 3)
        while len(self.moves) < length:
            d = rng.choice(list(Dir))
            nr, nc = r + d.value[0], c + d.value[1]
            if not (0 <= nr < self.SIZE and 0 <= nc < self.SIZE):
                continue
            r, c = nr, nc
            die.roll(d)
            self.moves.append(d.name)
            self.total += die.top * self.field[r][c]
            self.trace.append(die.top)
        grid = "\n".join(f"row {i}: " + " ".join(str(v) for v in row) for i, row in enumerate(self.field))
        obs = f"""A die (opposite faces add up to 7) lies on a board. Row 0 is the northern edge, column 0 the western edge.

{grid}

It starts on row {start[0]}, column {start[1]} with {top} on top, {north} facing north and {east} facing east.
It is rolled over its edges, one field at a time: {' '.join(self.moves)}
After every roll you get (number on top) times (number on the field it lies on); nothing for the start.
What is the total? \\boxed{{integer}}, {self.max_turns} tries."""
        return obs, {"rolls": len(self.moves)}

    def step(self, action):
        self.turns += 1
        stop = self.turns >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", action)
        if not m:
            return "Send a single integer in \\boxed{}.", 0.0, False, stop, {}
        if int(m.group(1)) == self.total:
            return "Exactly.", 1.0, True, False, {}
        text = "Wrong total."
        if stop:
            text += " For the record, the top faces were " + " ".join(map(str, self.trace)) + "."
        return text, 0.0, False, stop, {}

    def solution(self):
        return ["\\boxed{%d}" % self.total]

    def hint(self):
        return ("Keep only three numbers: top, north, east. A roll north brings the south face on top (seven minus north) "
                "and the old top to the north; east and west work alike.")
