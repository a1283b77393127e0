import random
import re


class LanternGardenEnv:
    """Lights-out variant: a lantern toggles itself and two others given by a hidden-free rule (knight jumps)."""

    def __init__(self, max_turns=16):
        self.max_turns = max_turns
        self.n = 5
        self.reset()

    def _touch(self, cell):
        r, c = cell
        hits = {cell}
        for dr, dc in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)):
            if 0 <= r + dr < self.n and 0 <= c + dc < self.n:
                hits.add((r + dr, c + dc))
        return hits

    def reset(self, seed=None):
        rng = random.Random(seed)
        cells = [(r, c) for r in range(self.n) for c in range(self.n)]
        while True:
            self.presses = rng.sample(cells, rng.randint(5, 7))
            self.lit = set()
            for p in self.presses:
                self.lit ^= self._touch(p)
            if len(self.lit) >= 6:
                break
        self.turn = 0
        self.start_lit = len(self.lit)
        return ("A garden with 25 lanterns, o is lit, . is dark. Pulling the cord of a lantern switches that lantern and all "
                "lanterns a chess knight's move away.\nMake the garden dark. One pull per turn: \\boxed{pull ROW COL}, rows and "
                f"columns count from 1.\nYou may pull {self.max_turns} times.\n\n{self.picture()}"), {"lit": len(self.lit)}

    def picture(self):
        head = "   " + " ".join(str(c + 1) for c in range(self.n))
        return head + "\n" + "\n".join(
            f"{r + 1}  " + " ".join("o" if (r, c) in self.lit else "." for c in range(self.n)) for r in range(self.n))

    def step(self, action):
        self.turn += 1
        over = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*pull\s+([1-5])[\s,]+([1-5])\s*\}", action, re.ASCII)
        if not m:
            return "Not understood: use pull ROW COL.\n" + self.picture(), 0.0, False, over, {"lit": len(self.lit)}
        self.lit = self.lit ^ self._touch((int(m.group(1)) - 1, int(m.group(2)) - 1))
        if not self.lit:
            return "All dark. Good night!", 1.0, True, False, {"lit": 0}
        return self.picture() + f"\nLit: {len(self.lit)}", 0.0, False, over, {"lit": len(self.lit)}

    def solution(self):
        return [f"\\boxed{{pull {r + 1} {c + 1}}}" for r, c in self.presses]

    def hint(self):
        return "Order does not matter and pulling twice cancels: set it up as linear equations modulo two, one unknown per lantern."
