# expect: refuse tools.schema
# defect: the schemas say "type": "str" and "int", which are no JSON Schema types; a strict client cannot offer these tools.
import json
import random

MEADOWS = ["north", "brook", "hill", "lane"]


class BeehiveRecordsEnv(ToolUseBaseEnv):
    """Data retrieval: one number that has to be put together from many records."""

    def __init__(self, max_turns=15, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        hives = {}
        for number in rng.sample(range(10, 99), 12):
            hives[f"H{number}"] = {
                "meadow": rng.choice(MEADOWS),
                "queen": rng.randint(1, 4),
                "frames": [rng.randint(800, 2400) for _ in range(rng.randint(3, 6))],
            }
        self.meadow = rng.choice(MEADOWS)
        for key in list(hives)[:3]:
            hives[key]["meadow"] = self.meadow
            hives[key]["queen"] = rng.randint(2, 4)
        self.age = 2
        self._state = {"hives": hives}
        self.chosen = [k for k, h in hives.items() if h["meadow"] == self.meadow and h["queen"] >= self.age]
        self.loss = rng.randint(2, 9)
        total = sum(sum(hives[key]["frames"]) - self.loss * len(hives[key]["frames"]) for key in self.chosen)
        self._expected_answer = str(total)
        self._tools = {
            "list_hives": {
                "description": "Hives of a meadow.",
                "parameters": {
                    "type": "object",
                    "properties": {"meadow": {"type": "str", "enum": MEADOWS, "description": "Name of the meadow"}},
                    "required": ["meadow"],
                },
            },
            "queen_age": {
                "description": "Age in years of a hive's queen.",
                "parameters": {
                    "type": "object",
                    "properties": {"hive": {"type": "str", "description": "Number of the hive"}},
                    "required": ["hive"],
                },
            },
            "frame_weights": {
                "description": "Grams of honey on the frames of a hive.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "hive": {"type": "str", "description": "Number of the hive"},
                        "first": {"type": "int", "description": "First frame to show, from 1"},
                    },
                    "required": ["hive"],
                },
            },
        }
        return (
            f"How many grams of honey do the hives on the {self.meadow} meadow give whose queens are at least "
            f"{self.age} years old? From each frame {self.loss} grams are lost when it is emptied. Use the tools, then "
            f"send <answer>grams</answer>. You have {self.max_turns} turns; a reply may hold several calls."
        ), {}

    def _hive(self, hive):
        if hive not in self._state["hives"]:
            raise KeyError(f"no hive {hive}")
        return self._state["hives"][hive]

    def tool_list_hives(self, meadow):
        found = [key for key, hive in self._state["hives"].items() if hive["meadow"] == meadow]
        return ", ".join(found) or "No hives there."

    def tool_queen_age(self, hive):
        return f"The queen of {hive} is {self._hive(hive)['queen']} years old."

    def tool_frame_weights(self, hive, first=1):
        start = max(0, int(first) - 1) if str(first).isdecimal() else 0
        weights = self._hive(hive)["frames"][start:]
        return f"{hive}: " + (", ".join(str(weight) for weight in weights) or "no frames")

    def solution(self):
        hives = [k for k, h in self._state["hives"].items() if h["meadow"] == self.meadow]
        calls = [("list_hives", {"meadow": self.meadow})]
        replies = ["".join(f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in calls)]
        ages = [json.dumps({"name": "queen_age", "arguments": {"hive": key}}) for key in hives]
        frames = [json.dumps({"name": "frame_weights", "arguments": {"hive": key}}) for key in self.chosen]
        replies += ["\n".join(f"<tool_call>{text}</tool_call>" for text in texts) for texts in (ages, frames)]
        return [*replies, f"<answer>{self._expected_answer}</answer>"]

    def hint(self):
        return "Filter by the queens' ages before you ask for frames, and count the frames for the loss."
