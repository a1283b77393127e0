"""reset(self, seed=None, options=None) with default options."""
import random
import re


class TunnelEnv:
    def __init__(self, max_turns: int = 4, difficulty: str = "medium", **kwargs):
        self.max_turns = max_turns
        self.difficulty = difficulty
        self.reset()

    def reset(self, seed=None, options=None):
        options = dict(options or {})
        rng = random.Random(seed)
        low, high = options.get("range", {"easy": (2, 9), "medium": (12, 60), "hard": (60, 240)}[self.difficulty])
        a, b = rng.randint(low, high), rng.randint(low, high)
        pause = rng.randint(2, 9)
        self.rate, self.days = (a, b), rng.randint(30, 80)
        worked_a = self.days - self.days // pause
        self.answer = a * worked_a + b * self.days
        self.turn = 0
        return (
            f"Two teams dig a tunnel from both ends and meet after {self.days} days. Team A digs {a} cm a day but rests on "
            f"every {pause}. day, team B digs {b} cm every day. How long is the tunnel in cm? \\boxed{{number}}"
        ), {"difficulty": self.difficulty}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,7})\s*(?:cm)?\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {"turn": self.turn}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
