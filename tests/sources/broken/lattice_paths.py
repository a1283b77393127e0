# expect: refuse leak.hint
# defect: hint() states the number of paths, which is the answer
import random
import re


class BoxedTask:
    """Turn counting and reading of one whole number; subclasses give _right()."""

    max_turns = 3
    turn = 0

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", action)
        if m is None:
            return "Please answer with one whole number in a box.", 0.0, False, late, {}
        if self._right(m.group(1)):
            return "Exactly.", 1.0, True, False, {}
        return "No. Perhaps a closed crossing was counted.", 0.0, False, late, {}


class LatticePathsEnv(BoxedTask):
    """Count monotone paths on a grid with closed crossings (dynamic programming by hand)."""

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        while True:
            self.width, self.height = rng.randint(6, 8), rng.randint(5, 7)
            cells = [(x, y) for x in range(self.width) for y in range(self.height)]
            cells = [c for c in cells if c not in ((0, 0), (self.width - 1, self.height - 1))]
            self.closed = set(rng.sample(cells, 6))
            self.total = self._count()
            if self.total > 60:
                break
        shut = ", ".join(f"({x},{y})" for x, y in sorted(self.closed))
        return (
            f"A town has {self.width} avenues (x from 0) and {self.height} streets (y from 0). Walking only in the direction of "
            f"growing x or growing y, in how many ways can one get from (0,0) to ({self.width - 1},{self.height - 1}) when the "
            f"crossings {shut} are closed?\nSend \\boxed{{count}}. {self.max_turns} tries."
        ), {}

    def _count(self):
        ways = {(0, 0): 1}
        for y in range(self.height):
            for x in range(self.width):
                if (x, y) == (0, 0):
                    continue
                if (x, y) in self.closed:
                    ways[x, y] = 0
                else:
                    ways[x, y] = ways.get((x - 1, y), 0) + ways.get((x, y - 1), 0)
        return ways[self.width - 1, self.height - 1]

    def _right(self, text):
        return int(text) == self.total

    def solution(self):
        return [f"\\boxed{{{self.total}}}"]

    def hint(self):
        return (
            "Write into every crossing the number of ways to reach it: the sum of its left and its lower neighbour, and zero "
            f"for closed ones. The last crossing must come out as {self.total}."
        )
