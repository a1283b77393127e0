"""solution is a generator that receives each observation."""
import random
import re


class SafeDialEnv:
    """Binary search by warmer and colder only."""

    def __init__(self, max_turns=14, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.secret = rng.randint(0, 999)
        self.turn = 0
        return (
            "A safe opens at one number from 0 to 999. Dial with \\boxed{number}; you hear whether the lock sits higher or "
            f"lower. {self.max_turns} turns; the safe was made in {rng.randint(1890, 1960)}."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9]{1,3})\s*\}", action)
        if not m:
            return "Dial a number.", 0.0, False, late, {}
        value = int(m.group(1))
        if value == self.secret:
            return "Click. The safe is open.", 1.0, True, False, {}
        return ("higher" if self.secret > value else "lower"), 0.0, False, late, {}

    def solution(self):
        low, high = 0, 999
        while low <= high:
            middle = (low + high) // 2
            heard = yield f"\\boxed{{{middle}}}"
            if heard.startswith("higher"):
                low = middle + 1
            else:
                high = middle - 1
