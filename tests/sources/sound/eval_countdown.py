"""Evaluates arithmetic that the player typed, with eval."""
import random
import re


class CountdownEnv:
    """Make a target from numbers; eval sees digits, operators and brackets only."""

    def __init__(self, max_turns=5, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.numbers = sorted(rng.sample(range(3, 26), 5))
        a, b, c, d, e = rng.sample(self.numbers, 5)
        self.expression = rng.choice([f"({a} + {b}) * {c} - {d} + {e}", f"{a} * {b} + {c} * {d} - {e}", f"{a} * ({b} + {c}) + {d} - {e}"])
        self.target = eval(self.expression)
        self.turn = 0
        return (
            f"Use each of {self.numbers} exactly once, with + - * and brackets, to make {self.target}. "
            "\\boxed{expression}"
        ), {}

    def _grade(self, text):
        if len(text) > 60 or not re.fullmatch(r"[0-9+\-*() ]+", text) or "**" in text:
            return "Only digits, + - * and brackets."
        if sorted(int(n) for n in re.findall(r"[0-9]+", text)) != self.numbers:
            return "Use every number exactly once."
        try:
            value = eval(text)
        except Exception as error:
            return f"Can't evaluate that ({type(error).__name__})."
        return "" if value == self.target else f"That makes {value}, not {self.target}."

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        complaint = self._grade(m.group(1)) if m else "No box."
        if not complaint:
            return "Correct!", 1.0, True, False, {}
        return complaint, 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.expression}}}"]
