"""Multi-turn; the base class moves the pointer. The import is the alias module."""
import random
from tool_use_base_env import ToolUseBaseEnv


class ClinicDeskEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        names = rng.sample(["Ayo", "Bo", "Cruz", "Dee", "Eun", "Fay", "Gil", "Hui"], 5)
        ids = rng.sample(range(1000, 9999), 5)
        slots = ["mon-am", "mon-pm", "tue-am", "tue-pm", "wed-am", "wed-pm"]
        booked = rng.sample(slots, 5)
        free = next(s for s in slots if s not in booked)
        self._state = {"patients": {f"P{i}": {"name": n, "slot": s, "flag": ""} for i, n, s in zip(ids, names, booked)}}
        self.who = f"P{ids[0]}"
        other = rng.choice(ids[1:])
        self.other, self.free, self.flag = f"P{other}", free, rng.choice(["urgent", "fasting", "wheelchair"])
        self.turn_count = 0
        self._current_msg = 0
        self._expected_answer = "done"
        self._user_messages = [
            f"Move {names[0]} to the only free slot.",
            f"Flag the patient who is booked on {self._state['patients'][self.other]['slot']} as {self.flag}.",
        ]
        self._message_criteria = [
            lambda s: s["patients"][self.who]["slot"] == self.free,
            lambda s: s["patients"][self.other]["flag"] == self.flag,
        ]
        patient = {"type": "string"}
        self._tools = {
            "day_list": {"description": "Bookings of a day with free slots.", "parameters": {"type": "object", "properties": {"day": {"type": "string", "enum": ["mon", "tue", "wed"]}}, "required": ["day"]}},
            "move": {"description": "Move a patient to a free slot.", "parameters": {"type": "object", "properties": {"patient": patient, "slot": {"type": "string", "enum": slots}}, "required": ["patient", "slot"]}},
            "flag": {"description": "Flag a patient.", "parameters": {"type": "object", "properties": {"patient": patient, "flag": {"type": "string", "enum": ["urgent", "fasting", "wheelchair"]}}, "required": ["patient", "flag"]}},
        }
        return f"Clinic desk. Fulfil the requests with the tools, then reply <answer>done</answer>.\nRequest: {self._user_messages[0]}", {}

    def tool_day_list(self, day):
        rows = []
        for half in ("am", "pm"):
            held = [f"{key} {p['name']}" for key, p in self._state["patients"].items() if p["slot"] == f"{day}-{half}"]
            rows.append(f"{day}-{half}: {held[0] if held else 'free'}")
        return "\n".join(rows)

    def tool_move(self, patient, slot):
        if patient not in self._state["patients"]:
            return "Error: unknown patient"
        if any(p["slot"] == slot for p in self._state["patients"].values()):
            return "Error: slot taken"
        self._state["patients"][patient]["slot"] = slot
        return f"Moved to {slot}."

    def tool_flag(self, patient, flag):
        if patient not in self._state["patients"]:
            return "Error: unknown patient"
        self._state["patients"][patient]["flag"] = flag
        return f"Flagged {flag}."

    def solution(self):
        return (
            "1. day_list(day='mon') -> bookings\n2. day_list(day='tue') -> bookings\n3. day_list(day='wed') -> bookings\n"
            f"4. move('{self.who}', '{self.free}') -> first request done\n"
            f"5. flag(patient={self.other}, flag='{self.flag}') -> second request done\nThen ANSWER: done"
        )
