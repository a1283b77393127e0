# expect: undecided feasibility.no_witness
"""No solution; the space is too large to search."""
import hashlib
import random
import re


class OracleEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        secret = "".join(rng.choice("bcdfghjklmnp") for _ in range(12))
        self.clue = sum(map(ord, secret))
        self.digest = hashlib.sha256(secret.encode()).hexdigest()
        self.turn = 0
        return f"Twelve letters with code sum {self.clue}. Which? \\boxed{{letters}}", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{([a-z]+)\}", action)
        ok = m is not None and hashlib.sha256(m.group(1).encode()).hexdigest() == self.digest
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}
