# expect: refuse determinism.seed | exploits.constant
# defect: reset draws from the constructor's seed and ignores its own argument, so there is one single task
import random
import re


class GridPathSumEnv:
    """Dynamic programming on a grid: cheapest way from the top left to the bottom right."""

    def __init__(self, max_turns=3, seed=17, size=6):
        self.max_turns = max_turns
        self.seed = seed
        self.size = size
        self.reset(seed)

    def reset(self, seed=None):
        rng = random.Random(self.seed)
        n = self.size
        self.grid = [[rng.randint(10, 99) for _ in range(n)] for _ in range(n)]
        self.blocked = rng.randrange(1, n - 1), rng.randrange(1, n - 1)
        self.tries = 0
        rows = []
        for r, row in enumerate(self.grid):
            rows.append(" ".join("##" if (r, c) == self.blocked else str(v) for c, v in enumerate(row)))
        return (
            "Move only right or down from the top left cell to the bottom right cell; the cell ## is closed. "
            "The cost is the sum of all cells you stand on, both ends included.\n" + "\n".join(rows) +
            f"\nGive the smallest cost as \\boxed{{cost}} ({self.max_turns} tries)."
        ), {"size": n}

    def _cheapest(self):
        n = self.size
        inf = 10 ** 9
        best = [[inf] * n for _ in range(n)]
        for r in range(n):
            for c in range(n):
                if (r, c) == self.blocked:
                    continue
                if r == c == 0:
                    best[r][c] = self.grid[0][0]
                    continue
                before = min(best[r - 1][c] if r else inf, best[r][c - 1] if c else inf)
                best[r][c] = before + self.grid[r][c]
        return best[-1][-1]

    def step(self, action):
        self.tries += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,6})\s*\}", action)
        if m and int(m.group(1)) == self._cheapest():
            return "Cheapest way found.", 1.0, True, False, {}
        text = "There is a cheaper or no such way." if m else "Send \\boxed{cost}."
        return text, 0.0, False, self.tries >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self._cheapest()}}}"]
