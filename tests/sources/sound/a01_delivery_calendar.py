"""Business-day arithmetic with regional holidays and half days."""
from __future__ import annotations

import datetime as dt
import random
import re
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple

WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


@dataclass
class Job:
    """Everything that defines one instance."""

    start: dt.date
    days: int
    weekend: Tuple[int, int]
    holidays: List[dt.date] = field(default_factory=list)
    pause: Optional[Tuple[dt.date, dt.date]] = None

    def is_working(self, day: dt.date) -> bool:
        if day.weekday() in self.weekend or day in self.holidays:
            return False
        if self.pause and self.pause[0] <= day <= self.pause[1]:
            return False
        return True

    def finish(self) -> dt.date:
        day, left = self.start, self.days
        while True:
            if self.is_working(day):
                left -= 1
                if left == 0:
                    return day
            day += dt.timedelta(days=1)


class DeliveryCalendarEnv:
    """The agent works out on which calendar date a job of N working days is finished."""

    def __init__(self, max_turns: int = 3, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed: Optional[int] = None) -> Tuple[str, Dict]:
        rng = random.Random(seed)
        start = dt.date(rng.randint(2021, 2029), rng.randint(1, 12), rng.randint(1, 28))
        weekend = rng.choice([(5, 6), (4, 5), (6, 0)])
        job = Job(start=start, days=rng.randint(35, 90), weekend=weekend)
        span = [start + dt.timedelta(days=k) for k in range(2, 60)]
        job.holidays = sorted(rng.sample(span, rng.randint(4, 7)))
        first = start + dt.timedelta(days=rng.randint(15, 40))
        job.pause = (first, first + dt.timedelta(days=rng.randint(5, 13)))
        self.job = job
        self.turn = 0
        self.over = False
        return self._prompt(), {"turn": 0}

    def _prompt(self) -> str:
        j = self.job
        lines = [
            "A workshop accepts a job.",
            f"* First day on the job: {WEEKDAYS[j.start.weekday()]}, {j.start.isoformat()} (counts as day 1 if it is a working day).",
            f"* The job takes {j.days} working days.",
            f"* The weekly rest days here are {WEEKDAYS[j.weekend[0]]} and {WEEKDAYS[j.weekend[1]]}.",
            "* Public holidays: " + ", ".join(h.isoformat() for h in j.holidays) + ".",
            f"* The workshop is shut from {j.pause[0].isoformat()} to {j.pause[1].isoformat()}, both days included.",
            "",
            "On which date is the last working day of the job? Answer with \\boxed{YYYY-MM-DD}.",
            f"You may answer {self.max_turns} times.",
        ]
        return "\n".join(lines)

    def step(self, action: str):
        self.turn += 1
        truncated = self.turn >= self.max_turns
        found = re.search(r"\\boxed\{\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*\}", action, re.ASCII)
        if not found:
            return "I need a date such as \\boxed{YYYY-MM-DD}.", -0.05, False, truncated, {"turn": self.turn}
        try:
            guess = dt.date(*map(int, found.groups()))
        except ValueError:
            return "There is no such date.", -0.05, False, truncated, {"turn": self.turn}
        goal = self.job.finish()
        if guess == goal:
            return "Correct, the job is finished on that day.", 1.0, True, False, {"turn": self.turn}
        if truncated:
            return f"Wrong. The right date was {goal.isoformat()}.", 0.0, False, True, {"turn": self.turn}
        if not self.job.is_working(guess):
            return "Wrong: nobody works on that day.", 0.0, False, False, {"turn": self.turn}
        side = "late" if guess > goal else "early"
        return f"Wrong: that is too {side}.", 0.0, False, False, {"turn": self.turn}

    def solution(self) -> List[str]:
        return [f"\\boxed{{{self.job.finish().isoformat()}}}"]

    def hint(self) -> str:
        return ("Count week by week: five working days per full week, then subtract the holidays that do not fall on "
                "a rest day or inside the shutdown. Mind whether the first day itself is a working day.")

    def close(self):
        pass
