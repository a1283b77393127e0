import random
import re
from collections import Counter


class CodePegsEnv:
    """Find a four-digit code (digits 1-6) from counts of right digits."""

    def __init__(self, max_turns=9):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.code = "".join(rng.choice("123456") for _ in range(4))
        self.log = []
        return (
            "A lock has four wheels, each with the digits 1 to 6; digits may repeat. "
            f"Try a code with \\boxed{{1122}}. After each try you learn how many wheels are right (black) and how many further digits occur elsewhere (white). "
            f"The lock jams after {self.max_turns} tries."
        ), {"tries_left": self.max_turns}

    def score(self, guess):
        black = sum(a == b for a, b in zip(guess, self.code))
        both = sum((Counter(guess) & Counter(self.code)).values())
        return black, both - black

    def step(self, action):
        match = re.fullmatch(r"\\boxed\{([1-6])\W*([1-6])\W*([1-6])\W*([1-6])\}", action)
        guess = "".join(match.groups()) if match else ""
        self.log.append(guess)
        left = self.max_turns - len(self.log)
        if not guess:
            return "Four digits from 1 to 6, please.", 0.0, False, left <= 0, {"tries_left": max(left, 0)}
        black, white = self.score(guess)
        if black == 4:
            return "Click! The lock opens.", 1.0, True, False, {"tries_left": max(left, 0)}
        if left <= 0:
            return f"{guess}: {black} black, {white} white. The lock jams. It was {self.code}.", 0.0, False, True, {"tries_left": 0}
        return f"{guess}: {black} black, {white} white. {left} tries left.", 0.0, False, False, {"tries_left": left}

    def solution(self):
        return [f"\\boxed{{{self.code}}}"]

    def hint(self):
        return "Keep only the codes that would have given the very same counts for all earlier tries, and try one of those."
