# expect: refuse determinism.replay
# defect: the audit trail lives in a mutable default argument, so show_trail still lists the changes of earlier episodes.
import json
import random

LINES = ["alpha", "bravo", "cedar", "delta", "ember"]
DESKS = ["billing", "support", "orders", "press"]


class SwitchboardRoutesEnv(ToolUseBaseEnv):
    """Error recovery: reroute telephone lines while some desks are full."""

    CAPACITY = 2

    def __init__(self, max_turns=16, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._current_msg = 0
        while True:
            routes = {line: rng.choice(DESKS) for line in LINES}
            load = {desk: sum(d == desk for d in routes.values()) for desk in DESKS}
            full = [desk for desk in DESKS if load[desk] == self.CAPACITY]
            empty = [desk for desk in DESKS if load[desk] == 0]
            if full and empty and max(load.values()) == self.CAPACITY:
                break
        self.full, self.empty = full[0], empty[0]
        self.line = rng.choice([line for line in LINES if routes[line] not in (self.full, self.empty)])
        self.moved = rng.choice([line for line in LINES if routes[line] == self.full])
        self.greeting = rng.choice(["short", "formal", "holiday"])
        self._state = {"routes": routes, "greetings": {line: "plain" for line in LINES}}
        line, moved, full_desk, empty_desk, greeting = self.line, self.moved, self.full, self.empty, self.greeting
        self._user_messages = [
            f"The {full_desk} desk is full. Send the line {moved} to a desk that has no line at all.",
            f"Now there is room: route {line} to {full_desk}.",
            f"Play the {greeting} greeting on {line}.",
        ]
        self._message_criteria = [
            lambda s: s["routes"][moved] == empty_desk,
            lambda s: s["routes"][line] == full_desk,
            lambda s: s["greetings"][line] == greeting,
        ]
        a_line, a_desk = {"type": "string", "enum": LINES}, {"type": "string", "enum": DESKS}
        self._tools = {
            "show_desk": self._entry("Lines of a desk.", desk=a_desk),
            "route_line": self._entry("Route a line to a desk.", line=a_line, desk=a_desk),
            "set_greeting": self._entry(
                "Choose what callers hear.", line=a_line,
                greeting={"type": "string", "enum": ["plain", "short", "formal", "holiday"]},
            ),
            "show_trail": self._entry("All changes made so far."),
        }
        if len(empty) > 1:
            others = " and ".join(desk for desk in empty[1:])
            self._user_messages[0] += f" (Not to {others}, please.)"
        return (
            f"You run a switchboard; a desk takes at most {self.CAPACITY} lines. Use the tools, message by message, and "
            f"send <answer>done</answer> at the end ({self.max_turns} turns).\n\nMessage: {self._user_messages[0]}"
        ), {}

    @staticmethod
    def _entry(text, **properties):
        return {
            "description": text,
            "parameters": {"type": "object", "properties": properties, "required": list(properties)},
        }

    def _trail(self, entry=None, entries=[]):
        """Remember an entry and return the trail."""
        if entry is not None:
            entries.append(entry)
        return entries

    def tool_show_desk(self, desk):
        lines = [line for line, at in self._state["routes"].items() if at == desk]
        return f"{desk}: {', '.join(lines) or 'no lines'}"

    def tool_route_line(self, line, desk):
        load = sum(at == desk for key, at in self._state["routes"].items() if key != line)
        if load >= self.CAPACITY:
            return f"Error: {desk} is full."
        self._state["routes"][line] = desk
        self._trail(f"{line} to {desk}")
        return f"{line} now rings at {desk}."

    def tool_set_greeting(self, line, greeting):
        self._state["greetings"][line] = greeting
        self._trail(f"{line} plays {greeting}")
        return f"{line} plays the {greeting} greeting."

    def tool_show_trail(self):
        return "; ".join(self._trail()) or "No changes yet."

    def solution(self):
        calls = [("show_desk", {"desk": desk}) for desk in DESKS]
        calls += [
            ("route_line", {"line": self.moved, "desk": self.empty}),
            ("route_line", {"line": self.line, "desk": self.full}),
            ("set_greeting", {"line": self.line, "greeting": self.greeting}),
            ("show_trail", {}),
        ]
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in calls] + [
            "<answer>done</answer>"
        ]

    def hint(self):
        return "Look at all four desks before you route anything."
