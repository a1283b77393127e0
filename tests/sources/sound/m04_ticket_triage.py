import json
import random
from enum import Enum


class Priority(str, Enum):
    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"
    URGENT = "urgent"


TEAMS = {"network": ["vpn drops every hour", "wifi is down on floor 3", "cannot reach the intranet"],
         "hardware": ["laptop will not charge", "screen flickers", "docking station smells burnt"],
         "accounts": ["password expired", "locked out after vacation", "wrong name in the directory"],
         "software": ["spreadsheet crashes on save", "licence key rejected", "update stuck at 40 percent"]}


class TicketTriageEnv(ToolUseBaseEnv):
    """Help-desk triage. Distractors: reboot_server, export_report."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        users = rng.sample(["abel", "brit", "cleo", "dina", "egon", "faye", "goran", "hana", "ivo"], 8)
        stories = rng.sample([(t, s) for t, ss in TEAMS.items() for s in ss], 8)
        tickets = {f"T{n}": {"user": u, "text": s, "kind": t, "team": None, "priority": "normal", "status": "new", "replies": []}
                   for n, u, (t, s) in zip(rng.sample(range(1000, 9999), 8), users, stories)}
        ids = list(tickets)
        rng.shuffle(ids)
        one, two, three, four = ids[:4]
        self.ids = (one, two, three, four)
        self.level = rng.choice([Priority.HIGH.value, Priority.URGENT.value])
        self._state = {"tickets": tickets, "exports": 0}
        tk = tickets
        self._user_messages = [
            f"Assign the ticket of {tk[one]['user']} to the team in charge of such problems.",
            f"Someone wrote '{tk[two]['text']}'. Give that ticket {self.level} priority.",
            f"Tell {tk[three]['user']} in a reply to the ticket that a technician will call back.",
            f"{tk[four]['user']} says it works again. Close the ticket.",
        ]
        self._message_criteria = [
            lambda s: s["tickets"][one]["team"] == s["tickets"][one]["kind"],
            lambda s: s["tickets"][two]["priority"] == self.level,
            lambda s: any("call" in r.lower() for r in s["tickets"][three]["replies"]),
            lambda s: s["tickets"][four]["status"] == "closed",
        ]
        st = {"type": "string"}
        obj = lambda req=None, **p: {"type": "object", "properties": p, "required": list(p) if req is None else req}
        self._tools = {
            "list_tickets": {"description": "Numbers and users of tickets by status.", "parameters": obj(status={"type": "string", "enum": ["new", "closed"]})},
            "read_ticket": {"description": "Text of a ticket.", "parameters": obj(ticket=st)},
            "assign": {"description": "Hand a ticket to a team.", "parameters": obj(ticket=st, team={"type": "string", "enum": sorted(TEAMS)})},
            "set_priority": {"description": "Set a priority.", "parameters": obj(ticket=st, priority={"type": "string", "enum": [p.value for p in Priority]})},
            "reply": {"description": "Answer the user.", "parameters": obj(ticket=st, text=st)},
            "close_ticket": {"description": "Close a ticket.", "parameters": obj(ticket=st)},
            "reboot_server": {"description": "Reboot a server.", "parameters": obj(host=st)},
            "export_report": {"description": "Export statistics.", "parameters": obj([], month={"type": "integer", "minimum": 1, "maximum": 12})},
        }
        return "Help desk. " + self._user_messages[0], {"open": 8}

    def tool_list_tickets(self, status):
        return json.dumps([{"ticket": k, "user": t["user"]} for k, t in self._state["tickets"].items() if t["status"] == status])

    def tool_read_ticket(self, ticket):
        t = self._state["tickets"][ticket]
        return f"{ticket} by {t['user']}: {t['text']} (priority {t['priority']}, team {t['team']}, {t['status']})"

    def tool_assign(self, ticket, team):
        self._state["tickets"][ticket]["team"] = team
        return f"{ticket} -> {team}"

    def tool_set_priority(self, ticket, priority):
        self._state["tickets"][ticket]["priority"] = priority
        return f"{ticket}: {priority}"

    def tool_reply(self, ticket, text):
        self._state["tickets"][ticket]["replies"].append(text)
        return "sent"

    def tool_close_ticket(self, ticket):
        self._state["tickets"][ticket]["status"] = "closed"
        return f"{ticket} closed"

    def tool_reboot_server(self, host):
        return "Error: you lack the permission to reboot servers."

    def tool_export_report(self, month=1):
        self._state["exports"] += 1
        return f"report_{month}.csv written"

    def solution(self):
        one, two, three, four = self.ids
        kind = self._state["tickets"][one]["kind"]
        call = lambda name, **a: '<tool_call>{"name": "%s", "arguments": %s}</tool_call>' % (name, json.dumps(a))
        out = [call("list_tickets", status="new"), call("read_ticket", ticket=one), call("assign", ticket=one, team=kind)]
        out.append("\n".join(call("read_ticket", ticket=k) for k in self._state["tickets"]))
        out += [call("set_priority", ticket=two, priority=self.level), call("reply", ticket=three, text="A technician will call you back shortly."),
                call("close_ticket", ticket=four), "<answer>done</answer>"]
        return out

    def hint(self):
        return "List the new tickets once and read them, so that you know whose is whose; then one change per request is enough."
