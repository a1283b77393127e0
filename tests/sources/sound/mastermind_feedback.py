"""Several tries with informative feedback on each; number guesses that no text shows beforehand."""
import random
import re
from collections import Counter


class DigitLockEnv:
    def __init__(self, max_turns=10, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.code = "".join(rng.choice("12345678") for _ in range(5))
        self.turn = 0
        first = "".join(rng.choice("12345678") for _ in range(5))
        return (
            "A lock has five digits from 1 to 8, repeats allowed. Guess with \\boxed{ddddd}; you hear how many digits are "
            f"right and in place, and how many more are right elsewhere. For a start: {first} gives {self._compare(first)}."
        ), {}

    def _compare(self, guess):
        placed = sum(a == b for a, b in zip(guess, self.code))
        common = sum((Counter(guess) & Counter(self.code)).values())
        return f"{placed} in place, {common - placed} elsewhere"

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([1-8]{5})\s*\}", action)
        if not m:
            return "Five digits from 1 to 8, please.", 0.0, False, late, {}
        if m.group(1) == self.code:
            return "The lock opens.", 1.0, True, False, {}
        return self._compare(m.group(1)) + ".", 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{" + self.code + "}"]
