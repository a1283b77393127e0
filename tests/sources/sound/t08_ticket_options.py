import json
import random

LEVELS = ["low", "normal", "high", "urgent"]
TEAMS = ["billing", "network", "hardware", "accounts"]


class TicketOptionsEnv(ToolUseBaseEnv):
    """Help desk with optional parameters, defaults and a tool that takes **kwargs."""

    def __init__(self, max_turns=24, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        tickets = {}
        for n in rng.sample(range(3000, 9000), 16):
            tickets[f"T-{n}"] = {"team": rng.choice(TEAMS), "level": rng.choice(LEVELS[:3]), "age": rng.randint(1, 60), "status": "open",
                                 "owner": rng.choice(["ann", "ben", "cora", None]), "tags": []}
        self._state = {"tickets": tickets}
        team, level = rng.choice(TEAMS), rng.choice(LEVELS[:3])
        pool = [t for t, v in tickets.items() if v["team"] == team and v["level"] == level]
        free = [t for t, v in tickets.items() if v["owner"] is None]
        if len(pool) < 2 or len(free) < 2:
            return self.reset(rng.randrange(2**31))
        oldest = max(pool, key=lambda t: (tickets[t]["age"], t))
        newest = min(free, key=lambda t: (tickets[t]["age"], t))
        owner, tag = rng.choice(["ann", "ben", "cora"]), rng.choice(["vip", "audit", "legal"])
        self.todo = (oldest, newest, owner, tag, team, level)
        self._user_messages = [
            f"Raise the oldest {level} ticket of the {team} team to urgent (of equally old ones the higher number).",
            f"The youngest ticket without an owner goes to {owner} (of equally young ones the lower number).",
            f"Put the tag {tag} on the ticket we raised to urgent, and close it with the resolution 'duplicate'.",
        ]
        self._message_criteria = [
            lambda s: [t for t, v in s["tickets"].items() if v["level"] == "urgent"] == [oldest],
            lambda s: s["tickets"][newest]["owner"] == owner,
            lambda s: s["tickets"][oldest]["tags"] == [tag] and s["tickets"][oldest].get("resolution") == "duplicate",
        ]
        text = {"type": "string"}
        self._tools = {
            "search": {"description": "Tickets, at most `limit` of them, youngest first.", "parameters": {"type": "object", "properties": {
                "team": {"type": "string", "enum": TEAMS}, "level": {"type": "string", "enum": LEVELS}, "unowned": {"type": "boolean", "default": False},
                "limit": {"type": "integer", "minimum": 1, "maximum": 20, "default": 20}}, "required": []}},
            "update": {"description": "Change fields of a ticket.", "parameters": {"type": "object", "properties": {
                "ticket": text, "level": {"type": "string", "enum": LEVELS}, "owner": {"type": "string", "enum": ["ann", "ben", "cora"]}}, "required": ["ticket"]}},
            "add_tag": {"description": "Put a tag on a ticket.", "parameters": {"type": "object", "properties": {"ticket": text, "tag": {"type": "string", "enum": ["vip", "audit", "legal"]}}, "required": ["ticket", "tag"]}},
            "close": {"description": "Close a ticket for good.", "parameters": {"type": "object", "properties": {
                "ticket": text, "resolution": {"type": "string", "enum": ["solved", "duplicate", "wontfix"], "default": "solved"}}, "required": ["ticket"]}},
        }
        return f"{self._user_messages[0]}\n\n(Requests follow each other. After the last one: <answer>done</answer>)", {}

    def tool_search(self, team=None, level=None, unowned=False, limit=20):
        rows = [(v["age"], t, v) for t, v in self._state["tickets"].items()
                if team in (None, v["team"]) and level in (None, v["level"]) and (not unowned or v["owner"] is None)]
        return "\n".join(f"{t}: {v['team']}, {v['level']}, {age} days, {v['status']}, owner {v['owner']}" for age, t, v in sorted(rows, key=lambda r: r[:2])[:limit]) or "none"

    def tool_update(self, ticket, **fields):
        if ticket not in self._state["tickets"]:
            return "Error: no such ticket"
        self._state["tickets"][ticket].update(fields)
        return f"{ticket}: " + (", ".join(f"{k}={v}" for k, v in fields.items()) or "nothing changed")

    def tool_add_tag(self, ticket, tag):
        if ticket not in self._state["tickets"]:
            return "Error: no such ticket"
        self._state["tickets"][ticket]["tags"].append(tag)
        return f"{ticket} is tagged {tag}"

    def tool_close(self, ticket, resolution="solved"):
        data = self._state["tickets"].get(ticket)
        if data is None or data["status"] == "closed":
            return "Error: no open ticket of that number"
        data.update(status="closed", resolution=resolution)
        return f"{ticket} closed as {resolution}"

    def solution(self):
        oldest, newest, owner, tag, team, level = self.todo
        calls = [("search", {"team": team, "level": level}), ("update", {"ticket": oldest, "level": "urgent"}), ("search", {"unowned": True}),
                 ("update", {"ticket": newest, "owner": owner}), ("add_tag", {"ticket": oldest, "tag": tag}), ("close", {"ticket": oldest, "resolution": "duplicate"})]
        return [f"<tool_call>{json.dumps(dict(name=n, arguments=a))}</tool_call>" for n, a in calls] + ["<answer>done</answer>"]

    def hint(self):
        return f"Search with a filter; the list is sorted by age. {'Many' if len(self._state['tickets']) > 10 else 'Few'} tickets are open, and one of them is meant twice."
