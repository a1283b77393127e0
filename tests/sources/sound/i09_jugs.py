import random
import re
from collections import deque
from itertools import permutations


class JugsEnv:
    """Measure an amount with four jugs; water spilt is lost for good."""

    def __init__(self, max_turns=14):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        self.rng = random.Random(seed)
        while True:
            self.size = self.rng.sample(range(5, 20), 4)
            self.water = [self.rng.choice([0, self.rng.randint(1, s), s]) for s in self.size]
            self.plans = self._search()
            good = sorted((w, len(p)) for w, p in self.plans.items() if len(p) >= 5)
            if good:
                self.goal = self.rng.choice(good)[0]
                break
        self.turn = 0
        return (
            f"Jugs 1 to 4 have room for {self.size} litres and hold {self.water}. \\boxed{{pour 1 2}} pours from jug 1 into jug 2 "
            f"until one is empty or the other full. Reach the state {list(self.goal)}. "
            f"You have {self.max_turns} pours. Pouring onto the ground: \\boxed{{spill N}}."
        ), {}

    def _pour(self, water, a, b):
        water = list(water)
        amount = min(water[a], self.size[b] - water[b])
        water[a] -= amount
        water[b] += amount
        return tuple(water)

    def _search(self):
        start = tuple(self.water)
        plans, queue = {start: []}, deque([start])
        while queue:
            state = queue.popleft()
            for a, b in permutations(range(4), 2):
                nxt = self._pour(state, a, b)
                if nxt not in plans:
                    plans[nxt] = plans[state] + [(a, b)]
                    queue.append(nxt)
        return {s: p for s, p in plans.items() if len(p) <= 8}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(?:pour\s+([1234])\s+([1234])|spill\s+([1234]))\s*\}", action)
        if not m or (m.group(1) and m.group(1) == m.group(2)):
            return f"Pour from one jug into another. Litres: {self.water}.", 0.0, False, late, {}
        if m.group(3):
            self.water[int(m.group(3)) - 1] = 0
        else:
            self.water = list(self._pour(self.water, int(m.group(1)) - 1, int(m.group(2)) - 1))
        if tuple(self.water) == self.goal:
            return f"Litres: {self.water}. That is it.", 1.0, True, False, {}
        if sum(self.water) < sum(self.goal):
            return f"Litres: {self.water}. Too little is left.", 0.0, True, False, {}
        return f"Litres: {self.water}.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{pour {a + 1} {b + 1}}}" for a, b in self.plans[self.goal]]
