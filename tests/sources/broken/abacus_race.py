# expect: accept | warn robustness.raises
# defect: any run of digits is converted with int(), which raises ValueError beyond 4300 digits
import random
import re


class BoxedTask:
    """Turn counting and reading of one whole number; subclasses give _right()."""

    max_turns = 3
    turn = 0

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9][0-9,]*)\s*\}", action)
        if m is None:
            return "Please give one number in base ten.", 0.0, False, late, {}
        if self._right(m.group(1)):
            return "The beads agree.", 1.0, True, False, {}
        return "The beads disagree.", 0.0, False, late, {}


class AbacusRaceEnv(BoxedTask):
    """Exact arithmetic with a twist: mixed bases, reported in base ten."""

    NAMES = {7: "seven", 11: "eleven", 12: "twelve", 13: "thirteen"}
    DIGITS = "0123456789ABC"

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def _write(self, value, base):
        out = ""
        while value:
            out = self.DIGITS[value % base] + out
            value //= base
        return out or "0"

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.bases = rng.sample(sorted(self.NAMES), 3)
        self.values = [rng.randint(200, 4000) for _ in range(3)]
        self.answer = self.values[0] * self.values[1] + self.values[2]
        x, y, z = (self._write(v, b) for v, b in zip(self.values, self.bases))
        names = [self.NAMES[b] for b in self.bases]
        return (
            "Three scribes write numbers in different bases (A, B, C are ten, eleven, twelve).\n"
            f"x = {x} in base {names[0]}\ny = {y} in base {names[1]}\nz = {z} in base {names[2]}\n"
            f"What is x times y plus z, in ordinary base ten? Answer \\boxed{{number}}. {self.max_turns} tries."
        ), {"bases": list(self.bases)}

    def _right(self, text):
        return int(text.replace(",", "")) == self.answer

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
