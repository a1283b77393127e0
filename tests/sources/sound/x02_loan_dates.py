"""Library desk: new due dates have to be computed."""
import json
import random
from datetime import date, timedelta

TITLES = ["Tidal Charts", "The Salt Road", "Moths of the North", "A Short Winter", "Copper and Bone", "Night Ferries", "Plain Geometry"]


class LoanDeskEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=16, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        loans = {}
        for n, t in zip(rng.sample(range(1000, 9999), 7), TITLES):
            due = date(2025, 1, 1) + timedelta(days=rng.randint(0, 330))
            loans[f"LN{n}"] = {"title": t, "due": due.isoformat(), "fine": 0.0}
        a, b, c = rng.sample(sorted(loans), 3)
        weeks, days = rng.randint(2, 6), rng.randint(3, 25)
        self.new_a = (date.fromisoformat(loans[a]["due"]) + timedelta(weeks=weeks)).isoformat()
        self.new_b = (date.fromisoformat(loans[b]["due"]) - timedelta(days=days)).isoformat()
        late = rng.randint(4, 40)
        self.returned = (date.fromisoformat(loans[c]["due"]) + timedelta(days=late)).isoformat()
        self.fine = round(late * 0.35, 2)
        self.keys = (a, b, c)
        self._state = {"loans": loans}
        self._user_messages = [
            f"Extend the loan of {loans[a]['title']} by {weeks} weeks.",
            f"Somebody waits for {loans[b]['title']}: it has to come back {days} days earlier than agreed.",
            f"{loans[c]['title']} came back on {self.returned}. Charge 0.35 for every day after the due date.",
        ]
        self._message_criteria = [
            lambda s: s["loans"][a]["due"] == self.new_a,
            lambda s: s["loans"][b]["due"] == self.new_b,
            lambda s: abs(s["loans"][c]["fine"] - self.fine) < 0.005,
        ]
        S = {"type": "string"}
        spec = lambda d, **p: {"description": d, "parameters": {"type": "object", "properties": p, "required": list(p)}}
        self._tools = {
            "find_loan": spec("Loan number and due date of a title.", title=S),
            "set_due": spec("Change a due date (YYYY-MM-DD).", loan=S, due={"type": "string", "format": "date"}),
            "charge": spec("Charge a fine.", loan=S, amount={"type": "number"}),
        }
        return "Library desk. " + self._user_messages[0], {}

    def tool_find_loan(self, title):
        return json.dumps({k: v for k, v in self._state["loans"].items() if title.lower() in v["title"].lower()})

    def tool_set_due(self, loan, due):
        date.fromisoformat(due)
        self._state["loans"][loan]["due"] = due
        return f"{loan} is due {due}"

    def tool_charge(self, loan, amount):
        self._state["loans"][loan]["fine"] = amount
        return f"{loan}: {amount:.2f} charged"

    def solution(self):
        call = lambda tool, **a: "<tool_call>" + json.dumps({"name": tool, "arguments": a}) + "</tool_call>"
        a, b, c = self.keys
        t = lambda k: self._state["loans"][k]["title"]
        return [call("find_loan", title=t(a)), call("set_due", loan=a, due=self.new_a), call("find_loan", title=t(b)), call("set_due", loan=b, due=self.new_b),
                call("find_loan", title=t(c)), call("charge", loan=c, amount=self.fine), "<answer>done</answer>"]
