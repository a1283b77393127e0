# expect: refuse determinism.replay
# defect: job numbers come from id() of the job object, so the receipts of two equal episodes differ
import random
import re


class Job:
    def __init__(self, title, sheets, colour):
        self.title = title
        self.sheets = sheets
        self.colour = colour

    @property
    def number(self):
        return 1000 + id(self) % 8999


class PrintShopEnv:
    """Feed jobs to two presses so that neither runs out of ink (interactive planning)."""

    TITLES = ["posters", "menus", "leaflets", "tickets", "labels", "programmes", "cards"]

    def __init__(self, max_turns=14, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        titles = rng.sample(self.TITLES, 6)
        self.queue = [Job(t, rng.randint(10, 60), rng.choice(["black", "colour"])) for t in titles]
        split = rng.sample(range(6), 3)
        self.plan = {t: "left" if i in split else "right" for i, t in enumerate(titles)}
        self.ink = {"left": 0, "right": 0}
        for job in self.queue:
            self.ink[self.plan[job.title]] += self._need(job)
        self.ink = {k: v + rng.randint(0, 2) for k, v in self.ink.items()}
        jobs = "\n".join(f"  {j.title}: {j.sheets} sheets, {j.colour}" for j in self.queue)
        return (
            f"Six jobs must be printed:\n{jobs}\nA sheet takes one unit of ink, a colour sheet two. The left press has {self.ink['left']} units, "
            f"the right one {self.ink['right']}. Command: \\boxed{{print TITLE on left}} or \\boxed{{print TITLE on right}}. A press that runs dry "
            f"ends the day. {self.max_turns} turns."
        ), {}

    @staticmethod
    def _need(job):
        return job.sheets * (2 if job.colour == "colour" else 1)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*print\s+(\w+)\s+on\s+(left|right)\s*\}", action)
        job = next((j for j in self.queue if m and j.title == m.group(1)), None)
        if job is None:
            return "No such job is waiting.", 0.0, False, late, {}
        press = m.group(2)
        self.ink[press] -= self._need(job)
        if self.ink[press] < 0:
            return f"The {press} press runs dry.", 0.0, True, False, {}
        self.queue.remove(job)
        if not self.queue:
            return "All jobs are printed.", 1.0, True, False, {}
        return f"Receipt no. {job.number}: {job.title}. Left {self.ink['left']}, right {self.ink['right']}.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{print {t} on {side}}}" for t, side in self.plan.items()]
