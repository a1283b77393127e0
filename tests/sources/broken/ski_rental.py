# expect: refuse leak.hint
# defect: hint() tells the number of the record to change (SKI-...), which is hidden state that the player has to look up.
import json
import random

GUESTS = ["Aldo", "Berit", "Cyril", "Dunja", "Egon", "Frida", "Gala", "Hedi"]
SIZES = [140, 150, 155, 160, 165, 170, 175]
GRADES = ["novice", "cruiser", "racer"]


class SkiRentalEnv(ToolUseBaseEnv):
    """Swap and service skis at a rental; look-ups by guest, changes by ski number."""

    def __init__(self, max_turns=15, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._current_msg = 0
        numbers = rng.sample(range(2000, 9999), 12)
        skis = {
            f"SKI-{n}": {"size": rng.choice(SIZES), "grade": rng.choice(GRADES), "guest": "", "state": "ready"}
            for n in numbers
        }
        keys = list(skis)
        guests = rng.sample(GUESTS, 5)
        for key, guest in zip(keys, guests):
            skis[key]["guest"] = guest
        self.guest, self.tired = rng.sample(guests, 2)
        self.ski = next(k for k in keys if skis[k]["guest"] == self.guest)
        self.back = next(k for k in keys if skis[k]["guest"] == self.tired)
        self.kind = rng.choice(["wax", "edge", "binding"])
        self._state = {"skis": skis, "services": {}, "returned": []}
        ski, back, kind = self.ski, self.back, self.kind
        self._user_messages = [
            f"{self.guest} complains about the skis. Put them down for a '{kind}' service.",
            f"{self.tired} stops for today: take the skis back.",
        ]
        self._message_criteria = [
            lambda s: s["services"].get(ski) == kind,
            lambda s: back in s["returned"] and s["skis"][back]["guest"] == "",
        ]
        ski_number = {"type": "string", "description": "Ski number"}
        self._tools = {
            "find_rental": self._define("Which skis a guest has.", guest={"type": "string", "enum": GUESTS}),
            "ski_details": self._define("Size, grade and state of skis.", ski=ski_number),
            "order_service": self._define(
                "Order a service.", ski=ski_number, kind={"type": "string", "enum": ["wax", "edge", "binding", "base"]}
            ),
            "return_ski": self._define("Take skis back.", ski=ski_number),
            "free_skis": self._define("How many skis of a grade are free.", grade={"type": "string", "enum": GRADES}),
        }
        return (
            "You are behind the counter of a ski rental. Serve the messages one by one with the tools, then send "
            f"<answer>done</answer>. Turns: {self.max_turns}.\n\nMessage: {self._user_messages[0]}"
        ), {}

    @staticmethod
    def _define(text, **properties):
        return {
            "description": text,
            "parameters": {"type": "object", "properties": properties, "required": list(properties)},
        }

    def tool_find_rental(self, guest):
        found = [key for key, s in self._state["skis"].items() if s["guest"] == guest]
        return f"{guest} has {', '.join(found)}." if found else f"{guest} has no skis."

    def tool_ski_details(self, ski):
        if ski not in self._state["skis"]:
            return "Error: unknown ski number."
        entry = self._state["skis"][ski]
        return f"{ski}: {entry['size']} cm, {entry['grade']}, {entry['state']}"

    def tool_order_service(self, ski, kind):
        if ski not in self._state["skis"]:
            return "Error: unknown ski number."
        self._state["services"][ski] = kind
        self._state["skis"][ski]["state"] = "in service"
        return f"{ski} gets a {kind} service."

    def tool_return_ski(self, ski):
        if not self._state["skis"].get(ski, {}).get("guest"):
            return "Error: these skis are not rented."
        self._state["skis"][ski]["guest"] = ""
        self._state["returned"].append(ski)
        return f"{ski} is back."

    def tool_free_skis(self, grade):
        count = sum(s["grade"] == grade and not s["guest"] for s in self._state["skis"].values())
        return f"Free {grade} skis: {count}"

    def solution(self):
        calls = [
            ("find_rental", {"guest": self.guest}),
            ("order_service", {"ski": self.ski, "kind": self.kind}),
            ("find_rental", {"guest": self.tired}),
            ("return_ski", {"ski": self.back}),
        ]
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in calls] + [
            "<answer>done</answer>"
        ]

    def hint(self):
        return (
            "Every change needs a ski number, which the rental record of the guest tells. "
            f"The service, for instance, belongs to {self.ski}."
        )
