# expect: refuse feasibility.witness
# defect: the request may ask for the priority "urgent", which the enum of set_priority leaves out, so about a quarter of the seeds cannot be won
import json
import random


class HelpTicketsEnv(ToolUseBaseEnv):
    """Help desk with look-alike tools and a routing step."""

    PRIORITIES = ["low", "normal", "high", "urgent"]

    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        subjects = rng.sample(["printer jam", "lost badge", "slow laptop", "no network", "broken chair", "locked account"], 4)
        keys = [f"HD-{n}" for n in rng.sample(range(1000, 9999), 4)]
        self._state = {"tickets": {k: {"subject": s, "priority": "none", "team": "", "closed": False} for k, s in zip(keys, subjects)}}
        self.a, self.b, self.c = keys[:3]
        self.priority = rng.choice(self.PRIORITIES)
        self.team = rng.choice(["hardware", "identity", "facilities"])
        self._user_messages = [
            f"Give the ticket about the {subjects[0]} the priority '{self.priority}'.",
            f"The ticket about the {subjects[1]} belongs to the {self.team} team.",
            f"Close the ticket about the {subjects[2]}.",
        ]
        self._message_criteria = [
            lambda s: s["tickets"][self.a]["priority"] == self.priority,
            lambda s: s["tickets"][self.b]["team"] == self.team,
            lambda s: s["tickets"][self.c]["closed"] is True,
        ]
        ticket = {"ticket": {"type": "string"}}

        def spec(text, properties):
            return {"description": text, "parameters": {"type": "object", "properties": properties, "required": list(properties)}}

        self._tools = {
            "search": spec("Find tickets by words of the subject.", {"words": {"type": "string"}}),
            "set_priority": spec("Set the priority of a ticket.", {**ticket, "priority": {"type": "string", "enum": ["low", "normal", "high"]}}),
            "assign_team": spec("Route a ticket.", {**ticket, "team": {"type": "string", "enum": ["hardware", "identity", "facilities"]}}),
            "close_ticket": spec("Close a ticket.", ticket),
        }
        return "Help desk. <answer>done</answer> ends the shift.\n" + self._user_messages[0], {}

    def tool_search(self, words):
        rows = [f"{k}: {t}" for k, t in self._state["tickets"].items() if words.lower() in t["subject"]]
        return "\n".join(rows) or "Nothing found."

    def _update(self, ticket, **changes):
        if ticket not in self._state["tickets"]:
            return "No such ticket."
        self._state["tickets"][ticket].update(changes)
        return "Updated."

    def tool_set_priority(self, ticket, priority):
        return self._update(ticket, priority=priority)

    def tool_assign_team(self, ticket, team):
        return self._update(ticket, team=team)

    def tool_close_ticket(self, ticket):
        return self._update(ticket, closed=True)

    def solution(self):
        subject = {k: t["subject"] for k, t in self._state["tickets"].items()}
        steps = [
            ("search", {"words": subject[self.a]}), ("set_priority", {"ticket": self.a, "priority": self.priority}),
            ("search", {"words": subject[self.b]}), ("assign_team", {"ticket": self.b, "team": self.team}),
            ("search", {"words": subject[self.c]}), ("close_ticket", {"ticket": self.c}),
        ]
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in steps] + ["<answer>done</answer>"]
