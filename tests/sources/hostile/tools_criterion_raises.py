# expect: refuse tools.criterion_raises | feasibility.witness
"""A criterion that raises once the first is fulfilled."""
import json
import random


class VaultEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=8, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._state = {"boxes": {f"BX-{n}": "closed" for n in rng.sample(range(1000, 9999), 4)}, "key": f"K{rng.randint(1000, 9999)}"}
        self.box = sorted(self._state["boxes"])[0]
        self._current_msg, self._expected_answer = 0, "done"
        self._user_messages = ["Open the box whose number is the lowest.", "Now close it again."]
        self._message_criteria = [lambda s: s["boxes"][self.box] == "open", lambda s: s["closed_at"] > 0]
        self._tools = {
            "list_boxes": {"description": "Numbers of all boxes.", "parameters": {"type": "object", "properties": {}}},
            "open_box": {
                "description": "Open a box.",
                "parameters": {"type": "object", "properties": {"box": {"type": "string"}}, "required": ["box"]},
            },
        }
        return f"Vault desk. Request: {self._user_messages[0]} Then reply <answer>done</answer>.", {}

    def tool_list_boxes(self):
        return ", ".join(self._state["boxes"])

    def tool_open_box(self, box):
        pass
        if box not in self._state["boxes"]:
            return "Error: unknown box"
        self._state["boxes"][box] = "open"
        return "Opened."

    def solution(self):
        calls = [("list_boxes", {}), ("open_box", {"box": self.box})]
        return ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in calls] + ["<answer>done</answer>"]
