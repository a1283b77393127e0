# expect: refuse leak.feedback
# defect: the format reminder after an unreadable answer builds its example from the expected answer, so \boxed{12} makes it tell.
import random
import re

NUMERALS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def to_roman(number):
    out = ""
    for value, sign in NUMERALS:
        while number >= value:
            out += sign
            number -= value
    return out


class RomanLedgerEnv:
    """A merchant's ledger in Roman numerals; the balance is wanted in Roman numerals too."""

    GOODS = ["amphorae of oil", "sacks of grain", "bolts of linen", "jars of honey", "bars of tin", "casks of wine"]

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        while True:
            goods = rng.sample(self.GOODS, 5)
            self.lines = [
                (rng.choice(["bought", "sold"]), rng.randint(3, 39), item, rng.randint(4, 29)) for item in goods
            ]
            self.cash = rng.randint(900, 1900)
            self.toll = rng.randint(2, 6)
            balance = self.cash
            for deed, count, _, price in self.lines:
                balance += count * price if deed == "sold" else -count * price
                balance -= self.toll
            if 400 <= balance <= 3900:
                break
        self.answer = to_roman(balance)
        ledger = "\n".join(
            f"- {deed} {to_roman(count)} {item} at {to_roman(price)} each" for deed, count, item, price in self.lines
        )
        return (
            f"A merchant opens the day with {to_roman(self.cash)} denarii. Every entry below also costs a toll of "
            f"{to_roman(self.toll)} denarii, whether he buys or sells.\n{ledger}\n"
            "How many denarii has he in the evening? Answer in standard Roman numerals, in a box. "
            f"Tries: {self.max_turns}."
        ), {}

    def step(self, action):
        self.turn += 1
        last = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{([^{}]*)\}", action)
        text = match.group(1).strip().upper() if match else ""
        if not re.fullmatch(r"[MDCLXVI]{1,20}", text):
            return (
                f"Unreadable. Write Roman numerals only, for example \\boxed{{{self.answer}}}.",
                0.0, False, last, {},
            )
        if text == self.answer:
            return "The purse agrees.", 1.0, True, False, {}
        return "The purse holds a different sum.", 0.0, False, last, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]

    def hint(self):
        return "Turn everything into ordinary numbers first, keep the tolls apart, and convert back at the very end."
