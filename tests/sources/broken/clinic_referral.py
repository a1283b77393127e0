# expect: refuse tools.criterion_order
# defect: create_referral stores urgency "high" by default, so the criterion of the second request ("set the urgency to high") is met by the call for the first one.
import json
import random

CLINICS = ["cardiology", "dermatology", "neurology", "orthopaedics"]
FIRST = ["Alva", "Benno", "Carla", "Darius", "Edda", "Fabio", "Gitta", "Henk"]
LAST = ["Storm", "Teller", "Ulrich", "Vogt", "Winter", "Xander", "Young", "Zeller"]


class ClinicReferralEnv(ToolUseBaseEnv):
    """State modification in small steps at the desk of a general practice."""

    def __init__(self, max_turns=16, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._current_msg = 0
        names = [f"{a} {b}" for a, b in zip(rng.sample(FIRST, 8), rng.sample(LAST, 8))]
        ids = rng.sample(range(10000, 99999), 8)
        self._state = {
            "patients": {f"P{number}": {"name": name, "born": rng.randint(1931, 2012)} for number, name in zip(ids, names)},
            "referrals": {},
            "letters": [],
        }
        self.patient = rng.choice(list(self._state["patients"]))
        self.clinic = rng.choice(CLINICS)
        name = self._state["patients"][self.patient]["name"]
        self._user_messages = [
            f"Please refer {name} to {self.clinic}.",
            "The results just came in. Set the urgency of that referral to high.",
            "Thank you. Now print the letter for it.",
        ]
        patient, clinic = self.patient, self.clinic
        self._message_criteria = [
            lambda state: state["referrals"].get(patient, {}).get("clinic") == clinic,
            lambda state: state["referrals"].get(patient, {}).get("urgency") == "high",
            lambda state: patient in state["letters"],
        ]
        self._tools = {
            "find_patient": {
                "description": "Look a patient up by family name or full name.",
                "parameters": {
                    "type": "object",
                    "properties": {"name": {"type": "string", "description": "Part of the name"}},
                    "required": ["name"],
                },
            },
            "create_referral": {
                "description": "Refer a patient to a clinic.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "patient_id": {"type": "string"},
                        "clinic": {"type": "string", "enum": CLINICS},
                    },
                    "required": ["patient_id", "clinic"],
                },
            },
            "set_urgency": {
                "description": "Set the urgency of a patient's referral.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "patient_id": {"type": "string"},
                        "urgency": {"type": "string", "enum": ["low", "normal", "high"]},
                    },
                    "required": ["patient_id", "urgency"],
                },
            },
            "print_letter": {
                "description": "Print the letter of a referral.",
                "parameters": {
                    "type": "object",
                    "properties": {"patient_id": {"type": "string"}},
                    "required": ["patient_id"],
                },
            },
        }
        return (
            "You are at the desk of a practice. The doctor tells you what to do, one thing at a time. Use the tools and "
            f"send <answer>done</answer> when everything is done ({self.max_turns} turns).\n\n"
            f"Doctor: {self._user_messages[0]}"
        ), {}

    def tool_find_patient(self, name):
        found = [
            f"{key}: {entry['name']}, born {entry['born']}"
            for key, entry in self._state["patients"].items() if name.lower() in entry["name"].lower()
        ]
        return "\n".join(found) if found else "Error: nobody of that name."

    def tool_create_referral(self, patient_id, clinic):
        if patient_id not in self._state["patients"]:
            return "Error: unknown patient."
        self._state["referrals"][patient_id] = {"clinic": clinic, "urgency": "high", "status": "draft"}
        return f"Referral of {patient_id} to {clinic} created."

    def tool_set_urgency(self, patient_id, urgency):
        if patient_id not in self._state["referrals"]:
            return "Error: that patient has no referral."
        self._state["referrals"][patient_id]["urgency"] = urgency
        return f"Urgency of {patient_id}: {urgency}."

    def tool_print_letter(self, patient_id):
        if patient_id not in self._state["referrals"]:
            return "Error: that patient has no referral."
        self._state["letters"].append(patient_id)
        return f"The letter for {patient_id} is printed."

    def solution(self):
        name = self._state["patients"][self.patient]["name"]
        calls = [
            ("find_patient", {"name": name}),
            ("create_referral", {"patient_id": self.patient, "clinic": self.clinic}),
            ("set_urgency", {"patient_id": self.patient, "urgency": "high"}),
            ("print_letter", {"patient_id": self.patient}),
        ]
        return [
            "<tool_call>" + json.dumps({"name": name, "arguments": arguments}) + "</tool_call>"
            for name, arguments in calls
        ] + ["<answer>done</answer>"]

    def hint(self):
        return "Look the patient up first: everything else goes by the number."
