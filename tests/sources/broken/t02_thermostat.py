# expect: refuse tools.criterion_stuck | feasibility.witness
# defect: the second criterion compares the stored integer with the text of the number, so it is never true
import json
import random


class HouseControlEnv(ToolUseBaseEnv):
    """Rooms, lamps and thermostats of a house with look-alike device ids."""

    ROOMS = ["kitchen", "study", "hall", "nursery", "workshop", "veranda"]

    def __init__(self, max_turns=14, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._current_msg = 0
        self._call_history = []
        devices = {}
        numbers = rng.sample(range(1000, 9999), 12)
        for room in self.ROOMS:
            for kind in ("lamp", "thermostat"):
                devices[f"{kind[0].upper()}{numbers[len(devices)]}"] = {
                    "room": room, "kind": kind, "value": rng.randint(14, 18) if kind == "thermostat" else 0}
        self._state = {"devices": devices}
        self.room1, self.room2, self.room3 = rng.sample(self.ROOMS, 3)
        self.level, self.degrees = rng.randint(20, 95), rng.randint(19, 25)
        self.lamp = self._id(self.room1, "lamp")
        self.heat = self._id(self.room2, "thermostat")
        self.lamp2 = self._id(self.room3, "lamp")
        self._tools = {
            "list_devices": {"description": "Devices of a room.", "parameters": {
                "type": "object", "properties": {"room": {"type": "string", "enum": self.ROOMS}}, "required": ["room"]}},
            "set_value": {"description": "Brightness of a lamp (0-100) or degrees of a thermostat (5-30).", "parameters": {
                "type": "object", "properties": {"device_id": {"type": "string"},
                                                 "value": {"type": "integer", "minimum": 0, "maximum": 100}},
                "required": ["device_id", "value"]}},
        }
        self._expected_answer = "done"
        self._user_messages = [
            f"Dim the lamp in the {self.room1} to {self.level} percent.",
            f"It is cold in the {self.room2}: {self.degrees} degrees, please.",
            f"The {self.room3} lamp goes to full brightness.",
        ]
        lamp, heat, lamp2, level, degrees = self.lamp, self.heat, self.lamp2, self.level, str(self.degrees)
        self._message_criteria = [
            lambda s: s["devices"][lamp]["value"] == level,
            lambda s: s["devices"][heat]["value"] == degrees,
            lambda s: s["devices"][lamp2]["value"] == 100,
        ]
        return (
            "You control a house. One instruction comes after the other. Tool calls look like <tool_call>{\"name\": "
            "\"list_devices\", \"arguments\": {\"room\": \"hall\"}}</tool_call>. Finish with <answer>done</answer>.\n"
            f"First: {self._user_messages[0]}"
        ), {}

    def _id(self, room, kind):
        return next(k for k, d in self._state["devices"].items() if d["room"] == room and d["kind"] == kind)

    def tool_list_devices(self, room):
        rows = {k: d for k, d in self._state["devices"].items() if d["room"] == room}
        return json.dumps(rows) if rows else "Error: no such room."

    def tool_set_value(self, device_id, value):
        device = self._state["devices"].get(device_id)
        if device is None:
            return f"Error: no device {device_id}."
        if device["kind"] == "thermostat" and not 5 <= value <= 30:
            return "Error: a thermostat goes from 5 to 30."
        device["value"] = value
        return f"{device_id} is set to {value}."

    def solution(self):
        steps = []
        for room, device, value in ((self.room1, self.lamp, self.level), (self.room2, self.heat, self.degrees),
                                    (self.room3, self.lamp2, 100)):
            steps += [("list_devices", {"room": room}), ("set_value", {"device_id": device, "value": value})]
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in steps] + [
            "<answer>done</answer>"]
