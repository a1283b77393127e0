import json
import random
import re

ISSUES = {"heating": ["radiator stays cold"], "noise": ["band in the yard"], "water": ["tap drips all night"], "light": ["bulb by the bed is dead"]}


class HotelNotesEnv(ToolUseBaseEnv):
    """Some instructions ask for free text; the criteria only want the facts to be in it."""

    def __init__(self, max_turns=18, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        guests = rng.sample(["Alvarez", "Brandt", "Chandra", "Dupont", "Eklund", "Ferrari", "Gomez"], 5)
        rooms = [str(n) for n in rng.sample(range(101, 480), 8)]
        self._state = {"rooms": {r: {"guest": None, "issue": None} for r in rooms}, "notes": [], "mails": []}
        for g, r in zip(guests, rooms):
            self._state["rooms"][r]["guest"] = g
        guest, issue = rng.choice(guests), rng.choice(sorted(ISSUES))
        room = next(r for r, v in self._state["rooms"].items() if v["guest"] == guest)
        self._state["rooms"][room]["issue"] = ISSUES[issue][0]
        free = rng.choice([r for r in rooms if self._state["rooms"][r]["guest"] is None])
        self.facts = (guest, room, free, issue)
        self._user_messages = [
            f"{guest} has complained. Look up what is wrong and leave a note for the caretaker that says the room and the complaint in a full sentence (four words at least).",
            f"Move {guest} to room {free}.",
            f"Mail {guest} a short apology, in your own words, that names the new room.",
        ]
        words = re.findall("[a-z]{4,}", ISSUES[issue][0])

        def noted(s):
            return any(room in n and len(n.split()) >= 4 and any(w in n.lower() for w in words) for n in s["notes"])

        def mailed(s):
            return any(m["to"] == guest and free in m["text"] and len(m["text"]) > 15 for m in s["mails"])

        self._message_criteria = [noted, lambda s: s["rooms"][free]["guest"] == guest and s["rooms"][room]["guest"] is None, mailed]
        s = {"type": "string"}
        self._tools = {
            "find_guest": {"description": "Room of a guest, with open complaints.", "parameters": {"type": "object", "properties": {"guest": s}, "required": ["guest"]}},
            "leave_note": {"description": "Leave a note for the caretaker.", "parameters": {"type": "object", "properties": {"text": s}, "required": ["text"]}},
            "move_guest": {"description": "Move a guest to a free room.", "parameters": {"type": "object", "properties": {"guest": s, "room": s}, "required": ["guest", "room"]}},
            "send_mail": {"description": "Send a mail to a guest.", "parameters": {"type": "object", "properties": {"to": s, "text": s}, "required": ["to", "text"]}},
        }
        return f"Night desk of a hotel. {self._user_messages[0]} Finish with <answer>done</answer>.", {}

    def tool_find_guest(self, guest):
        for number, v in self._state["rooms"].items():
            if v["guest"] and v["guest"].lower() == guest.strip().lower():
                return f"{v['guest']} has room {number}." + (f" Complaint: {v['issue']}." if v["issue"] else "")
        return "No such guest."

    def tool_leave_note(self, text):
        self._state["notes"].append(text[:500])
        return "The note hangs on the board."

    def tool_move_guest(self, guest, room):
        old = next((r for r, v in self._state["rooms"].items() if v["guest"] == guest), None)
        if old is None or room not in self._state["rooms"] or self._state["rooms"][room]["guest"]:
            return "Error: that move is not possible."
        self._state["rooms"][old]["guest"], self._state["rooms"][room]["guest"] = None, guest
        return f"{guest} now has room {room}."

    def tool_send_mail(self, to, text):
        self._state["mails"].append({"to": to, "text": text[:500]})
        return "Sent."

    def solution(self):
        guest, room, free, issue = self.facts
        calls = [("find_guest", {"guest": guest}), ("leave_note", {"text": f"In room {room} the {ISSUES[issue][0]}, please look at it."}),
                 ("move_guest", {"guest": guest, "room": free}),
                 ("send_mail", {"to": guest, "text": f"We are sorry for the trouble. Your new room is {free}, sleep well!"})]
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in calls] + ["<answer>done</answer>"]

    def hint(self):
        return "Find the guest before you write anything. The text is free, but the room must be in it, and what is wrong in plain words."
