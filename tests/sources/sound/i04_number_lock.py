import random
import re
from collections import deque


class NumberLockEnv:
    """Reach a target number with four operations on a display."""

    def __init__(self, max_turns=12):
        self.max_turns = max_turns
        self.reset()

    def _apply(self, op, n):
        if op == "double":
            return n * 2 % 1000
        if op == "add":
            return (n + self.plus) % 1000
        if op == "drop":
            return n // 10
        return int(str(n)[::-1])

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.plus = rng.choice([7, 13, 17, 29, 37])
            self.value = rng.randint(100, 999)
            ways = self._explore(self.value, 7)
            far = sorted(n for n, way in ways.items() if len(way) >= 6 and n > 99)
            if far:
                self.target = rng.choice(far)
                break
        self.turn = 0
        return (
            f"The display shows {self.value}; the lock opens at {self.target}. Buttons: \\boxed{{double}} (modulo 1000), "
            f"\\boxed{{add}} (adds {self.plus}, modulo 1000), \\boxed{{drop}} (drops the last digit), \\boxed{{reverse}} (reads the digits backwards). "
            f"You may press {self.max_turns} times."
        ), {"target": self.target}

    def _explore(self, start, depth):
        ways, queue = {start: []}, deque([start])
        while queue:
            n = queue.popleft()
            if len(ways[n]) == depth:
                continue
            for op in ("double", "add", "drop", "reverse"):
                m = self._apply(op, n)
                if m not in ways:
                    ways[m] = ways[n] + [op]
                    queue.append(m)
        return ways

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(double|add|drop|reverse)\s*\}", action)
        if not m:
            return f"No such button. Display: {self.value}.", 0.0, False, late, {}
        self.value = self._apply(m.group(1), self.value)
        if self.value == self.target:
            return "The lock opens.", 1.0, True, False, {}
        return f"Display: {self.value}.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{op}}}" for op in self._explore(self.value, 7)[self.target]]
