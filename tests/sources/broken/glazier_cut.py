# expect: refuse determinism.seed | exploits.constant
# defect: reset() seeds its generator with a fixed number, so every seed gives the very same sheet and answer
from dataclasses import dataclass
import random
import re


@dataclass
class Pane:
    width: int
    height: int
    value: int


class GlazierCutEnv:
    """Cut panes from a strip of glass for the greatest value (dynamic programming)."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.seed_value = None
        self.reset()

    def reset(self, seed=None):
        self.seed_value = seed
        rng = random.Random(31)
        self.turn = 0
        self.length = rng.randint(170, 260)
        self.kerf = rng.randint(2, 5)
        self.panes = [Pane(rng.randint(21, 70), rng.randint(20, 60), rng.randint(30, 170)) for _ in range(6)]
        self.best = self._solve()
        offers = "\n".join(f"  {i}. {p.width} cm wide, worth {p.value}" for i, p in enumerate(self.panes, 1))
        return (
            f"A strip of glass is {self.length} cm long. Panes (as many of each as you like):\n{offers}\n"
            f"Every pane cut off costs {self.kerf} cm more than its width (the saw). What is the greatest total value?\n"
            f"Answer as \\boxed{{value}}; {self.max_turns} tries."
        ), {}

    def _solve(self):
        best = [0] * (self.length + 1)
        for room in range(1, self.length + 1):
            for pane in self.panes:
                need = pane.width + self.kerf
                if need <= room:
                    best[room] = max(best[room], best[room - need] + pane.value)
        return best[self.length]

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9]{1,6})\s*\}", action)
        if m is None:
            return "A whole number, please.", 0.0, False, late, {}
        if int(m.group(1)) == self.best:
            return "Not a splinter wasted.", 1.0, True, False, {}
        return "There is another cut.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{self.best}}}"]
