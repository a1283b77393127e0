# datetime arithmetic; helper base class; single-string solution()
import random
import re
from datetime import date, timedelta

WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


class BoxedAnswerBase:
    """Everything that has to do with turns and boxes; subclasses make a task and say what is right."""

    max_tries = 4

    def __init__(self, max_turns=None):
        self.max_turns = max_turns or self.max_tries
        self.used = 0
        self.reset()

    def reset(self, seed=None):
        self.used = 0
        self.make(random.Random(seed))
        return self.describe() + f"\nYou have {self.max_turns} tries.", {}

    def step(self, action):
        self.used += 1
        found = re.findall(r"\\boxed\{([^{}]*)\}", action)
        if not found:
            return self.reply("Your reply holds no \\boxed{...}. " + self.shape)
        verdict = self.judge(found[-1].strip())
        if verdict is True:
            return "Right.", 1.0, True, False, {"tries": self.used}
        return self.reply(verdict)

    def reply(self, text):
        return text, 0.0, False, self.used >= self.max_turns, {}

    def make(self, rng):
        raise NotImplementedError

    def judge(self, text):
        raise NotImplementedError


class DeadlineEnv(BoxedAnswerBase):
    """Business-day deadline with a rest day pattern of an imaginary country."""

    shape = "Answer with a date, \\boxed{YYYY-MM-DD}."

    def make(self, rng):
        self.start = date(rng.randint(1990, 2040), 1, 1) + timedelta(days=rng.randrange(365))
        self.rest = sorted(rng.sample(range(7), 2))
        self.count = rng.randint(35, 140)
        horizon = self.count * 2
        self.holidays = sorted(self.start + timedelta(days=n) for n in rng.sample(range(3, horizon), 9))
        self.month_rule = rng.randint(2, 27)

    def describe(self):
        rest = " and ".join(WEEKDAYS[d] for d in self.rest)
        days = ", ".join(d.isoformat() for d in self.holidays)
        return (
            f"In Ostravia {rest} are days of rest, and so is day {self.month_rule} of every month. "
            f"Public holidays are {days}. All other days are working days.\n"
            f"A writ is served on {self.start.isoformat()}, a {WEEKDAYS[self.start.weekday()]}. The reply is due on the "
            f"{self.count}th working day after the day of service (the day of service never counts).\n"
            f"When is it due? {self.shape}"
        )

    def is_working(self, day):
        return day.weekday() not in self.rest and day.day != self.month_rule and day not in self.holidays

    @property
    def due(self):
        day, left = self.start, self.count
        while left:
            day += timedelta(days=1)
            left -= self.is_working(day)
        return day

    def judge(self, text):
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return "That is no date. " + self.shape
        year, month, day = map(int, text.split("-"))
        try:
            given = date(year, month, day)
        except ValueError:
            return "There is no such day in the calendar. " + self.shape
        if given <= self.start:
            return "The deadline lies after the day of service."
        if not self.is_working(given):
            return "That is not even a working day in Ostravia."
        return True if given == self.due else "A working day, but not the one on which the reply is due."

    def solution(self):
        return f"\\boxed{{{self.due.isoformat()}}}"

    def hint(self):
        return "Go week by week: count five working days, then take off the holidays and the monthly rest day where they fall on working days."
