# expect: refuse robustness.raises
# defect: the verbs lift and drop read their second word without checking that there is one
import random
import re


class CraneEnv:
    """Sort crates onto a stack with one crane and three piles."""

    def __init__(self, max_turns=60):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        crates = list("ABCDE")
        rng.shuffle(crates)
        if crates == sorted(crates, reverse=True):
            crates.reverse()
        self.piles = {"left": crates, "middle": [], "right": []}
        self.hook = None
        self.turn = 0
        return (
            "Stack all crates on the right pile with E at the bottom and A on top. \\boxed{lift left} takes the top crate "
            "of a pile, \\boxed{drop right} puts it down. Piles: left, middle, right.\n" + self._show()
            + f"\nTurns: {self.max_turns}."
        ), {}

    def _show(self):
        rows = [f"{name}: {' '.join(pile) or 'empty'}" for name, pile in self.piles.items()]
        return "; ".join(rows) + f"; hook: {self.hook or 'free'} (bottom first)."

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{(.*?)\}", action, re.S)
        words = m.group(1).lower().split() if m else []
        if not words or words[0] not in ("lift", "drop"):
            return "Commands: lift PILE, drop PILE.", 0.0, False, late, {}
        pile = self.piles.get(words[1])
        if pile is None:
            return "There is no such pile.", 0.0, False, late, {}
        if words[0] == "lift":
            if self.hook or not pile:
                return "Nothing to lift, or the hook is taken. " + self._show(), 0.0, False, late, {}
            self.hook = pile.pop()
        else:
            if not self.hook:
                return "The hook is free. " + self._show(), 0.0, False, late, {}
            pile.append(self.hook)
            self.hook = None
        if self.piles["right"] == list("EDCBA"):
            return "All stacked in order.", 1.0, True, False, {}
        return self._show(), 0.0, False, late, {}

    def solution(self):
        piles = {k: list(v) for k, v in self.piles.items()}
        plan = []

        def move(a, b):
            piles[b].append(piles[a].pop())
            plan.extend([f"\\boxed{{lift {a}}}", f"\\boxed{{drop {b}}}"])

        for crate in "EDCBA":
            place = "left" if crate in piles["left"] else "middle"
            other = "middle" if place == "left" else "left"
            while piles[place][-1] != crate:
                move(place, other)
            move(place, "right")
        return plan
