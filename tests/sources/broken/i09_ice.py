# expect: refuse robustness.hangs
# defect: the ice wraps around, and sliding along a row or column without a rock never ends
import random
import re
from collections import deque

WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
SIZE = 7


class IceRinkEnv:
    """Slide on a round-world ice rink until a rock stops you; come to rest on the flag."""

    def __init__(self, max_turns=20):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            cells = [(r, c) for r in range(SIZE) for c in range(SIZE)]
            self.rocks = set(rng.sample(cells, 9))
            self.pos = rng.choice([c for c in cells if c not in self.rocks])
            reach = self._reach()
            far = [c for c in sorted(reach) if len(reach[c]) >= 4]
            if far:
                self.flag = rng.choice(far)
                break
        self.turn = 0
        return (
            "You slide over ice until the next cell is a rock (#). Leaving on one side you come in on the other. Come to "
            "rest on the flag F; you are @.\n" + self._map() +
            f"\nSlide with \\boxed{{up}}, \\boxed{{down}}, \\boxed{{left}} or \\boxed{{right}}. {self.max_turns} slides."
        ), {}

    def _map(self):
        def sign(cell):
            return "@" if cell == self.pos else "F" if cell == self.flag else "#" if cell in self.rocks else "."
        return "\n".join("".join(sign((r, c)) for c in range(SIZE)) for r in range(SIZE))

    def _slide(self, cell, way):
        dr, dc = WAYS[way]
        nxt = ((cell[0] + dr) % SIZE, (cell[1] + dc) % SIZE)
        while nxt not in self.rocks:
            cell = nxt
            nxt = ((cell[0] + dr) % SIZE, (cell[1] + dc) % SIZE)
        return cell

    def _stops(self, cell, way):
        if way in ("left", "right"):
            return any(r == cell[0] for r, _ in self.rocks)
        return any(c == cell[1] for _, c in self.rocks)

    def _reach(self):
        found, queue = {self.pos: []}, deque([self.pos])
        while queue:
            cell = queue.popleft()
            for way in WAYS:
                if self._stops(cell, way):
                    nxt = self._slide(cell, way)
                    if nxt not in found:
                        found[nxt] = found[cell] + [way]
                        queue.append(nxt)
        return found

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(up|down|left|right)\s*\}", action)
        if not m:
            return "Slide up, down, left or right.", 0.0, False, late, {}
        self.pos = self._slide(self.pos, m.group(1))
        if self.pos == self.flag:
            return "You rest on the flag.", 1.0, True, False, {}
        return self._map(), 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{w}}}" for w in self._reach()[self.flag]]
