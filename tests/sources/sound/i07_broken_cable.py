import random
import re


class BrokenCableEnv:
    """Binary search by measuring; the solution is a generator that reads what the meter says."""

    N = 240

    def __init__(self, max_turns=11):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.fault = rng.randint(1, self.N)
        self.flip = rng.random() < 0.5
        self.turn = 0
        end = "east" if self.flip else "west"
        return (
            f"A sea cable has {self.N} sections, numbered from west to east; exactly one is broken. The power comes from the {end}. "
            "\\boxed{test 17} tells whether section 17 carries power (a broken section carries none, and nothing behind it does). "
            f"\\boxed{{replace 17}} exchanges one section; you have one spare. {self.max_turns} turns in all."
        ), {}

    def _alive(self, k):
        return k > self.fault if self.flip else k < self.fault

    def step(self, action):
        self.turn += 1
        over = self.turn >= self.max_turns
        m = re.fullmatch(r"\\boxed\{\s*(test|replace)\s+([0-9]{1,4})\s*\}", action, re.I)
        k = int(m.group(2)) if m else 0
        if not 1 <= k <= self.N:
            return f"test N or replace N, with N from 1 to {self.N}.", 0.0, False, over, {}
        if m.group(1).lower() == "test":
            return f"Section {k}: " + ("power." if self._alive(k) else "dead."), 0.0, False, over, {}
        if k == self.fault:
            return "The far end lights up.", 1.0, True, False, {}
        return "Still dark, and the spare is used up.", 0.0, True, False, {}

    def solution(self):
        low, high = 1, self.N
        while low < high:
            mid = (low + high) // 2
            seen = yield f"\\boxed{{test {mid}}}"
            dead = "dead" in seen
            if self.flip:
                low, high = (mid, high) if dead else (low, mid - 1)
                if dead and low + 1 == high:
                    seen = yield f"\\boxed{{test {high}}}"
                    low = high if "dead" in seen else low
                    break
            else:
                low, high = (low, mid) if dead else (mid + 1, high)
        yield f"\\boxed{{replace {low}}}"
