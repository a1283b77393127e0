import random
import re


class CheckDigitsEnv:
    """Two check digits of an account number; many two-digit pieces of the text coincide with them by chance."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn, self.badly_formed = 0, 0
        blocks = ["%02d" % rng.randint(0, 99) for _ in range(7)]
        letters = rng.sample("CDEFGHJKLM", 2)
        self.factor = rng.choice([3, 5, 7, 11, 13])
        digits = "".join(str(ord(c) - 55) for c in letters) + "".join(blocks)
        self.check = "%02d" % (98 - int(digits) * self.factor % 97)
        return (
            f"An old bank forms check digits like this. In the account {''.join(letters)} {' '.join(blocks)} each letter becomes "
            "a number (A = 10, B = 11, ..., Z = 35); everything is written in one row and read as one large integer. That is "
            f"multiplied by {self.factor} and divided by 97, and the remainder is taken from 98. Results below 10 get a zero in front.\n"
            f"Which two check digits belong to the account? \\boxed{{dd}}. Tries: {self.max_turns}."
        ), {"turn": 0, "tries_left": self.max_turns, "malformed": 0}

    def step(self, action):
        self.turn += 1
        m = re.fullmatch(r"\\boxed\{\s*([0-9]{2})\s*\}", action)
        if not m:
            self.badly_formed += 1
        info = {"turn": self.turn, "tries_left": max(0, self.max_turns - self.turn), "malformed": self.badly_formed}
        if m and m.group(1) == self.check:
            return "The teller accepts the number.", 1.0, True, False, info
        text = f"Attempt {self.turn} of {self.max_turns} was refused."
        if not m:
            text = f"Attempt {self.turn} of {self.max_turns}: exactly two digits are needed."
        return text, 0.0, False, self.turn >= self.max_turns, info

    def solution(self):
        return [f"\\boxed{{{self.check}}}"]

    def hint(self):
        return "Reduce from the left: carry the remainder along, two digits at a time, instead of dividing the whole number. The factor can wait until the end."
