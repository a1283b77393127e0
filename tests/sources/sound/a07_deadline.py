import datetime
import random
import re


class DeadlineEnv:
    """Working days with a closing rule and bank holidays; the answer is an ISO date."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.start = datetime.date(rng.randint(2019, 2031), rng.randint(1, 12), rng.randint(1, 28))
        self.days = rng.randint(18, 55)
        self.off = rng.choice([4, 5])
        self.holidays = sorted({self.start + datetime.timedelta(days=rng.randint(2, 60)) for _ in range(4)})
        self.answer = self._deadline()
        self.turn = 0
        free = "Fridays, Saturdays" if self.off == 4 else "Saturdays, Sundays"
        return (
            f"An order comes in on {self.start:%d %B %Y} (a {self.start:%A}). It is due after {self.days} working days; the "
            f"day it comes in does not count. There is no work on {free} and on these holidays: "
            + ", ".join(f"{h:%d %B}" for h in self.holidays)
            + f". On which date is it due? \\boxed{{YYYY-MM-DD}}, {self.max_turns} tries."
        ), {}

    def _deadline(self):
        day, left = self.start, self.days
        free = {self.off, self.off + 1}
        while left:
            day += datetime.timedelta(days=1)
            if day.weekday() not in free and day not in self.holidays:
                left -= 1
        return day

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})\s*\}", action)
        try:
            date = datetime.date(*map(int, m.groups())) if m else None
        except ValueError:
            date = None
        if date is None:
            return "That is no date of the form YYYY-MM-DD.", 0.0, False, late, {}
        if date == self.answer:
            return "On time.", 1.0, True, False, {}
        if date.weekday() in (self.off, self.off + 1) or date in self.holidays:
            return "Nobody works on that day.", 0.0, False, late, {}
        return "Not that day.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{self.answer.isoformat()}}}"]
