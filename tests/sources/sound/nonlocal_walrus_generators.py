"""nonlocal, walrus, generators with send, nested functions."""
import random
import re


class LedgerEnv:
    def __init__(self, max_turns=5, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)

        def entries():
            kind = None
            for _ in range(rng.randint(7, 11)):
                kind = rng.choice([k for k in ("deposit", "withdraw", "fee", "void") if k != kind])
                yield kind, rng.randint(5, 80)

        balance, last = rng.randint(200, 400), (0, None)
        opening = balance

        def apply(kind, amount):
            nonlocal balance, last
            if kind == "void":
                balance -= last[0]
                last = (0, None)
                return
            change = amount if kind == "deposit" else -amount
            balance += change
            last = (change, kind)

        def running():
            while (entry := (yield balance)) is not None:
                apply(*entry)

        teller = running()
        next(teller)
        lines = []
        for kind, amount in entries():
            teller.send((kind, amount))
            lines.append("void (undoes the entry just before it)" if kind == "void" else f"{kind} {amount}")
        teller.close()
        self.balance, self.used = balance, 0
        listing = "\n".join(f"{i}. {line}" for i, line in enumerate(lines, 1))
        return f"Opening balance {opening}.\n{listing}\nClosing balance? \\boxed{{number}}", {}

    def step(self, action):
        self.used += 1
        if (m := re.search(r"\\boxed\{\s*(-?\d+)\s*\}", action, re.ASCII)) and m[1] == str(self.balance):
            return "Right.", 1.0, True, False, {}
        return "Wrong balance.", 0.0, False, self.used >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.balance}}}"]
