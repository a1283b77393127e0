# expect: refuse tools.criterion_order
# defect: the criterion of the second instruction only asks for a confirmed booking, which the first instruction already creates, so it is skipped
import json
import random


class TravelDeskEnv(ToolUseBaseEnv):
    """Book, change and annotate train journeys."""

    CITIES = ["Avila", "Bremen", "Cremona", "Dijon", "Espoo", "Ghent", "Innsbruck"]

    def __init__(self, max_turns=15, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        trains = {}
        for _ in range(10):
            a, b = rng.sample(self.CITIES, 2)
            trains[f"TR{rng.randint(100, 999)}"] = {"from": a, "to": b, "seats": rng.randint(1, 20)}
        self._state = {"trains": trains, "bookings": {}}
        self.first, self.second = rng.sample(sorted(trains), 2)
        self.note = rng.choice(["wheelchair", "bicycle", "quiet coach", "vegetarian meal"])
        f, g = trains[self.first], trains[self.second]
        s = {"type": "string"}
        self._tools = {
            "search": {"description": "Trains between two cities.", "parameters": {
                "type": "object", "properties": {"origin": s, "destination": s}, "required": ["origin", "destination"]}},
            "book": {"description": "Book a seat on a train.", "parameters": {
                "type": "object", "properties": {"train": s}, "required": ["train"]}},
            "add_note": {"description": "Attach a request to a booking.", "parameters": {
                "type": "object", "properties": {"train": s, "note": {"type": "string", "enum": [
                    "wheelchair", "bicycle", "quiet coach", "vegetarian meal"]}}, "required": ["train", "note"]}},
        }
        self._user_messages = [
            f"Please book a seat from {f['from']} to {f['to']}.",
            f"I also need one from {g['from']} to {g['to']}.",
            f"For the first journey note: {self.note}.",
        ]
        self._expected_answer = "done"
        routes = [(f["from"], f["to"]), (g["from"], g["to"])]
        note = self.note

        def booked(state, route):
            return any((state["trains"][t]["from"], state["trains"][t]["to"]) == route for t in state["bookings"])

        self._message_criteria = [
            lambda state: booked(state, routes[0]),
            lambda state: any(b["confirmed"] for b in state["bookings"].values()),
            lambda state: any(b["note"] == note and (state["trains"][t]["from"], state["trains"][t]["to"]) == routes[0]
                              for t, b in state["bookings"].items()),
        ]
        return (
            "You are a travel desk with booking tools. Use <tool_call>{\"name\": ..., \"arguments\": ...}</tool_call> and "
            "end with <answer>done</answer> when all wishes are met.\nCustomer: " + self._user_messages[0]
        ), {}

    def tool_search(self, origin, destination):
        rows = [f"{k}: {t['seats']} seats" for k, t in self._state["trains"].items()
                if (t["from"], t["to"]) == (origin, destination)]
        return "; ".join(rows) or "No train."

    def tool_book(self, train):
        if train not in self._state["trains"]:
            return "Error: no such train."
        self._state["bookings"].setdefault(train, {"confirmed": True, "note": ""})
        return f"Seat booked on {train}."

    def tool_add_note(self, train, note):
        if train not in self._state["bookings"]:
            return "Error: not booked."
        self._state["bookings"][train]["note"] = note
        return f"Noted for {train}: {note}."

    def solution(self):
        t = self._state["trains"]
        calls = []
        for k in (self.first, self.second):
            calls += [("search", {"origin": t[k]["from"], "destination": t[k]["to"]}), ("book", {"train": k})]
        calls.append(("add_note", {"train": self.first, "note": self.note}))
        return ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in calls] + [
            "<answer>done</answer>"]
