import random
import re

SHAPES = {"plus": [(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)], "cross": [(0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]}


class LightsOutEnv:
    """4x4 lights; which neighbours a button toggles has to be found out. Each step but the last costs a hundredth."""

    def __init__(self, max_turns=16):
        self.max_turns = max_turns
        self.reset()

    def press(self, r, c):
        for dr, dc in SHAPES[self.shape]:
            if 0 <= r + dr < 4 and 0 <= c + dc < 4:
                self.on ^= {(r + dr, c + dc)}

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.shape = rng.choice(sorted(SHAPES))
        while True:
            self.on = frozenset()
            self.presses = rng.sample([(r, c) for r in range(4) for c in range(4)], rng.randint(5, 8))
            for r, c in self.presses:
                self.press(r, c)
            if len(self.on) >= 5:
                break
        self.turn = 0
        return (
            "Sixteen lamps; every button toggles its own lamp and some lamps near it, all buttons in the same manner. "
            f"Put out all lamps. \\boxed{{press B3}} presses row B, column 3. {self.max_turns} turns.\n" + self._draw()
        ), {"lit": len(self.on)}

    def _draw(self):
        return "  1 2 3 4\n" + "\n".join("ABCD"[r] + " " + " ".join("*" if (r, c) in self.on else "." for c in range(4)) for r in range(4))

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*(?:press\s+)?([A-D])\s*([1-4])\s*\}", action, re.I)
        if m:
            self.press("ABCD".index(m.group(1).upper()), int(m.group(2)) - 1)
        if not self.on:
            return "Darkness at last.", 1.0, True, False, {"lit": 0}
        text = self._draw() if m else "Which button? For example \\boxed{press B3}."
        return text, -0.01, False, self.turn >= self.max_turns, {"lit": len(self.on)}

    def solution(self):
        return ["\\boxed{press %s%d}" % ("ABCD"[r], c + 1) for r, c in self.presses]

    def hint(self):
        return "Press a button in the middle once and look which lamps change. No button needs to be pressed twice, and the order does not matter."
