import random
import re


class SixLettersEnv:
    """Six small questions in a row, each answered by one letter; each right letter pays one sixth, a wrong one ends it."""

    ROUNDS = 6

    def __init__(self, max_turns=9):
        self.max_turns = max_turns
        self.reset()

    def _question(self, rng):
        a, b, m = rng.randint(12, 99), rng.randint(12, 99), rng.choice([7, 9, 11, 13])
        kind = rng.choice(["rem", "digit", "big"])
        if kind == "rem":
            right, text = a * b % m, f"What remains when {a} times {b} is divided by {m}?"
            pool = range(m)
        elif kind == "digit":
            right, text = sum(map(int, str(a * b))), f"What is the digit sum of {a} times {b}?"
            pool = range(2, 28)
        else:
            right, text = a * a - b, f"What is {a} squared minus {b}?"
            pool = [right + d for d in (-20, -10, -2, 0, 2, 10, 20)]
        options = rng.sample([x for x in pool if x != right], 4) + [right]
        rng.shuffle(options)
        return text, options, "ABCDE"[options.index(right)]

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.questions = [self._question(rng) for _ in range(self.ROUNDS)]
        self.done = 0
        self.turn = 0
        return (
            "Quiz of six questions. Answer each by the letter of one option, \\boxed{A} to \\boxed{E}. One mistake and you are out.\n"
            + self._show()
        ), {"progress": 0}

    def _show(self):
        text, options, _ = self.questions[self.done]
        listed = "  ".join(f"{letter}) {value}" for letter, value in zip("ABCDE", options))
        return f"Question {self.done + 1}: {text}\n{listed}"

    def step(self, action):
        self.turn += 1
        over = self.turn >= self.max_turns
        m = re.fullmatch(r"\\boxed\{\(?([a-eA-E])\)?\.?\}", action)
        if self.done >= self.ROUNDS or not m:
            return "One letter from A to E.\n" + self._show(), 0.0, False, over, {"progress": self.done}
        if m.group(1).upper() != self.questions[self.done][2]:
            return f"No. The quiz is over after {self.done} right answers.", 0.0, True, False, {"progress": self.done}
        self.done += 1
        if self.done == self.ROUNDS:
            return "All six right!", 1 / 6, True, False, {"progress": self.done}
        return "Right.\n" + self._show(), 1 / 6, False, over, {"progress": self.done}

    def solution(self):
        return [f"\\boxed{{{letter}}}" for _, _, letter in self.questions]
