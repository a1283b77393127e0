"""Multi-turn; the author moves the pointer and appends the next instruction."""
import json
import random


class ThermostatDeskEnv(ToolUseBaseEnv):
    ROOMS = ["atrium", "lab", "archive", "office", "studio", "canteen"]

    def __init__(self, max_turns=14, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        codes = rng.sample(range(100, 999), 6)
        temps = rng.sample(range(12, 30), 6)
        self._state = {"units": {f"U{c}": {"room": r, "temp": t, "locked": False, "mode": "auto"} for c, r, t in zip(codes, self.ROOMS, temps)}}
        units = self._state["units"]
        self.room = rng.choice(self.ROOMS)
        self.first = next(u for u, d in units.items() if d["room"] == self.room)
        self.target = rng.choice([t for t in range(15, 25) if t != units[self.first]["temp"]])
        self.cold = min((u for u in units if u != self.first), key=lambda u: units[u]["temp"])
        self.turn_count, self._current_msg, self._expected_answer = 0, 0, "done"
        self._user_messages = [
            f"Set the unit in the {self.room} to {self.target} degrees.",
            f"Switch the coldest of the other units to heat mode.",
            f"Lock the unit in the {self.room}.",
        ]
        first, target, cold = self.first, self.target, self.cold
        self._message_criteria = [
            lambda state: state["units"][first]["temp"] == target,
            lambda state: state["units"][cold]["mode"] == "heat",
            lambda state: state["units"][first]["locked"] is True,
        ]
        unit = {"type": "string", "description": "Unit code"}
        def spec(text, **props):
            return {"description": text, "parameters": {"type": "object", "properties": props, "required": list(props)}}
        self._tools = {
            "list_units": spec("All units."),
            "set_temp": spec("Set a temperature.", unit=unit, degrees={"type": "integer", "minimum": 10, "maximum": 30}),
            "set_mode": spec("Set a mode.", unit=unit, mode={"type": "string", "enum": ["auto", "heat", "cool"]}),
            "lock_unit": spec("Lock a unit's panel.", unit=unit),
            "energy_report": spec("Consumption of the last month."),
        }
        return f"You run the building's thermostats. Request: {self._user_messages[0]} When all requests are done: <answer>done</answer>", {}

    def _check_progress(self):
        if self._current_msg < len(self._user_messages) and self._message_criteria[self._current_msg](self._state):
            self._current_msg += 1
            if self._current_msg < len(self._user_messages):
                return "\n\n[User] " + self._user_messages[self._current_msg]
            return "\n\n[User] Thanks, that was all."
        return ""

    def _change(self, unit, **fields):
        if unit not in self._state["units"]:
            return "Error: unknown unit"
        self._state["units"][unit].update(fields)
        return "OK" + self._check_progress()

    def tool_list_units(self):
        return json.dumps(self._state["units"])

    def tool_set_temp(self, unit, degrees):
        return self._change(unit, temp=degrees)

    def tool_set_mode(self, unit, mode):
        return self._change(unit, mode=mode)

    def tool_lock_unit(self, unit):
        return self._change(unit, locked=True)

    def tool_energy_report(self, **kwargs):
        return "412 kWh"

    def solution(self):
        calls = [("list_units", {}), ("set_temp", {"unit": self.first, "degrees": self.target}), ("set_mode", {"unit": self.cold, "mode": "heat"}), ("lock_unit", {"unit": self.first})]
        return ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in calls] + ["<answer>done</answer>"]
