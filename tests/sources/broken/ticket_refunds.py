# expect: refuse feasibility.underivable
# defect: refunds need an approval code of the event, but no tool and no text ever shows one, only solution() knows it
import json
import random


class TicketRefundsEnv(ToolUseBaseEnv):
    """Box office: refunds and seat changes under an approval scheme."""

    def __init__(self, max_turns=10, **kwargs):
        super().__init__(max_turns=max_turns)

    def reset(self, seed=None):
        rng = random.Random(seed)
        shows = rng.sample(["Aida", "Boheme", "Carmen", "Don Carlo", "Elektra", "Fidelio"], 3)
        self._state = {"events": {}, "tickets": {}}
        for show in shows:
            self._state["events"][show] = {"approval": f"APR-{rng.randint(10000, 99999)}", "free": [f"R{rng.randint(1, 9)}S{n}" for n in rng.sample(range(10, 60), 3)]}
        holders = rng.sample(["Mr Abel", "Ms Brandt", "Mr Cruz", "Ms Dahl", "Mr Endo", "Ms Falk"], 5)
        for holder, number in zip(holders, rng.sample(range(100000, 999999), 5)):
            show = rng.choice(shows)
            self._state["tickets"][str(number)] = {"holder": holder, "show": show, "seat": f"R{rng.randint(1, 9)}S{rng.randint(61, 90)}", "status": "valid"}
        self.refund, self.change = list(self._state["tickets"])[:2]
        self.seat = rng.choice(self._state["events"][self._state["tickets"][self.change]["show"]]["free"])
        self._user_messages = [
            f"{holders[0]} is ill and wants the money back.",
            f"{holders[1]} would rather sit on {self.seat}.",
        ]
        self._message_criteria = [
            lambda s: s["tickets"][self.refund]["status"] == "refunded",
            lambda s: s["tickets"][self.change]["seat"] == self.seat,
        ]
        string = {"type": "string"}
        self._tools = {
            "find_ticket": {"description": "Ticket of a holder.", "parameters": {"type": "object", "properties": {"holder": string}, "required": ["holder"]}},
            "free_seats": {"description": "Free seats of a show.", "parameters": {"type": "object", "properties": {"show": string}, "required": ["show"]}},
            "refund_ticket": {"description": "Refund a ticket; needs the approval code of its event.", "parameters": {
                "type": "object", "properties": {"ticket": string, "approval": string}, "required": ["ticket", "approval"]}},
            "change_seat": {"description": "Another seat for a ticket.", "parameters": {
                "type": "object", "properties": {"ticket": string, "seat": string}, "required": ["ticket", "seat"]}},
        }
        return f"You work at the box office of an opera. Close with <answer>done</answer>.\nCustomer: {self._user_messages[0]}", {}

    def tool_find_ticket(self, holder):
        rows = {n: t for n, t in self._state["tickets"].items() if t["holder"] == holder}
        return json.dumps(rows) if rows else "No ticket under this name."

    def tool_free_seats(self, show):
        event = self._state["events"].get(show)
        return ", ".join(event["free"]) if event else "No such show."

    def tool_refund_ticket(self, ticket, approval):
        entry = self._state["tickets"].get(ticket)
        if entry is None:
            return "No such ticket."
        if approval != self._state["events"][entry["show"]]["approval"]:
            return "The approval code does not belong to this event."
        entry["status"] = "refunded"
        return "Refunded."

    def tool_change_seat(self, ticket, seat):
        entry = self._state["tickets"].get(ticket)
        if entry is None or seat not in self._state["events"][entry["show"]]["free"]:
            return "No such ticket, or the seat is not free."
        entry["seat"] = seat
        return "Changed."

    def solution(self):
        tickets = self._state["tickets"]
        steps = [
            ("find_ticket", {"holder": tickets[self.refund]["holder"]}),
            ("refund_ticket", {"ticket": self.refund, "approval": self._state["events"][tickets[self.refund]["show"]]["approval"]}),
            ("find_ticket", {"holder": tickets[self.change]["holder"]}),
            ("free_seats", {"show": tickets[self.change]["show"]}),
            ("change_seat", {"ticket": self.change, "seat": self.seat}),
        ]
        return [f'<tool_call>{json.dumps({"name": n, "arguments": a})}</tool_call>' for n, a in steps] + ["<answer>done</answer>"]
