import json
import random

PAPERS = ["matt", "gloss", "recycled", "card"]
SIZES = ["A3", "A4", "A5"]


class PrintShopEnv(ToolUseBaseEnv):
    """Enums, integers and booleans; the price rule has to be applied before the job is queued."""

    def __init__(self, max_turns=18, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count, self._current_msg = 0, 0
        self.cents = {p: {s: rng.randint(3, 60) for s in SIZES} for p in PAPERS}
        self.sheets = {p: rng.randint(40, 400) for p in PAPERS}
        size, size2 = rng.choice(SIZES), rng.choice(SIZES)
        budget = rng.randint(400, 2500)
        options = {p: budget // self.cents[p][size] for p in PAPERS}
        cheap = min(PAPERS, key=lambda p: (self.cents[p][size], p))
        dear = max(PAPERS, key=lambda p: (self.cents[p][size2], p))
        copies, copies2 = min(options[cheap], self.sheets[cheap]), rng.randint(11, 39)
        if copies < 5 or sorted(c[size] for c in self.cents.values())[0] == sorted(c[size] for c in self.cents.values())[1]:
            return self.reset(rng.randrange(2**31))
        if sorted(c[size2] for c in self.cents.values())[-1] == sorted(c[size2] for c in self.cents.values())[-2]:
            return self.reset(rng.randrange(2**31))
        self._state = {"queue": [], "printed": []}
        self.jobs = [dict(paper=cheap, size=size, copies=copies, duplex=False), dict(paper=dear, size=size2, copies=copies2, duplex=True)]
        job1, job2 = self.jobs
        self._user_messages = [
            f"Queue single-sided {size} flyers on the cheapest paper: as many as {budget} cents buy, but no more than there are sheets.",
            f"Queue {copies2} two-sided {size2} menus on the dearest paper for that size. Keep the flyers in front of them.",
            "Start the machine.",
        ]
        self._message_criteria = [
            lambda s: s["queue"] == [job1],
            lambda s: s["queue"] == [job1, job2],
            lambda s: s["printed"] == [job1, job2],
        ]
        self._tools = {
            "prices": {"description": "Cents per sheet for one size.", "parameters": {"type": "object", "properties": {"size": {"type": "string", "enum": SIZES}}, "required": ["size"]}},
            "stock": {"description": "Sheets of a paper.", "parameters": {"type": "object", "properties": {"paper": {"type": "string", "enum": PAPERS}}, "required": ["paper"]}},
            "queue_job": {"description": "Add a job at the end of the queue.", "parameters": {"type": "object", "properties": {
                "paper": {"type": "string", "enum": PAPERS}, "size": {"type": "string", "enum": SIZES},
                "copies": {"type": "integer", "minimum": 1, "maximum": 500}, "duplex": {"type": "boolean"}}, "required": ["paper", "size", "copies", "duplex"]}},
            "drop_last": {"description": "Remove the last job of the queue.", "parameters": {"type": "object", "properties": {}}},
            "start": {"description": "Print everything that is queued.", "parameters": {"type": "object", "properties": {}}},
        }
        return f"Print shop, request 1 of 3: {self._user_messages[0]} At the end: <answer>done</answer>.", {}

    def tool_prices(self, size):
        return ", ".join(f"{p} {self.cents[p][size]}" for p in PAPERS)

    def tool_stock(self, paper):
        return f"{self.sheets[paper]} sheets of {paper}"

    def tool_queue_job(self, paper, size, copies, duplex):
        if copies > self.sheets[paper]:
            return f"Error: only {self.sheets[paper]} sheets of {paper}."
        self._state["queue"].append(dict(paper=paper, size=size, copies=copies, duplex=duplex))
        return f"{len(self._state['queue'])} job(s) queued."

    def tool_drop_last(self):
        if not self._state["queue"]:
            return "Error: the queue is empty."
        self._state["queue"].pop()
        return f"{len(self._state['queue'])} job(s) queued."

    def tool_start(self):
        if not self._state["queue"]:
            return "Error: the queue is empty."
        self._state["printed"], self._state["queue"] = self._state["printed"] + self._state["queue"], []
        return "The machine has printed everything."

    def solution(self):
        one, two = self.jobs
        plan = [("prices", {"size": one["size"]}), ("stock", {"paper": one["paper"]}), ("queue_job", one),
                ("prices", {"size": two["size"]}), ("queue_job", two), ("start", {})]
        return ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in plan] + ["<answer>done</answer>"]
