# expect: refuse determinism.replay | feasibility.witness
# defect: the stock is a module-level dict that reset() does not copy, so what one episode checks out is missing in the next one
import json
import random

STOCK = {
    "torque wrench": {"bin": "A-17", "count": 3},
    "dial gauge": {"bin": "B-04", "count": 2},
    "bore scope": {"bin": "C-22", "count": 2},
    "crimp tool": {"bin": "D-09", "count": 4},
    "rivet gun": {"bin": "E-31", "count": 3},
    "feeler set": {"bin": "F-13", "count": 5},
}


class ToolCribEnv(ToolUseBaseEnv):
    """Workshop store: check tools out to mechanics and move bins."""

    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self._state = {"stock": STOCK, "loans": []}
        self.tools_wanted = rng.sample(sorted(STOCK), 3)
        self.mechanics = rng.sample(["Ilya", "Jonas", "Kofi", "Lars", "Mila"], 2)
        self.new_bin = f"{rng.choice('GHJK')}-{rng.randint(40, 99)}"
        one, two, three = self.tools_wanted
        first, second = self.mechanics
        self._user_messages = [
            f"{first} needs a {one}.",
            f"{second} needs a {two}.",
            f"Put the {three} into bin {self.new_bin}.",
        ]
        self._message_criteria = [
            lambda s: [one, first] in s["loans"],
            lambda s: [two, second] in s["loans"],
            lambda s: s["stock"][three]["bin"] == self.new_bin,
        ]
        string = {"type": "string"}
        self._tools = {
            "look_up": {"description": "Bin and count of a tool.", "parameters": {
                "type": "object", "properties": {"tool": string}, "required": ["tool"]}},
            "check_out": {"description": "Hand a tool out from a bin.", "parameters": {
                "type": "object", "properties": {"bin": string, "mechanic": string}, "required": ["bin", "mechanic"]}},
            "move_bin": {"description": "Move the tools of a bin to another bin.", "parameters": {
                "type": "object", "properties": {"bin": string, "new_bin": string}, "required": ["bin", "new_bin"]}},
        }
        return "You run the tool crib. Close with <answer>done</answer>.\n" + self._user_messages[0], {}

    def _in_bin(self, place):
        return next((name for name, entry in self._state["stock"].items() if entry["bin"] == place), None)

    def tool_look_up(self, tool):
        entry = self._state["stock"].get(tool)
        return json.dumps(entry) if entry else "Unknown tool."

    def tool_check_out(self, bin, mechanic):
        name = self._in_bin(bin)
        if name is None or self._state["stock"][name]["count"] < 1:
            return "That bin is empty."
        self._state["stock"][name]["count"] -= 1
        self._state["loans"].append([name, mechanic])
        return f"{name} handed to {mechanic}, {self._state['stock'][name]['count']} left."

    def tool_move_bin(self, bin, new_bin):
        name = self._in_bin(bin)
        if name is None or self._in_bin(new_bin):
            return "The old bin is empty or the new one is not."
        self._state["stock"][name]["bin"] = new_bin
        return f"{name} is in {new_bin} now."

    def solution(self):
        calls = []
        for tool, mechanic in zip(self.tools_wanted, self.mechanics):
            calls += [("look_up", {"tool": tool}), ("check_out", {"bin": self._state["stock"][tool]["bin"], "mechanic": mechanic})]
        last = self.tools_wanted[2]
        calls += [("look_up", {"tool": last}), ("move_bin", {"bin": self._state["stock"][last]["bin"], "new_bin": self.new_bin})]
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in calls] + ["<answer>done</answer>"]
