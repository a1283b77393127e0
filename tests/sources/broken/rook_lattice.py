# expect: refuse determinism.seed | exploits.constant
# defect: the first reset (in __init__, without a seed) stores a default seed that later resets never replace, so all seeds give one and the same board.
import random
import re


class RookLatticeEnv:
    """Counting: ways of a crippled rook through a board with pits, at most some turns."""

    DEFAULT_SEED = 20240

    def __init__(self, max_turns=3, seed=None, **kwargs):
        self.max_turns = max_turns
        self.seed = seed
        self.reset()

    def reset(self, seed=None):
        if self.seed is None:
            self.seed = self.DEFAULT_SEED if seed is None else seed
        rng = random.Random(self.seed)
        self.turn = 0
        while True:
            self.width, self.height = rng.randint(5, 7), rng.randint(5, 7)
            cells = [(x, y) for x in range(self.width) for y in range(self.height)]
            free = [cell for cell in cells if cell not in ((0, 0), (self.width - 1, self.height - 1))]
            self.pits = set(rng.sample(free, rng.randint(4, 7)))
            self.bends = rng.randint(4, 6)
            self.answer = self._count()
            if 25 <= self.answer <= 400:
                break
        board = []
        for y in reversed(range(self.height)):
            board.append(" ".join("#" if (x, y) in self.pits else "." for x in range(self.width)))
        return (
            f"A board of {self.width} columns and {self.height} rows; # is a pit:\n" + "\n".join(board) + "\n"
            "A token starts on the lower left square and moves one square right or one square up at a time, never into "
            f"a pit, to the upper right square. It may change its direction at most {self.bends} times on its way.\n"
            f"How many such ways are there? \\boxed{{N}}; {self.max_turns} tries."
        ), {}

    def _count(self):
        ways = {}
        for x in range(self.width):
            for y in range(self.height):
                if (x, y) in self.pits:
                    continue
                for direction in "RU":
                    px, py = (x - 1, y) if direction == "R" else (x, y - 1)
                    for bends in range(self.bends + 1):
                        total = 0
                        if (px, py) == (0, 0):
                            total = 1 if bends == 0 else 0
                        else:
                            total += ways.get((px, py, direction, bends), 0)
                            other = "U" if direction == "R" else "R"
                            total += ways.get((px, py, other, bends - 1), 0)
                        ways[x, y, direction, bends] = total
        corner = (self.width - 1, self.height - 1)
        return sum(ways[(*corner, d, b)] for d in "RU" for b in range(self.bends + 1))

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", action)
        if not match:
            return "A whole number in a box, please.", 0.0, False, late, {}
        if int(match.group(1)) == self.answer:
            return "Counted correctly.", 1.0, True, False, {}
        return "That is not the number of ways.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]

    def hint(self):
        return "For every square keep a small table: ways that arrive from the left and from below, by number of bends."
