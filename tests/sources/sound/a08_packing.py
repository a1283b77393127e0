import random
import re
from itertools import combinations


class PackingEnv:
    """Knapsack with a forbidden pair; every best selection counts."""

    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.items = {k: (rng.randint(4, 25), rng.randint(10, 99)) for k in "ABCDEFGHIJKL"}
        self.cap = sum(w for w, _ in self.items.values()) * 2 // 5
        self.pair = tuple(sorted(rng.sample("ABCDEFGHIJKL", 2)))
        self.best = 0
        self.choice = ()
        for n in range(1, 12):
            for pick in combinations(self.items, n):
                if self._weight(pick) <= self.cap and not set(self.pair) <= set(pick) and self._value(pick) > self.best:
                    self.best, self.choice = self._value(pick), pick
        self.turns = 0
        table = "\n".join(f"{k}  weight {w}  value {v}" for k, (w, v) in self.items.items())
        return (
            f"Pick items for a crate that carries at most {self.cap}; {self.pair[0]} and {self.pair[1]} must not travel "
            f"together. The total value is to be as high as possible.\n{table}\nList the letters: \\boxed{{A, B, ...}}. "
            f"You may try {self.max_turns} times."
        ), {}

    def _weight(self, pick):
        return sum(self.items[k][0] for k in pick)

    def _value(self, pick):
        return sum(self.items[k][1] for k in pick)

    def step(self, action):
        self.turns += 1
        out = self.turns >= self.max_turns
        box = re.search(r"\\boxed\{([^{}]*)\}", action)
        pick = re.findall(r"[A-Za-z]+", box.group(1)) if box else []
        pick = [p.upper() for p in pick]
        if not pick or any(p not in self.items for p in pick) or len(set(pick)) < len(pick):
            return "List different items by their letters.", 0.0, False, out, {}
        if self._weight(pick) > self.cap:
            return f"Too heavy: {self._weight(pick)} of {self.cap}.", 0.0, False, out, {}
        if set(self.pair) <= set(pick):
            return "Those two must not travel together.", 0.0, False, out, {}
        if self._value(pick) == self.best:
            return "No better crate exists.", 1.0, True, False, {}
        return f"A legal crate worth {self._value(pick)}, but better ones exist.", 0.0, False, out, {}

    def solution(self):
        return ["\\boxed{" + ", ".join(self.choice) + "}"]

    def hint(self):
        return "Start from value per weight, then try exchanges; look at both halves of the pair in turn."
