import random
import re


class PancakeEnv:
    """Sort a stack by flipping its top part, within a limited number of flips."""

    def __init__(self, max_turns=16, size=8):
        self.size = size
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.stack = list(range(1, self.size + 1))
        while self._loose() < 5:
            rng.shuffle(self.stack)
        self.flips = 0
        return (
            f"A stack of pancakes, top first: {self._show()}. Bring it into the order 1 to {self.size}, the smallest on top. "
            f"\\boxed{{flip k}} turns the k topmost pancakes over. {self.max_turns} commands at most."
        ), {}

    def _loose(self):
        s = self.stack + [self.size + 1]
        return sum(abs(a - b) != 1 for a, b in zip(s, s[1:]))

    def _show(self):
        return " ".join(map(str, self.stack))

    def step(self, action):
        self.flips += 1
        late = self.flips >= self.max_turns
        m = re.search(r"\\boxed\{\s*flip\s+([0-9]{1,3})\s*\}", action)
        if m is None:
            return f"Not understood. Stack: {self._show()}.", 0.0, False, late, {}
        k = int(m.group(1))
        if not 2 <= k <= self.size:
            return f"k goes from 2 to {self.size}. Stack: {self._show()}.", 0.0, False, late, {}
        self.stack[:k] = self.stack[:k][::-1]
        if self.stack == sorted(self.stack):
            return "In order.", 1.0, True, False, {}
        return f"Stack: {self._show()}.", 0.0, False, late, {"loose": self._loose()}

    def solution(self):
        s, plan = list(self.stack), []
        for big in range(self.size, 1, -1):
            i = s.index(big) + 1
            if i == big:
                continue
            for k in ([i] if i > 1 else []) + [big]:
                s[:k] = s[:k][::-1]
                plan.append(f"\\boxed{{flip {k}}}")
                if s == sorted(s):
                    return plan
        return plan
