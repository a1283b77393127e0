"""Numpy arrays as state, RandomState, fancy indexing."""
import numpy
import numpy as np
import re


class LightsEnv:
    """Lights out on a 4x4 board; one command toggles a plus of lamps."""

    def __init__(self, max_turns=30, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        self.rng = np.random.RandomState(seed)
        self.board = np.zeros((4, 4), dtype=np.int8)
        cells = self.rng.permutation(16)[: self.rng.randint(6, 10)]
        self.presses = [(int(c) // 4, int(c) % 4) for c in cells]
        for r, c in self.presses:
            self._press(r, c)
        if not self.board.any():
            self._press(0, 0)
            self.presses.append((0, 0))
        self.turn = 0
        return "Put all lamps out. \\boxed{row col} (0 to 3) toggles a lamp and its neighbours.\n" + self._text(), {}

    def _press(self, r, c):
        for dr, dc in np.array([[0, 0], [0, 1], [1, 0], [0, -1], [-1, 0]]):
            if 0 <= r + dr < 4 and 0 <= c + dc < 4:
                self.board[r + dr, c + dc] ^= 1

    def _text(self):
        rows = numpy.where(self.board == 1, "#", ".")
        return "\n".join("".join(row) for row in rows) + f"\n{self.board.sum()} lamps burn."

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-3])[\s,]+([0-3])\s*\}", action)
        if not m:
            return "Bad command.\n" + self._text(), 0.0, False, self.turn >= self.max_turns, {}
        self._press(int(m.group(1)), int(m.group(2)))
        done = not self.board.any()
        reward = 1.0 if done else 0.0
        return self._text(), reward, done, not done and self.turn >= self.max_turns, {"lamps": int(np.count_nonzero(self.board))}

    def solution(self):
        return [f"\\boxed{{{r} {c}}}" for r, c in self.presses]
