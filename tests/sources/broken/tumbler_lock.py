# expect: refuse feasibility.witness
# defect: a wrong guess silently draws a new code, so the feedback of earlier guesses is worthless and even the author's deduction fails on most seeds
import random
import re
from itertools import permutations


class TumblerLockEnv:
    """Deduce a hidden code from counts of exact and misplaced digits."""

    def __init__(self, max_turns=12, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def _new_code(self):
        self.code = "".join(self.rng.sample("123456", 4))
        self.clicks = []

    def reset(self, seed=None):
        self.rng = random.Random(seed)
        self.turn = 0
        self._new_code()
        return (
            "A lock has a code of four different digits from 1 to 6. After each wrong guess you hear one bright click for every digit in its "
            "right place and one dull click for every digit that belongs elsewhere. The code stays the same.\n"
            f"Guess with \\boxed{{dddd}}. You have {self.max_turns} turns."
        ), {}

    @staticmethod
    def _compare(code, guess):
        exact = sum(a == b for a, b in zip(code, guess))
        return exact, sum(c in code for c in guess) - exact

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([1-6]{4})\s*\}", action)
        if m is None or len(set(m.group(1))) != 4:
            return "Four different digits from 1 to 6, please.", 0.0, False, late, {}
        guess = m.group(1)
        if guess == self.code:
            return "The lock opens.", 1.0, True, False, {}
        bright, dull = self._compare(self.code, guess)
        self._new_code()
        self.clicks.append((guess, bright, dull))
        return f"Bright clicks: {bright}. Dull clicks: {dull}.", 0.0, False, late, {}

    def solution(self):
        options = ["".join(p) for p in permutations("123456", 4)]
        while options:
            guess = options[0]
            observation = yield f"\\boxed{{{guess}}}"
            numbers = re.findall(r"clicks: (\d)", observation)
            if len(numbers) != 2:
                return
            heard = (int(numbers[0]), int(numbers[1]))
            options = [o for o in options if o != guess and self._compare(o, guess) == heard]
