# expect: refuse tools.criterion_free | tools.criterion_order
# defect: the criteria of the first two requests hold already at reset (a new ticket is not "open", the person is on no night list), so any call fulfils them.
import json
import random

PEOPLE = ["Asta", "Bela", "Cato", "Dora", "Emil", "Finn", "Gerd", "Hana"]
TOPICS = ["printer", "password", "projector", "vpn", "badge", "mailbox", "headset", "licence"]
TEXT = {"type": "string"}


class HelpdeskShiftEnv(ToolUseBaseEnv):
    """Tickets and duty rosters of a help desk."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._current_msg = 0
        numbers = rng.sample(range(1000, 9999), 8)
        owners = rng.sample(PEOPLE, 8)
        self._state = {
            "tickets": {
                f"T-{number}": {"topic": topic, "by": owner, "status": "new", "note": ""}
                for number, topic, owner in zip(numbers, rng.sample(TOPICS, 8), owners)
            },
            "roster": {"day": owners[:4], "night": owners[4:]},
        }
        ids = list(self._state["tickets"])
        self.closed, self.noted = rng.sample(ids, 2)
        self.moved = rng.choice(self._state["roster"]["day"])
        self.note = rng.choice(["spare ordered", "waits for vendor", "cannot reproduce"])
        closed_topic = self._state["tickets"][self.closed]["topic"]
        noted_by = self._state["tickets"][self.noted]["by"]
        self._user_messages = [
            f"The {closed_topic} problem is solved. Close its ticket.",
            f"{self.moved} is ill this week. Take the name off the roster.",
            f"Put the note '{self.note}' on the ticket of {noted_by}.",
        ]
        self._message_criteria = [
            lambda s: s["tickets"][self.closed]["status"] != "open",
            lambda s: self.moved not in s["roster"]["night"],
            lambda s: s["tickets"][self.noted]["note"] == self.note,
        ]
        self._tools = {
            "list_tickets": self._schema("Numbers, topics and owners of all tickets."),
            "set_status": self._schema(
                "Change the status of a ticket.", ticket=TEXT,
                status={"type": "string", "enum": ["new", "open", "closed"]},
            ),
            "show_roster": self._schema("Who is on duty by day and by night."),
            "remove_from_roster": self._schema("Take a name off the roster.", name=TEXT),
            "add_note": self._schema("Write a note on a ticket.", ticket=TEXT, note=TEXT),
        }
        return (
            "You run a help desk with tools. Requests come one at a time. When all are done, send "
            f"<answer>done</answer>. Turns: {self.max_turns}.\n\nRequest: {self._user_messages[0]}"
        ), {}

    @staticmethod
    def _schema(description, **properties):
        return {
            "description": description,
            "parameters": {"type": "object", "properties": properties, "required": list(properties)},
        }

    def tool_list_tickets(self):
        return "\n".join(f"{k}: {t['topic']}, by {t['by']}, {t['status']}" for k, t in self._state["tickets"].items())

    def tool_set_status(self, ticket, status):
        if ticket not in self._state["tickets"]:
            return f"Error: no ticket {ticket}."
        self._state["tickets"][ticket]["status"] = status
        return f"{ticket} is {status}."

    def tool_show_roster(self):
        return "; ".join(f"{shift}: {', '.join(names)}" for shift, names in self._state["roster"].items())

    def tool_remove_from_roster(self, name):
        for names in self._state["roster"].values():
            if name in names:
                names.remove(name)
                return f"{name} is off the roster."
        return f"Error: {name} is not on the roster."

    def tool_add_note(self, ticket, note):
        if ticket not in self._state["tickets"]:
            return f"Error: no ticket {ticket}."
        self._state["tickets"][ticket]["note"] = note
        return f"Noted on {ticket}."

    def solution(self):
        calls = [
            ("list_tickets", {}),
            ("set_status", {"ticket": self.closed, "status": "closed"}),
            ("remove_from_roster", {"name": self.moved}),
            ("add_note", {"ticket": self.noted, "note": self.note}),
        ]
        texts = [json.dumps({"name": name, "arguments": arguments}) for name, arguments in calls]
        return [f"<tool_call>{text}</tool_call>" for text in texts] + ["<answer>done</answer>"]

    def hint(self):
        return "List the tickets first; every request can be done with one change after that."
