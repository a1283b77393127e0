"""solution() returns the answer's list."""
import random, re
from typing import List
class SortByRuleEnv:
    def __init__(self, max_turns: int = 5, **kwargs): self.max_turns = max_turns; self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.words = rng.sample("pear fig banana kiwi apple cherry plum mango".split(), 5)
        self.order: List[str] = sorted(self.words, key=lambda w: (len(w), w[::-1]))
        self.turn = 0
        return f"Sort by length, ties by reversed spelling: {', '.join(self.words)}. \\boxed{{w1, w2, w3, w4, w5}}", {}
    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{([^}]*)\}", action)
        got = [w.strip().lower() for w in m.group(1).split(",")] if m else []
        ok = got == self.order
        return ("Correct." if ok else "Incorrect."), 1.0 if ok else 0.0, ok, not ok and self.turn >= self.max_turns, {}
    def solution(self) -> List[str]:
        return self.order
