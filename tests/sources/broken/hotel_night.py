# expect: refuse tools.criterion_stuck | feasibility.witness | tools.criterion_order
# defect: the criteria are lambdas made in a loop without binding the loop variables, so all of them test the last request
import json
import random


class HotelNightEnv(ToolUseBaseEnv):
    """Night desk of a hotel: three guests, three wishes."""

    WISHES = {"wake_up": ["0530", "0600", "0645", "0715"], "pillow": ["down", "latex", "spelt"], "breakfast": ["tea", "porridge", "eggs"]}

    def __init__(self, max_turns=14, **kwargs):
        super().__init__(max_turns=max_turns)

    def reset(self, seed=None):
        rng = random.Random(seed)
        guests = rng.sample(["Amsel", "Bieri", "Corti", "Dreyer", "Engel", "Frisch", "Gruber"], 5)
        rooms = [str(n) for n in rng.sample(range(101, 480), 5)]
        self._state = {"guests": dict(zip(guests, rooms)), "orders": {r: {} for r in rooms}}
        self.requests = []
        for guest, kind in zip(guests, rng.sample(sorted(self.WISHES), 3)):
            self.requests.append((guest, kind, rng.choice(self.WISHES[kind])))
        self._user_messages = []
        self._message_criteria = []
        for guest, kind, value in self.requests:
            room = self._state["guests"][guest]
            self._user_messages.append(f"{guest} asks for {kind.replace('_', '-')}: {value}.")
            self._message_criteria.append(lambda state: state["orders"][room].get(kind) == value)
        self._tools = {
            "room_of": {
                "description": "Room number of a guest.",
                "parameters": {"type": "object", "properties": {"guest": {"type": "string"}}, "required": ["guest"]},
            },
            "place_order": {
                "description": "Note an order for a room.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "room": {"type": "string"},
                        "kind": {"type": "string", "enum": sorted(self.WISHES)},
                        "value": {"type": "string"},
                    },
                    "required": ["room", "kind", "value"],
                },
            },
            "show_orders": {
                "description": "Orders of a room.",
                "parameters": {"type": "object", "properties": {"room": {"type": "string"}}, "required": ["room"]},
            },
        }
        return "You sit at the night desk. Reply <answer>done</answer> when every guest is served.\n" + self._user_messages[0], {}

    def tool_room_of(self, guest):
        return self._state["guests"].get(guest, "No guest of that name.")

    def tool_place_order(self, room, kind, value):
        if room not in self._state["orders"]:
            return "There is no such room."
        self._state["orders"][room][kind] = value
        return f"Room {room}: {kind} {value}."

    def tool_show_orders(self, room):
        return json.dumps(self._state["orders"].get(room, {}))

    def solution(self):
        plan = []
        for guest, kind, value in self.requests:
            plan.append(("room_of", {"guest": guest}))
            plan.append(("place_order", {"room": self._state["guests"][guest], "kind": kind, "value": value}))
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in plan] + ["<answer>done</answer>"]
