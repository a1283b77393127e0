"""Rewards are the integers 0 and 1."""
import random, re


class BaseConversionEnv:
    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def _digits(self, n, base):
        out = ""
        while n:
            n, d = divmod(n, base)
            out = "0123456789AB"[d] + out
        return out or "0"

    def reset(self, seed=None):
        if seed is not None:
            random.seed(seed)
        self.base_from = random.choice([5, 6, 7, 8, 9, 11, 12])
        self.base_to = random.choice([3, 4, 6, 7, 9])
        self.value = random.randint(400, 4000)
        self.count = 0
        return (f"Convert {self._digits(self.value, self.base_from)} from base {self.base_from} "
                f"to base {self.base_to}. Digits above 9 are A, B. Answer: \\boxed{{...}}"), {}

    def step(self, action):
        self.count += 1
        over = self.count >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9A-Ba-b]+)\s*\}", action)
        if m is None:
            return "No boxed number.", 0, False, over, {}
        ok = m.group(1).upper() == self._digits(self.value, self.base_to)
        return ("Correct." if ok else "Incorrect."), int(ok), ok, over and not ok, {}

    def solution(self):
        return [f"\\boxed{{{self._digits(self.value, self.base_to)}}}"]
