# expect: refuse tools.broken
# defect: patient_history reads a key that no record has, so it raises on every call
import json
import random


class ClinicRosterEnv(ToolUseBaseEnv):
    """Move appointments of a small clinic without double booking."""

    DOCTORS = ["Ames", "Bolt", "Crane"]
    SLOTS = ["0900", "1000", "1100", "1400", "1500"]

    def __init__(self, max_turns=14, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        patients = {}
        names = rng.sample(["Lena Fox", "Marco Hill", "Noor Aziz", "Otto Beck", "Pia Lund", "Rui Costa"], 5)
        places = rng.sample([(d, s) for d in self.DOCTORS for s in self.SLOTS], 9)
        for name, (doctor, slot) in zip(names, places):
            patients[f"PT-{rng.randint(1000, 9999)}"] = {
                "name": name, "doctor": doctor, "slot": slot, "visits": [rng.randint(2015, 2023) for _ in range(2)]}
        self._state = {"patients": patients, "reminders": []}
        self.one, self.two = list(patients)[:2]
        self.target = places[7]
        s = {"type": "string"}
        self._tools = {
            "find_patient": {"description": "Number and appointment of a patient.", "parameters": {
                "type": "object", "properties": {"name": s}, "required": ["name"]}},
            "patient_history": {"description": "Earlier visits of a patient.", "parameters": {
                "type": "object", "properties": {"patient_id": s}, "required": ["patient_id"]}},
            "move": {"description": "Move an appointment.", "parameters": {
                "type": "object", "properties": {"patient_id": s, "doctor": {"type": "string", "enum": self.DOCTORS},
                                                 "slot": {"type": "string", "enum": self.SLOTS}},
                "required": ["patient_id", "doctor", "slot"]}},
            "remind": {"description": "Send a reminder to a patient.", "parameters": {
                "type": "object", "properties": {"patient_id": s}, "required": ["patient_id"]}},
        }
        one, two, (doctor, slot) = self.one, self.two, self.target
        self._user_messages = [
            f"{patients[one]['name']} would rather see Dr {doctor} at {slot}; please move the appointment.",
            f"Remind {patients[two]['name']} of the visit.",
        ]
        self._message_criteria = [
            lambda st: (st["patients"][one]["doctor"], st["patients"][one]["slot"]) == (doctor, slot),
            lambda st: two in st["reminders"],
        ]
        return (
            "You keep the roster of a clinic. Tools are called with <tool_call>{\"name\": ..., \"arguments\": {...}}"
            "</tool_call>, the end is <answer>done</answer>.\nReception: " + self._user_messages[0]
        ), {}

    def tool_find_patient(self, name):
        for number, p in self._state["patients"].items():
            if p["name"] == name:
                return f"{number}: {name}, Dr {p['doctor']} at {p['slot']}"
        return "Error: no such patient."

    def tool_patient_history(self, patient_id):
        record = self._state["patients"].get(patient_id, {})
        return ", ".join(str(year) for year in record["history"])

    def tool_move(self, patient_id, doctor, slot):
        if patient_id not in self._state["patients"]:
            return "Error: no such patient number."
        if any((p["doctor"], p["slot"]) == (doctor, slot) for p in self._state["patients"].values()):
            return "Error: that slot is taken."
        self._state["patients"][patient_id].update(doctor=doctor, slot=slot)
        return f"{patient_id} now sees Dr {doctor} at {slot}."

    def tool_remind(self, patient_id):
        if patient_id not in self._state["patients"]:
            return "Error: no such patient number."
        self._state["reminders"].append(patient_id)
        return f"Reminder sent to {patient_id}."

    def solution(self):
        p = self._state["patients"]
        steps = [("find_patient", {"name": p[self.one]["name"]}),
                 ("move", {"patient_id": self.one, "doctor": self.target[0], "slot": self.target[1]}),
                 ("find_patient", {"name": p[self.two]["name"]}), ("remind", {"patient_id": self.two})]
        return ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in steps] + [
            "<answer>done</answer>"]
