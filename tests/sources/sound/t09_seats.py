import json
import random


class TheatreEnv(ToolUseBaseEnv):
    """Book neighbouring seats: arguments are arrays and nested objects, and bookings can be undone."""

    def __init__(self, max_turns=14, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        rows = "ABCDEF"
        while True:
            taken = {f"{r}{n}" for r in rows for n in range(1, 11) if rng.random() < 0.5}
            self.party = rng.choice([3, 4])
            runs = self._runs(taken, self.party)
            if runs:
                break
        self.front = runs[0]
        self.name = rng.choice(["Halloran", "Ibsen", "Jansson", "Kaplan"])
        self.phone = f"0{rng.randint(300, 799)} {rng.randint(10000, 99999)}"
        self._state = {"taken": sorted(taken), "bookings": []}
        front, name, phone, row = self.front, self.name, self.phone, self.front[0][0]
        self._user_messages = [
            f"Book {self.party} neighbouring seats for {name}, phone {phone}: as near to the front (row A) as there are "
            f"{self.party} free in a run, and there the lowest numbers.",
            f"They would rather sit apart from the crowd: cancel that booking altogether.",
            f"Sorry, they changed their minds, book the very same seats again, but with the wheelchair service.",
        ]
        self._message_criteria = [
            lambda s: any(b["seats"] == front and b["guest"] == {"name": name, "phone": phone} for b in s["bookings"]),
            lambda s: not s["bookings"],
            lambda s: any(b["seats"] == front and b["wheelchair"] and b["guest"]["name"] == name for b in s["bookings"]),
        ]
        self._tools = {
            "seating": {"description": "Free seats of a row.", "parameters": {
                "type": "object", "properties": {"row": {"type": "string", "enum": list(rows)}}, "required": ["row"]}},
            "book": {"description": "Book seats.", "parameters": {"type": "object", "properties": {
                "seats": {"type": "array", "items": {"type": "string"}, "minItems": 1},
                "guest": {"type": "object", "properties": {"name": {"type": "string"}, "phone": {"type": "string"}},
                          "required": ["name", "phone"]},
                "wheelchair": {"type": "boolean", "default": False}}, "required": ["seats", "guest"]}},
            "cancel": {"description": "Cancel the booking that holds a seat.", "parameters": {
                "type": "object", "properties": {"seat": {"type": "string"}}, "required": ["seat"]}},
        }
        return (
            "Box office with rows A (front) to F, seats 1 to 10. Write <tool_call>{\"name\": \"seating\", \"arguments\": "
            "{\"row\": \"F\"}}</tool_call>; finish with <answer>done</answer>.\n[User]: " + self._user_messages[0]
        ), {}

    @staticmethod
    def _runs(taken, size):
        runs = [[f"{r}{n + i}" for i in range(size)] for r in "ABCDEF" for n in range(1, 12 - size)]
        return [run for run in runs if not any(seat in taken for seat in run)]

    def tool_seating(self, row):
        gone = set(self._state["taken"]) | {s for b in self._state["bookings"] for s in b["seats"]}
        free = [f"{row}{n}" for n in range(1, 11) if f"{row}{n}" not in gone]
        return ", ".join(free) or "sold out"

    def tool_book(self, seats, guest, wheelchair=False):
        legal = {f"{r}{n}" for r in "ABCDEF" for n in range(1, 11)}
        gone = set(self._state["taken"]) | {s for b in self._state["bookings"] for s in b["seats"]}
        if not seats or any(not isinstance(s, str) or s not in legal or s in gone for s in seats) or len(set(seats)) < len(seats):
            return "Error: a seat is unknown, named twice or taken."
        if not isinstance(guest.get("name"), str) or not isinstance(guest.get("phone"), str):
            return "Error: the guest needs a name and a phone number."
        self._state["bookings"].append({
            "seats": sorted(seats, key=lambda s: (s[0], int(s[1:]))), "guest": {"name": guest["name"], "phone": guest["phone"]},
            "wheelchair": wheelchair})
        return f"Booked for {guest['name']}: {', '.join(seats)}."

    def tool_cancel(self, seat):
        for b in self._state["bookings"]:
            if seat in b["seats"]:
                self._state["bookings"].remove(b)
                return "Cancelled: " + ", ".join(b["seats"])
        return "Error: no booking holds that seat."

    def solution(self):
        c = lambda tool, **a: "<tool_call>" + json.dumps({"name": tool, "arguments": a}) + "</tool_call>"
        guest = {"name": self.name, "phone": self.phone}
        looks = [c("seating", row=r) for r in "ABCDEF" if r <= self.front[0][0]]
        return ["\n".join(looks), c("book", seats=self.front, guest=guest), c("cancel", seat=self.front[0]),
                c("book", seats=self.front, guest=guest, wheelchair=True), "<answer>done</answer>"]
