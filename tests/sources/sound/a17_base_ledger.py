import random
import string


def to_base(n, b):
    digits = string.digits + string.ascii_lowercase
    out = ""
    while n:
        n, d = divmod(n, b)
        out = digits[d] + out
    return out or "0"


class BaseLedgerEnv:
    """Ledger in a strange base. Every failed try costs a tenth; the right one still pays 1."""

    PENALTY = -0.1

    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.base = rng.choice([5, 6, 7, 8, 9, 11, 12])
        self.out_base = rng.choice([b for b in (5, 6, 7, 8, 9, 11, 12) if b != self.base])
        entries = [rng.randint(150, 4000) * rng.choice([1, 1, -1]) for _ in range(6)]
        if sum(entries) <= 200:
            entries[0] = abs(entries[0]) + 200 - min(0, sum(entries[1:]))
        self.total = sum(entries)
        self.key = to_base(self.total, self.out_base)
        self.turn = 0
        rows = "\n".join(("+ " if e > 0 else "- ") + to_base(abs(e), self.base).rjust(8) for e in entries)
        letters = " (a stands for ten, b for eleven)" if max(self.base, self.out_base) > 10 else ""
        return (
            f"The clerks of Osk count in base {self.base}{letters}. Their ledger:\n{rows}\n"
            f"The auditor wants the balance in base {self.out_base}. \\boxed{{digits}}, {self.max_turns} tries; each miss costs 0.1."
        ), {}

    def step(self, action):
        self.turn += 1
        text = action.strip().lower()
        if text.startswith("\\boxed{"):
            text = text[7:].rstrip("}")
        text = text.strip().split("_")[0].lstrip("0")
        if text == self.key:
            return "The auditor nods.", 1.0, True, False, {"penalties": (self.turn - 1) * self.PENALTY}
        allowed = (string.digits + string.ascii_lowercase)[: self.out_base]
        strange = [c for c in text if c not in allowed][:5]
        if strange or not text:
            reply = f"That is no number in base {self.out_base}."
        else:
            reply = f"The auditor frowns at your {len(text)} digits."
        return reply, self.PENALTY, False, self.turn >= self.max_turns, {"penalties": self.turn * self.PENALTY}

    def solution(self):
        return ["\\boxed{" + self.key + "}"]
