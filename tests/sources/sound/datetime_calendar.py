import random, calendar
from datetime import datetime, timedelta, date

class DatetimeEnv:
    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.turns = 0
        self.d = datetime(2024, 1, 1) + timedelta(days=r.randint(0, 3000), hours=5)
        self.answer = self.d.strftime("%A")
        assert isinstance(self.d, datetime) and isinstance(self.d.date(), date)
        return f"Weekday of {self.d:%Y-%m-%d}? \\boxed{{Monday}} etc.", {}
    def step(self, action):
        self.turns += 1
        ok = action.strip() == "\\boxed{" + str(self.answer) + "}"
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turns >= self.max_turns, {}
    def solution(self):
        return "\\boxed{" + str(self.answer) + "}"
