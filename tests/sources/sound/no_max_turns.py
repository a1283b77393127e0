"""No max_turns argument, a seed that reset demands, and the limit kept under another name."""
import random
import re


class CipherWheelEnv:
    def __init__(self):
        self.limit = 5
        self.count = 0
        self.plain = ""

    def reset(self, seed):
        rng = random.Random(seed)
        words = ["harvest", "lantern", "compass", "meadows", "glacier", "orchard", "village", "thunder", "captain", "blanket"]
        picked = rng.sample(words, 3)
        shift, grow = rng.randint(1, 25), rng.randint(1, 5)
        self.plain = "".join(rng.choice(word) for word in picked for _ in range(3))
        secret = "".join(chr((ord(c) - 97 + shift + grow * i) % 26 + 97) for i, c in enumerate(self.plain))
        probe = "".join(chr((ord(c) - 97 + shift + grow * i) % 26 + 97) for i, c in enumerate("lemon"))
        self.count = 0
        return (
            "A cipher moves the first letter by some amount, and each further letter by a constant amount more than the one "
            f"before. 'lemon' becomes '{probe}'. Decode '{secret}'. \\boxed{{letters}}"
        ), {}

    def step(self, action):
        self.count += 1
        m = re.search(r"\\boxed\{\s*([a-zA-Z]+)\s*\}", action)
        if m and m.group(1).lower() == self.plain:
            return "Decoded.", 1.0, True, False, {}
        return "That's not the text.", 0.0, False, self.count >= self.limit, {}

    def solution(self):
        return [f"\\boxed{{{self.plain}}}"]
