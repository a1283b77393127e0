import json
import random

PLANTS = ["basil", "chard", "dill", "endive", "fennel", "garlic", "kale", "leek", "mint", "okra"]
SOILS = ["sand", "loam", "clay"]


class GardenMethodsEnv(ToolUseBaseEnv):
    """The criteria are bound methods."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count, self._current_msg = 0, 0
        beds = {f"bed-{n}": {"soil": rng.choice(SOILS), "water": rng.randint(5, 95), "plant": None} for n in rng.sample(range(10, 99), 8)}
        while len({b["soil"] for b in beds.values()}) < 3:
            rng.choice(list(beds.values()))["soil"] = rng.choice(SOILS)
        self._state = {"beds": beds, "log": []}
        self.first, self.second = rng.sample(PLANTS, 2)
        self.soil = rng.choice(SOILS)
        self.dry = min(beds, key=lambda b: (beds[b]["water"], b))
        self.amount = rng.randint(6, 30)
        self.before = beds[self.dry]["water"]
        self.best = max((b for b in beds if beds[b]["soil"] == self.soil), key=lambda b: (beds[b]["water"] + (self.amount if b == self.dry else 0), b))
        self.loose = next(b for b in sorted(beds) if b != self.best)
        self._tools = {
            "survey": {"description": "Soil, water and plant of every bed.", "parameters": {"type": "object", "properties": {}}},
            "water_bed": {"description": "Give a bed litres of water.", "parameters": {"type": "object", "properties": {
                "bed": {"type": "string"}, "litres": {"type": "integer", "minimum": 1, "maximum": 60}}, "required": ["bed", "litres"]}},
            "sow": {"description": "Sow a plant; a bed takes one plant for the whole year.", "parameters": {"type": "object", "properties": {
                "bed": {"type": "string"}, "plant": {"type": "string", "enum": PLANTS}}, "required": ["bed", "plant"]}},
            "uproot": {"description": "Remove the plant of a bed; the bed then rests.", "parameters": {"type": "object", "properties": {"bed": {"type": "string"}}, "required": ["bed"]}},
        }
        self._user_messages = [
            f"Give the driest bed exactly {self.amount} litres (the first by name if two are equally dry).",
            f"Sow {self.first} in the wettest bed with {self.soil} soil, and nowhere else (the last by name if two are equally wet).",
            f"Sow {self.second} in {self.loose}.",
        ]
        self._message_criteria = [self._watered, self._sown_first, self._sown_second]
        return f"Three jobs in the garden, one after another.\nJob 1: {self._user_messages[0]}\nEnd with <answer>done</answer>.", {}

    def _watered(self, state):
        return state["beds"][self.dry]["water"] == self.before + self.amount

    def _sown_first(self, state):
        return [b for b, v in state["beds"].items() if v["plant"] == self.first] == [self.best]

    def _sown_second(self, state):
        return [b for b, v in state["beds"].items() if v["plant"] == self.second] == [self.loose]

    def tool_survey(self):
        return "\n".join(f"{b}: {v['soil']}, {v['water']} litres, {v['plant'] or 'empty'}" for b, v in self._state["beds"].items())

    def tool_water_bed(self, bed, litres):
        if bed not in self._state["beds"]:
            return "Error: no such bed."
        self._state["beds"][bed]["water"] += litres
        self._state["log"].append((bed, litres))
        return f"{bed} now has {self._state['beds'][bed]['water']} litres."

    def tool_sow(self, bed, plant):
        spot = self._state["beds"].get(bed)
        if spot is None or spot["plant"]:
            return "Error: nothing can be sown there."
        spot["plant"] = plant
        return f"{plant} is sown in {bed}."

    def tool_uproot(self, bed):
        spot = self._state["beds"].get(bed)
        if spot is None or spot["plant"] in (None, "resting"):
            return "Error: nothing grows there."
        spot["plant"] = "resting"
        return f"{bed} rests."

    def solution(self):
        return [
            '<tool_call>{"name": "survey", "arguments": {}}</tool_call>',
            "<tool_call>" + json.dumps({"name": "water_bed", "arguments": {"bed": self.dry, "litres": self.amount}}) + "</tool_call>",
            "<tool_call>" + json.dumps({"name": "sow", "arguments": {"bed": self.best, "plant": self.first}}) + "</tool_call>",
            "<tool_call>" + json.dumps({"name": "sow", "arguments": {"bed": self.loose, "plant": self.second}}) + "</tool_call>",
            "<answer>done</answer>",
        ]
