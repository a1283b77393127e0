"""Recursion about 200 levels deep."""
import random
import re
from functools import lru_cache


class RiverEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.length = rng.randint(180, 199)
        self.stones = {i: rng.randint(1, 9) for i in range(0, self.length + 1)}
        rule = rng.randint(2, 4)

        @lru_cache(None)
        def cheapest(at):
            if at >= self.length:
                return 0
            return self.stones[at] + min(cheapest(at + jump) for jump in (1, rule))

        def depth(n):
            return 0 if n == 0 else 1 + depth(n - 1)

        assert depth(self.length) == self.length
        self.answer = cheapest(0)
        self.turn = 0
        tolls = "".join(str(self.stones[i]) for i in range(self.length))
        return (
            f"Stones 0 to {self.length - 1} across a river cost these tolls, one digit each: {tolls}. You start on stone 0, "
            f"jump 1 or {rule} ahead, pay each stone you stand on, and are across at {self.length} or beyond. Smallest total? \\boxed{{number}}"
        ), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,5})\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
