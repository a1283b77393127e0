"""Bulls and cows over pictures, with an adaptive solver."""
import random
import re
from itertools import permutations

ICONS = ["sun", "moon", "star", "fish", "tree", "boat", "bell", "key"]


def score(secret, guess):
    exact = sum(a == b for a, b in zip(secret, guess))
    return exact, len(set(secret) & set(guess)) - exact


class CodebreakerEnv:
    def __init__(self, max_turns=10, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        self.secret = tuple(random.Random(seed).sample(ICONS, 4))
        self.log = []
        self.done = False
        return (f"A lock shows four different pictures out of: {', '.join(ICONS)}.\n"
                "Guess all four in order: \\boxed{sun moon star fish}\n"
                "After each guess you hear how many are in the right place, and how many more are in the lock but elsewhere.\n"
                f"{self.max_turns} guesses."), {"possible": 1680}

    def step(self, action):
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        words = re.findall(r"[a-z]+", m.group(1).lower()) if m else []
        self.log.append(words)
        end = len(self.log) >= self.max_turns
        if len(words) != 4 or len(set(words)) != 4 or not set(words) <= set(ICONS):
            return "A guess is made of four different pictures from the list.", 0.0, False, end, {}
        exact, loose = score(self.secret, words)
        if exact == 4:
            return "Click! The lock is open.", 1.0, True, False, {}
        return f"In place: {exact}. Elsewhere: {loose}. Guesses left: {self.max_turns - len(self.log)}.", 0.0, False, end, {}

    def solution(self):
        """Plays honestly: keeps the codes that agree with everything heard so far."""
        codes = list(permutations(ICONS, 4))
        while True:
            guess = codes[0]
            answer = yield "\\boxed{" + " ".join(guess) + "}"
            heard = re.search(r"In place: (\d)\. Elsewhere: (\d)", answer)
            if not heard:
                return
            want = (int(heard.group(1)), int(heard.group(2)))
            codes = [c for c in codes if score(c, guess) == want]

    def hint(self):
        return "Choose every guess so that it could still be the code given all the answers so far."
