import datetime
import json
import random


class ClientDiaryEnv(ToolUseBaseEnv):
    """Client records and a diary; days are spoken of in words and must be booked as ISO dates."""

    REASONS = {"renewal": ["extend the contract"], "complaint": ["vent about a late delivery"], "demo": ["see the new model"]}

    def __init__(self, max_turns=18, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        names = rng.sample(["Arvo Kallas", "Beata Nowak", "Chidi Eze", "Dora Weiss", "Emil Novak", "Fatou Diop"], 5)
        codes = rng.sample(range(10000, 99999), 5)
        self.clients = {f"CL{c}": {"name": n, "city": rng.choice(["Tartu", "Lagos", "Graz"]), "vip": False}
                        for c, n in zip(codes, names)}
        self._state = {"clients": self.clients, "diary": []}
        self.day = datetime.date(2025, rng.randint(1, 12), rng.randint(1, 28))
        self.reason = rng.choice(sorted(self.REASONS))
        self.one, self.two = rng.sample(sorted(self.clients), 2)
        c1, c2 = self.clients[self.one], self.clients[self.two]
        later = self.day + datetime.timedelta(days=7)
        self.iso, self.later = self.day.isoformat(), later.isoformat()
        self._user_messages = [
            f"{c1['name']} wants to {self.REASONS[self.reason][0]}. Book that for {self.day.day} {self.day:%B} 2025.",
            f"Mark {c2['name']} as a VIP.",
            f"{c1['name']} called: the same kind of meeting exactly one week later, please, as an additional one.",
        ]
        one, two, iso, later, reason = self.one, self.two, self.iso, self.later, self.reason
        self._message_criteria = [
            lambda s: [one, iso, reason] in s["diary"],
            lambda s: s["clients"][two]["vip"],
            lambda s: [one, iso, reason] in s["diary"] and [one, later, reason] in s["diary"],
        ]
        obj = {"type": "object"}
        self._tools = {
            "lookup_client": {"description": "Client code by name.", "parameters": {
                **obj, "properties": {"name": {"type": "string"}}, "required": ["name"]}},
            "book_meeting": {"description": "Enter a meeting.", "parameters": {**obj, "properties": {
                "client": {"type": "string", "description": "Client code"},
                "date": {"type": "string", "description": "YYYY-MM-DD"},
                "kind": {"type": "string", "enum": sorted(self.REASONS)}}, "required": ["client", "date", "kind"]}},
            "set_vip": {"description": "Set or clear the VIP mark.", "parameters": {**obj, "properties": {
                "client": {"type": "string"}, "vip": {"type": "boolean"}}, "required": ["client", "vip"]}},
            "list_diary": {"description": "All meetings.", "parameters": {**obj, "properties": {}}},
        }
        return (
            "You keep the diary of a sales office. Call tools as <tool_call>{\"name\": ..., \"arguments\": {...}}"
            "</tool_call>. Wishes come one by one; when none is left send <answer>done</answer>. "
            f"You have {self.max_turns} turns.\n[User]: {self._user_messages[0]}"
        ), {}

    def tool_lookup_client(self, name):
        hits = [f"{k}: {c['name']}, {c['city']}" for k, c in self.clients.items() if name.lower() in c["name"].lower()]
        return "\n".join(hits) or "Nobody of that name."

    def tool_book_meeting(self, client, date, kind):
        if client not in self.clients:
            return "Error: unknown client code."
        try:
            datetime.date.fromisoformat(date)
        except ValueError:
            return "Error: dates are written YYYY-MM-DD."
        self._state["diary"].append([client, date, kind])
        return f"{kind} with {client} on {date}."

    def tool_set_vip(self, client, vip):
        if client not in self.clients:
            return "Error: unknown client code."
        self.clients[client]["vip"] = vip
        return "Set." if vip else "Cleared."

    def tool_list_diary(self):
        return json.dumps(self._state["diary"])

    def solution(self):
        def call(tool, **kw):
            return f"<tool_call>{json.dumps({'name': tool, 'arguments': kw})}</tool_call>"

        return [
            call("lookup_client", name=self.clients[self.one]["name"]),
            call("book_meeting", client=self.one, date=self.iso, kind=self.reason),
            call("lookup_client", name=self.clients[self.two]["name"]),
            call("set_vip", client=self.two, vip=True),
            call("book_meeting", client=self.one, date=self.later, kind=self.reason),
            "<answer>done</answer>",
        ]
