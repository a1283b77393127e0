import random
import re
from typing import List


class LightsEnv:
    """Lights out on five by five. Solvable because it is made backwards from the dark board."""

    N: int = 5

    def __init__(self, max_turns: int = 20, **_):
        self.max_turns = max_turns
        self.reset()

    def _toggle(self, r: int, c: int) -> None:
        for y, x in ((r, c), (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if 0 <= y < self.N and 0 <= x < self.N:
                self.board[y][x] ^= 1

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.board: List[List[int]] = [[0] * self.N for _ in range(self.N)]
        cells = [(r, c) for r in range(self.N) for c in range(self.N)]
        self.todo = rng.sample(cells, rng.randint(6, 10))
        for cell in self.todo:
            self._toggle(*cell)
        if not any(map(any, self.board)):
            self._toggle(2, 2)
            self.todo.append((2, 2))
        self.turn = 0
        return (
            "Put out all lights (*). Pressing a cell switches it and its neighbours above, below, left and right.\n"
            + self._draw() + "\n\\boxed{press ROW COL}, both from 1 to 5, counted from the top left. "
            f"{self.max_turns} presses."
        ), {}

    def _draw(self) -> str:
        return "\n".join("".join("*" if v else "." for v in row) for row in self.board)

    def step(self, action: str):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*press\s+([1-5])[\s,]+([1-5])\s*\}", action)
        if not m:
            return "press ROW COL\n" + self._draw(), 0.0, False, late, {}
        self._toggle(int(m[1]) - 1, int(m[2]) - 1)
        if not any(map(any, self.board)):
            return "Dark.", 1.0, True, False, {}
        return self._draw(), 0.0, False, late, {"lit": sum(map(sum, self.board))}

    def solution(self):
        return [f"\\boxed{{press {r + 1} {c + 1}}}" for r, c in self.todo]
