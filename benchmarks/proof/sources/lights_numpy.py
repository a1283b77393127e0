# numpy array as board; numpy scalars (np.float32 reward, np.bool_ flags) leave step(); interactive
import random
import re

import numpy as np


class LanternsEnv:
    """Lanterns on a 5 x 5 square; the knight's-move variant of a well-known toy."""

    def __init__(self, max_turns=40):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.masks = {}
        knight = rng.random() < 0.5
        jumps = (
            [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
            if knight
            else [(0, 1), (1, 0), (0, -1), (-1, 0)]
        )
        for r in range(5):
            for c in range(5):
                mask = np.zeros((5, 5), dtype=np.int8)
                mask[r, c] = 1
                for dr, dc in jumps:
                    if 0 <= r + dr < 5 and 0 <= c + dc < 5:
                        mask[r + dr, c + dc] = 1
                self.masks[(r, c)] = mask
        self.board = np.zeros((5, 5), dtype=np.int8)
        while self.board.sum() < 8:
            self.board[:] = 0
            self.presses = rng.sample(sorted(self.masks), rng.randint(7, 12))
            for p in self.presses:
                self.board ^= self.masks[p]
        rule = "a chess knight's move away" if knight else "directly beside, above or below it"
        return (
            "Lanterns, * burns and . is dark; rows a to e from the top, columns 1 to 5 from the left:\n"
            + self.picture()
            + f"\nPulling a lantern's cord, as in \\boxed{{b4}}, switches it and all lanterns {rule}. Make all dark in "
            f"{self.max_turns} pulls."
        ), {"burning": self.board.sum()}

    def picture(self):
        rows = ["  12345"]
        for name, row in zip("abcde", self.board):
            rows.append(name + " " + "".join("*" if v else "." for v in row))
        return "\n".join(rows)

    def step(self, action):
        self.turn += 1
        late = np.bool_(self.turn >= self.max_turns)
        no = np.float32(0)
        m = re.search(r"\\boxed\{\s*([a-e])\s*([1-5])\s*\}", action.lower())
        if not m:
            return "Name a row and a column, as in \\boxed{b4}.\n" + self.picture(), no, np.bool_(False), late, {}
        self.board ^= self.masks[("abcde".index(m.group(1)), int(m.group(2)) - 1)]
        if not self.board.any():
            return (
                "All dark. Good night.",
                np.float32(1),
                np.bool_(True),
                np.bool_(False),
                {"turn": np.int32(self.turn)},
            )
        return self.picture(), no, np.bool_(False), late, {"burning": self.board.sum()}

    def solution(self):
        return ["\\boxed{%s%d}" % ("abcde"[r], c + 1) for r, c in self.presses]

    def hint(self):
        return "Order does not matter and no cord is needed twice: it is a linear system modulo 2."
