import random
import re
from itertools import combinations
from typing import NamedTuple


class Item(NamedTuple):
    name: str
    weight: int
    value: int


WARES = ("anvil books candle drum easel fiddle globe harp icon jar kettle lantern mirror net oboe pump quilt rope saddle "
         "trunk urn violin wagon yarn zither").split()


class BackpackEnv:
    """0/1 knapsack with exclusive pairs and a bonus pair. The agent names the best set."""

    LEVELS = {"easy": 7, "medium": 9, "hard": 11}

    def __init__(self, max_turns=4, difficulty="medium", **_):
        self.max_turns = max_turns
        self.count = self.LEVELS.get(difficulty, 9)
        self.reset()

    def _value(self, chosen):
        """Value of a set of names, or None when it is not allowed."""
        weight = sum(self.items[n].weight for n in chosen)
        if weight > self.limit or any(a in chosen and b in chosen for a, b in self.clash):
            return None
        value = sum(self.items[n].value for n in chosen)
        return value + (self.bonus if all(n in chosen for n in self.pair) else 0)

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            names = rng.sample(WARES, self.count)
            self.items = {n: Item(n, rng.randint(4, 29), rng.randint(11, 98)) for n in names}
            self.limit = int(sum(i.weight for i in self.items.values()) * 0.45)
            pairs = rng.sample(list(combinations(names, 2)), 4)
            self.clash, self.pair = pairs[:3], pairs[3]
            self.bonus = rng.randint(20, 60)
            scored = []
            for k in range(1, self.count + 1):
                for c in combinations(names, k):
                    v = self._value(c)
                    if v is not None:
                        scored.append((v, c))
            scored.sort(reverse=True)
            if scored[0][0] > scored[1][0] and len(scored[0][1]) >= 3:
                break
        self.best_value, self.best = scored[0]
        self.greedy = self._greedy()
        self.n = 0
        rows = "\n".join(f"| {i.name:<8} | {i.weight:>6} | {i.value:>5} |" for i in self.items.values())
        obs = (f"Pack a backpack that carries at most {self.limit} kg.\n\n| item     | weight | value |\n|----------|--------|-------|\n{rows}\n\n"
               + "".join(f"- {a} and {b} must not be packed together.\n" for a, b in self.clash)
               + f"- {self.pair[0]} and {self.pair[1]} together are worth {self.bonus} extra.\n\n"
               f"Name the most valuable allowed set: \\boxed{{item item item ...}} in any order. {self.max_turns} tries.")
        return obs, {"items": self.count, "sets": len(scored)}

    def _greedy(self):
        chosen = []
        for i in sorted(self.items.values(), key=lambda i: -i.value / i.weight):
            if self._value(chosen + [i.name]) is not None:
                chosen.append(i.name)
        return self._value(chosen)

    def step(self, action):
        self.n += 1
        end = self.n >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        if not m:
            return "Use \\boxed{...} with the names of the items.", 0.0, False, end, {}
        words = set(re.findall(r"[a-z]+", m.group(1).lower()))
        if not words or not words <= set(self.items):
            return "There is something in your set that is not on the list.", 0.0, False, end, {}
        value = self._value(words)
        if value is None:
            return "This set is too heavy or contains a forbidden pair.", 0.0, False, end, {}
        if value == self.best_value:
            return f"Value {value}: nothing better exists.", 1.0, True, False, {"value": value}
        verdict = "as good as" if value == self.greedy else "better than" if value > self.greedy else "worse than"
        return (f"Allowed, value {value}. That is {verdict} simply taking items by value per kg, and not the best.",
                0.0, False, end, {"value": value})

    def solution(self):
        return "\\boxed{" + " ".join(self.best) + "}"

    def hint(self):
        return "Start from the densest items, then test swaps of one or two items; check whether the bonus pair pays for its weight."
