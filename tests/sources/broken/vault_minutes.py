# expect: refuse determinism.replay
# defect: read_minutes uses the folder that open_folder left on the instance and reset() never clears it, so a second episode reads the old folder before opening any
import json
import random


class VaultMinutesEnv(ToolUseBaseEnv):
    """Search meeting minutes: open a folder, then read it item by item."""

    def __init__(self, max_turns=14, **kwargs):
        self._folder = None
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        topics = rng.sample(["roof", "boiler", "parking", "garden", "lift", "windows", "paint"], 4)
        self._state = {"folders": {}}
        for topic, number in zip(topics, rng.sample(range(100, 999), 4)):
            self._state["folders"][f"F{number}"] = {
                "topic": topic,
                "items": [{"year": y, "yes": rng.randint(3, 40), "no": rng.randint(3, 40), "cost": rng.randint(1000, 90000)} for y in range(2015, 2020)],
            }
        self.key, self.folder = rng.choice(sorted(self._state["folders"].items()))
        self.year = rng.randint(2015, 2019)
        item = self.folder["items"][self.year - 2015]
        self._expected_answer = str(item["cost"] * (2 if item["yes"] > item["no"] else 3) + item["yes"])
        self._tools = {
            "list_folders": {"description": "Folder numbers and topics.", "parameters": {"type": "object", "properties": {}}},
            "open_folder": {
                "description": "Open a folder; it stays open until another one is opened.",
                "parameters": {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]},
            },
            "read_minutes": {
                "description": "Read the item of a year in the open folder.",
                "parameters": {"type": "object", "properties": {"year": {"type": "integer"}}, "required": ["year"]},
            },
        }
        return (
            f"Look up the vote of {self.year} on the {self.folder['topic']}. If more voted yes than no, take twice the cost, otherwise three "
            "times the cost, and add the number of yes votes. Reply <answer>N</answer>."
        ), {}

    def tool_list_folders(self):
        return json.dumps({k: f["topic"] for k, f in self._state["folders"].items()})

    def tool_open_folder(self, folder):
        if folder not in self._state["folders"]:
            return "There is no such folder."
        self._folder = self._state["folders"][folder]
        return f"Folder {folder} ({self._folder['topic']}) is open."

    def tool_read_minutes(self, year):
        if self._folder is None:
            return "No folder is open."
        for item in self._folder["items"]:
            if item["year"] == year:
                return json.dumps(item)
        return "No vote in that year."

    def solution(self):
        calls = [
            {"name": "list_folders", "arguments": {}},
            {"name": "open_folder", "arguments": {"folder": self.key}},
            {"name": "read_minutes", "arguments": {"year": self.year}},
        ]
        return [f"<tool_call>{json.dumps(c)}</tool_call>" for c in calls] + [f"<answer>{self._expected_answer}</answer>"]
