# expect: refuse determinism.replay
# defect: booking numbers come from a counter made once in __init__ that reset does not restart, so the same calls give other numbers in a second episode.
import itertools
import json
import random

ROOMS = {"Kiln": 6, "Loom": 4, "Forge": 8, "Press": 5}
SLOTS = ["morning", "noon", "evening"]
TEACHERS = ["Amani", "Bo", "Chandra", "Dev", "Eun", "Farid"]


class WorkshopBookingsEnv(ToolUseBaseEnv):
    """Create, change and confirm bookings; later steps need the number that an earlier one returned."""

    def __init__(self, max_turns=14, **kwargs):
        self._numbers = itertools.count(501)
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._current_msg = 0
        busy = {room: rng.choice(SLOTS) for room in ROOMS}
        self._state = {"bookings": {}, "busy": busy}
        self.teacher = rng.choice(TEACHERS)
        self.room = rng.choice(sorted(ROOMS))
        free = [slot for slot in SLOTS if slot != busy[self.room]]
        self.slot, self.later = rng.sample(free, 2)
        self.people = rng.randint(2, 4)
        teacher, room, slot, later = self.teacher, self.room, self.slot, self.later
        self._user_messages = [
            f"Book the {room} room for {teacher}, {slot}, {self.people} people.",
            f"{teacher} cannot come then. Move that booking to the {later}.",
            "Confirm it, please.",
        ]

        def mine(state, **wanted):
            return any(
                b["teacher"] == teacher and b["room"] == room and all(b[k] == v for k, v in wanted.items())
                for b in state["bookings"].values()
            )

        self._message_criteria = [
            lambda s: mine(s, slot=slot, people=self.people),
            lambda s: mine(s, slot=later),
            lambda s: mine(s, slot=later, confirmed=True),
        ]
        text, number = {"type": "string"}, {"type": "integer", "description": "Booking number"}
        self._tools = {
            "room_info": self._make("Seats of a room and the slot in which it is taken.", room=self._enum(ROOMS)),
            "create_booking": self._make(
                "Book a room; returns the booking number.", room=self._enum(ROOMS), teacher=text,
                slot=self._enum(SLOTS), people={"type": "integer", "minimum": 1},
            ),
            "move_booking": self._make("Move a booking to another slot.", number=number, slot=self._enum(SLOTS)),
            "confirm_booking": self._make("Confirm a booking.", number=number),
        }
        return (
            "You book workshop rooms. Work through the messages with the tools and send <answer>done</answer> at the "
            f"end. Turns: {self.max_turns}.\n\nMessage: {self._user_messages[0]}"
        ), {}

    @staticmethod
    def _enum(values):
        return {"type": "string", "enum": sorted(values)}

    @staticmethod
    def _make(text, **properties):
        return {
            "description": text,
            "parameters": {"type": "object", "properties": properties, "required": list(properties)},
        }

    def tool_room_info(self, room):
        return f"{room}: {ROOMS[room]} seats, taken in the {self._state['busy'][room]}."

    def tool_create_booking(self, room, teacher, slot, people):
        if people > ROOMS[room]:
            return "Error: too many people for that room."
        if self._state["busy"][room] == slot:
            return "Error: the room is taken then."
        number = next(self._numbers)
        self._state["bookings"][number] = {
            "room": room, "teacher": teacher, "slot": slot, "people": people, "confirmed": False,
        }
        return f"Booking {number} created."

    def tool_move_booking(self, number, slot):
        booking = self._state["bookings"].get(number)
        if booking is None:
            return "Error: no such booking."
        if self._state["busy"][booking["room"]] == slot:
            return "Error: the room is taken then."
        booking.update(slot=slot, confirmed=False)
        return f"Booking {number} is now in the {slot}."

    def tool_confirm_booking(self, number):
        if number not in self._state["bookings"]:
            return "Error: no such booking."
        self._state["bookings"][number]["confirmed"] = True
        return f"Booking {number} is confirmed."

    def solution(self):
        """Reads the booking number from the reply of the first call."""
        seen = yield self._call(
            "create_booking", room=self.room, teacher=self.teacher, slot=self.slot, people=self.people
        )
        number = int(seen.split("Booking ")[1].split()[0])
        yield self._call("move_booking", number=number, slot=self.later)
        yield self._call("confirm_booking", number=number)
        yield "<answer>done</answer>"

    @staticmethod
    def _call(name, **arguments):
        return "<tool_call>" + json.dumps({"name": name, "arguments": arguments}) + "</tool_call>"

    def hint(self):
        return "Keep the number that the booking tool returns, the other two tools ask for it."
