# expect: refuse tools.criterion_order
# defect: moving a plant also sets its watering to the value that the second instruction asks for, so the second instruction is fulfilled before it is given
import json
import random

CARE = {"tropical": "daily", "desert": "monthly", "alpine": "weekly"}


class GreenhouseEnv(ToolUseBaseEnv):
    """Care of plants over several houses; look up before acting."""

    def __init__(self, max_turns=12, **kwargs):
        self.max_turns = max_turns
        super().__init__(max_turns=max_turns)

    def reset(self, seed=None):
        rng = random.Random(seed)
        kinds = rng.sample(["agave", "banana", "cattleya", "edelweiss", "fuchsia", "gentian", "hoya"], 4)
        tags = [f"T-{n}" for n in rng.sample(range(200, 999), 4)]
        self._state = {
            "plants": {
                tag: {"kind": kind, "house": "quarantine", "watering": "never", "note": ""} for tag, kind in zip(tags, kinds)
            }
        }
        self.plant, self.other = tags[0], tags[1]
        self.kind, self.other_kind = kinds[0], kinds[1]
        self.house = rng.choice(sorted(CARE))
        self.note = rng.choice(["thrips", "mildew", "scale"])
        self._user_messages = [
            f"The {self.kind} comes out of quarantine. Move it into the {self.house} house.",
            f"Set its watering to {CARE[self.house]}.",
            f"Write the note '{self.note}' on the {self.other_kind}.",
        ]
        self._message_criteria = [
            lambda s: s["plants"][self.plant]["house"] == self.house,
            lambda s: s["plants"][self.plant]["watering"] == CARE[self.house],
            lambda s: s["plants"][self.other]["note"] == self.note,
        ]
        tag = {"type": "string", "description": "tag of the plant"}
        self._tools = {
            "find_plant": {"description": "Tag and state of a kind of plant.",
                           "parameters": {"type": "object", "properties": {"kind": {"type": "string"}}, "required": ["kind"]}},
            "move_plant": {"description": "Move a plant to another house.",
                           "parameters": {"type": "object", "required": ["tag", "house"],
                                          "properties": {"tag": tag, "house": {"type": "string", "enum": sorted(CARE)}}}},
            "set_watering": {"description": "How often a plant is watered.",
                             "parameters": {"type": "object", "required": ["tag", "interval"], "properties": {
                                 "tag": tag, "interval": {"type": "string", "enum": ["daily", "weekly", "monthly", "never"]}}}},
            "write_note": {"description": "Write a note on a plant's card.",
                           "parameters": {"type": "object", "required": ["tag", "note"],
                                          "properties": {"tag": tag, "note": {"type": "string"}}}},
        }
        return "Greenhouse office. When all is done: <answer>done</answer>\n" + self._user_messages[0], {}

    def tool_find_plant(self, kind):
        return "\n".join(f"{t}: {p}" for t, p in self._state["plants"].items() if p["kind"] == kind) or "Unknown kind."

    def tool_move_plant(self, tag, house):
        if tag not in self._state["plants"]:
            return "Unknown tag."
        self._state["plants"][tag].update(house=house, watering=CARE[house])
        return f"{tag} stands in the {house} house now."

    def tool_set_watering(self, tag, interval):
        if tag not in self._state["plants"]:
            return "Unknown tag."
        self._state["plants"][tag]["watering"] = interval
        return "Saved."

    def tool_write_note(self, tag, note):
        if tag not in self._state["plants"]:
            return "Unknown tag."
        self._state["plants"][tag]["note"] = note
        return "Noted."

    def solution(self):
        def call(name, **arguments):
            return "<tool_call>" + json.dumps({"name": name, "arguments": arguments}) + "</tool_call>"

        return [
            call("find_plant", kind=self.kind), call("move_plant", tag=self.plant, house=self.house),
            call("set_watering", tag=self.plant, interval=CARE[self.house]),
            call("find_plant", kind=self.other_kind), call("write_note", tag=self.other, note=self.note), "<answer>done</answer>",
        ]
