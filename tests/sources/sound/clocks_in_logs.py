"""Wall clock and dates in log lines that no observation shows; date arithmetic in the task."""
import random
import re
import time
from datetime import date, datetime, timedelta


class RentalEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.log = []
        self.started = time.time()
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        begin = date(rng.randint(1990, 2030), rng.randint(1, 12), rng.randint(1, 28))
        self.span = timedelta(days=rng.randint(60, 900))
        self.end = begin + self.span
        self.turn = 0
        self.log = [f"{datetime.now().isoformat()} reset after {time.time() - self.started:.3f}s"]
        begin_text = begin.strftime("%Y-%m-%d")
        return f"A flat is let from {begin_text} for {self.span.days} days. The date {self.span.days} days later? \\boxed{{YYYY-MM-DD}}", {}

    def step(self, action):
        tick = time.perf_counter()
        self.turn += 1
        m = re.search(r"\\boxed\{\s*(\d{4}-\d{1,2}-\d{1,2})\s*\}", action, re.ASCII)
        try:
            given = datetime.strptime(m.group(1), "%Y-%m-%d").date() if m else None
        except ValueError:
            given = None
        self.log.append(f"step took {time.perf_counter() - tick}")
        if given == self.end:
            return "Correct", 1.0, True, False, {}
        return "Not that day.", 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.end.isoformat()}}}"]
