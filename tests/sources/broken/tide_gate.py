# expect: refuse exploits.floor | exploits.constant
# defect: the answer is yes or no and there is one try, so the constant text \boxed{yes} (or no) wins about half of all seeds
"""Tide gate scheduling.

A harbour gate lets barges through one after the other. The player decides whether every barge can make its
closing time if the harbour master orders them as well as possible.
"""
import random
import re
from itertools import permutations


class TideGateEnv:
    """Feasibility of a single-machine schedule with set-up times (logical deduction)."""

    NAMES = ["Aurelia", "Bramble", "Corvina", "Dunlin", "Egret", "Fulmar", "Grebe", "Heron"]

    def __init__(self, max_turns: int = 1, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.barges = rng.sample(self.NAMES, 5)
        self.length = {b: rng.randint(4, 19) for b in self.barges}
        self.swing = {(a, b): rng.randint(1, 9) for a in self.barges for b in self.barges if a != b}
        wanted = rng.random() < 0.5
        order = rng.sample(self.barges, 5)
        clock, ends = 0, {}
        for i, b in enumerate(order):
            clock += self.length[b] + (self.swing[(order[i - 1], b)] if i else 0)
            ends[b] = clock
        slack = rng.randint(0, 2) if wanted else -rng.randint(1, 3)
        self.closing = {b: ends[b] + slack for b in self.barges}
        self.feasible = any(self._fits(p) for p in permutations(self.barges))
        return self._prompt(), {"barges": len(self.barges)}

    def _fits(self, order):
        clock = 0
        for i, b in enumerate(order):
            clock += self.length[b] + (self.swing[(order[i - 1], b)] if i else 0)
            if clock > self.closing[b]:
                return False
        return True

    def _prompt(self):
        rows = [f"  {b}: {self.length[b]} min in the gate, gate closes for her at minute {self.closing[b]}"
                for b in self.barges]
        swings = [f"  {a} then {b}: {m} min" for (a, b), m in sorted(self.swing.items())]
        return ("Five barges wait at a tide gate. Between two barges the bridge must swing, which takes time:\n"
                + "\n".join(swings) + "\nBarges:\n" + "\n".join(rows)
                + "\n\nThe first barge needs no swing. Is there an order in which no barge is late? "
                  "Reply with \\boxed{yes} or \\boxed{no}. You have one try.")

    def step(self, action):
        self.turns += 1
        m = re.search(r"\\boxed\{\s*(yes|no)\s*\}", action, re.IGNORECASE)
        if m is None:
            return "Please write \\boxed{yes} or \\boxed{no}.", 0.0, False, self.turns >= self.max_turns, {}
        if (m.group(1).lower() == "yes") == self.feasible:
            return "The harbour master agrees.", 1.0, True, False, {}
        return "The harbour master shakes her head.", 0.0, False, self.turns >= self.max_turns, {}

    def solution(self):
        return ["\\boxed{yes}" if self.feasible else "\\boxed{no}"]

    def hint(self):
        return "Bound the finishing time of the barge with the latest closing time, then try orders that keep swings short."
