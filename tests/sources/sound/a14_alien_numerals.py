import random
import re

GLYPHS = list("@#%&*+=?!~^<>")


class AlienNumeralsEnv:
    """Decode a positional number system from examples, then compute in it."""

    def __init__(self, max_turns: int = 5):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.base = rng.randint(5, 9)
        self.digits = rng.sample(GLYPHS, self.base)
        self.reverse = rng.random() < 0.5
        numbers = list(range(self.base)) + [self.base, self.base * 2 + 1, self.base ** 2 + 3]
        sample = rng.sample(numbers, len(numbers))
        self.op = rng.choice("+-x")
        lo, hi = self.base ** 3, self.base ** 4 - 1
        self.a, self.b = rng.randint(lo, hi), rng.randint(lo, hi)
        if self.op == "-" and self.a < self.b:
            self.a, self.b = self.b, self.a
        if self.op == "-" and self.a - self.b < self.base ** 2:
            self.a = min(hi, self.a + self.base ** 3) if self.a + self.base ** 3 <= hi else hi
            self.b = lo
        if self.op == "x":
            self.b = rng.randint(self.base + 2, self.base ** 2 - 1)
        self.result = {"+": self.a + self.b, "-": self.a - self.b, "x": self.a * self.b}[self.op]
        self.turn = 0
        table = "\n".join(f"   {self.write(n):<6} means {n}" for n in sample)
        return (f"An extinct people wrote numbers like this:\n{table}\n\n"
                f"Compute, and write the result in their notation:\n   {self.write(self.a)}  {self.op}  {self.write(self.b)}   "
                f"(the middle sign is ours: {self.op})\n\nAnswer: \\boxed{{glyphs}}")

    def write(self, n):
        out = ""
        while True:
            out += self.digits[n % self.base]
            n //= self.base
            if n == 0:
                return out if self.reverse else out[::-1]

    def read(self, text):
        if not text or any(g not in self.digits for g in text):
            return None
        order = text[::-1] if self.reverse else text
        n = 0
        for g in order:
            n = n * self.base + self.digits.index(g)
        return n

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{(.*)\}", action, re.S)
        text = re.sub(r"[\s\\]", "", m.group(1)) if m else ""
        value = self.read(text[:60])
        done = self.turn >= self.max_turns
        if value is None:
            obs = "That is not a number in their notation."
        elif value == self.result:
            return "Correct!", 1.0, True, {"turn": self.turn}
        else:
            obs = f"You wrote the number {value}, which is not the result."
        if done:
            obs += " That was the last try."
        # classic four-value return
        return obs, 0.0, done, {"turn": self.turn}

    def solution(self):
        return "\\boxed{" + self.write(self.result) + "}"

    def hint(self):
        return "Find the base from where two-glyph numbers begin, and check on which side the units stand."
