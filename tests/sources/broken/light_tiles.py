# expect: refuse robustness.raises
# defect: rows and columns are not checked against the board, and \boxed{press 9 9} raises IndexError
import random
import re


class LightTilesEnv:
    """Lights-out with a twist: pressing also toggles the tile opposite."""

    SIZE = 4

    def __init__(self, max_turns=20, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.board = [[0] * self.SIZE for _ in range(self.SIZE)]
        cells = [(r, c) for r in range(self.SIZE) for c in range(self.SIZE)]
        while True:
            self.presses = rng.sample(cells, rng.randint(5, 7))
            for r, c in self.presses:
                self._toggle(r, c)
            if any(any(row) for row in self.board):
                break
        return (
            "A board of 4 by 4 tiles, # is lit and . is dark:\n" + self._draw() + "\nPressing a tile changes it, its neighbours left, right, above and "
            "below, and the tile opposite through the middle of the board. Make every tile dark.\n"
            f"\\boxed{{press ROW COLUMN}}, both from 0 to 3. You have {self.max_turns} presses."
        ), {}

    def _toggle(self, row, col):
        last = self.SIZE - 1
        self.board[row][col] ^= 1
        for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if 0 <= r < self.SIZE and 0 <= c < self.SIZE:
                self.board[r][c] ^= 1
        self.board[last - row][last - col] ^= 1

    def _draw(self):
        return "\n".join("".join("#" if v else "." for v in row) for row in self.board)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*press\s+([0-9])\s+([0-9])\s*\}", action)
        if m is None:
            return "Press a tile.", 0.0, late, {}
        self._toggle(int(m.group(1)), int(m.group(2)))
        if not any(any(row) for row in self.board):
            return "All dark.", 1.0, True, {}
        return self._draw(), 0.0, late, {}

    def solution(self):
        return [f"\\boxed{{press {r} {c}}}" for r, c in self.presses]
