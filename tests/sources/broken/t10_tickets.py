# expect: refuse determinism.replay
# defect: ticket numbers come from a counter on the class, so they depend on how many tickets other instances opened before
import json
import random


class HelpDeskEnv(ToolUseBaseEnv):
    """Open, route and close support tickets."""

    TEAMS = ["network", "payroll", "hardware", "access"]
    next_number = 500

    def __init__(self, max_turns=14, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        people = rng.sample(["Gita", "Hugo", "Irma", "Jakob", "Kaya", "Leon"], 4)
        self._state = {"staff": {p: f"EMP-{rng.randint(1000, 9999)}" for p in people}, "tickets": {}}
        self.who, self.other = people[:2]
        self.team, self.new_team = rng.sample(self.TEAMS, 2)
        s = {"type": "string"}
        team = {"type": "string", "enum": self.TEAMS}
        self._tools = {
            "employee": {"description": "Employee number by first name.", "parameters": {
                "type": "object", "properties": {"name": s}, "required": ["name"]}},
            "open_ticket": {"description": "Open a ticket; its number is returned.", "parameters": {
                "type": "object", "properties": {"employee_id": s, "team": team}, "required": ["employee_id", "team"]}},
            "reroute": {"description": "Give a ticket to another team.", "parameters": {
                "type": "object", "properties": {"ticket": {"type": "integer"}, "team": team},
                "required": ["ticket", "team"]}},
        }
        self._user_messages = [
            f"{self.who} has a problem for the {self.team} team. Open a ticket.",
            f"Sorry, that is one for {self.new_team}; reroute it.",
        ]
        me, first, then = self._state["staff"][self.who], self.team, self.new_team
        self._message_criteria = [
            lambda st: any(t["by"] == me and t["team"] == first for t in st["tickets"].values()),
            lambda st: any(t["by"] == me and t["team"] == then and t["moved"] for t in st["tickets"].values()),
        ]
        return (
            "You staff a help desk. Use <tool_call>{\"name\": ..., \"arguments\": {...}}</tool_call>; at the end "
            "<answer>done</answer>.\nCaller: " + self._user_messages[0]
        ), {}

    def tool_employee(self, name):
        return self._state["staff"].get(name, "Error: unknown name.")

    def tool_open_ticket(self, employee_id, team):
        if employee_id not in self._state["staff"].values():
            return "Error: unknown employee number."
        HelpDeskEnv.next_number += 1
        number = HelpDeskEnv.next_number
        self._state["tickets"][number] = {"by": employee_id, "team": team, "moved": False}
        return f"Ticket {number} opened for the {team} team."

    def tool_reroute(self, ticket, team):
        if ticket not in self._state["tickets"]:
            return "Error: no such ticket."
        self._state["tickets"][ticket].update(team=team, moved=True)
        return f"Ticket {ticket} is with {team} now."

    def solution(self):
        def call(tool, **arguments):
            return "<tool_call>" + json.dumps({"name": tool, "arguments": arguments}) + "</tool_call>"

        text = yield call("employee", name=self.who)
        text = yield call("open_ticket", employee_id=text.split()[0], team=self.team)
        number = int("".join(c for c in text.split("opened")[0] if c.isdigit()))
        yield call("reroute", ticket=number, team=self.new_team)
        yield "<answer>done</answer>"
