import random
from typing import Callable, Dict, List

DOCTORS = ["Dr Abel", "Dr Bose", "Dr Caine", "Dr Dietz"]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
COMPLAINTS = {"knee": "orthopaedics", "rash": "dermatology", "ear": "otology", "heart": "cardiology"}


def make_criterion(patient: str, doctor: str, day: str) -> Callable[[Dict], bool]:
    """A closure made by a module-level function."""
    def criterion(state: Dict) -> bool:
        return state["bookings"].get(patient) == {"doctor": doctor, "day": day}
    return criterion


class ClinicClosuresEnv(ToolUseBaseEnv):
    """Appointments: the right specialist on the first free day; a patient is booked once."""

    def __init__(self, max_turns: int = 20, **kwargs) -> None:
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        fields = rng.sample(sorted(COMPLAINTS.values()), 4)
        staff = {d: {"field": f, "free": sorted(rng.sample(range(5), 3))} for d, f in zip(DOCTORS, fields)}
        names = rng.sample(["Aino", "Bram", "Cleo", "Dina", "Emre", "Fleur", "Goran"], 3)
        patients = {n: {"file": f"F-{rng.randint(10000, 99999)}", "complaint": c} for n, c in zip(names, rng.sample(sorted(COMPLAINTS), 3))}
        self._state = {"staff": staff, "patients": patients, "bookings": {}, "taken": []}
        self._user_messages, self._message_criteria, self.steps = [], [], []
        for name in names:
            doctor = next(d for d, v in staff.items() if v["field"] == COMPLAINTS[patients[name]["complaint"]])
            day = DAYS[staff[doctor]["free"][0]] if rng.random() < 0.5 else DAYS[staff[doctor]["free"][-1]]
            when = "earliest" if day == DAYS[staff[doctor]["free"][0]] else "latest"
            self._user_messages.append(f"{name} needs an appointment with the specialist for the complaint in the file, on that doctor's {when} free day.")
            self._message_criteria.append(make_criterion(name, doctor, day))
            self.steps.append((name, patients[name]["file"], staff[doctor]["field"], doctor, day))
        self._tools = {
            "read_file": self._schema("Complaint and file number of a patient.", patient={"type": "string"}),
            "search_doctors": self._schema("Doctors of a field with their free days.", field={"type": "string", "enum": sorted(COMPLAINTS.values())}),
            "book": self._schema("Book an appointment; it is final.", file_number={"type": "string"}, doctor={"type": "string", "enum": DOCTORS}, day={"type": "string", "enum": DAYS}),
        }
        return "Clinic reception, three patients call one after another.\n\n" + self._user_messages[0] + "\n\nFinish with <answer>done</answer>.", {}

    @staticmethod
    def _schema(text: str, **props) -> Dict:
        return {"description": text, "parameters": {"type": "object", "properties": props, "required": list(props)}}

    def tool_read_file(self, patient: str) -> str:
        p = self._state["patients"].get(patient)
        return f"{patient}, file {p['file']}: pain or trouble with the {p['complaint']}." if p else "No file under that name."

    def tool_search_doctors(self, field: str) -> str:
        rows: List[str] = [f"{d}: free on {', '.join(DAYS[i] for i in v['free'])}" for d, v in self._state["staff"].items() if v["field"] == field]
        return "\n".join(rows) or "Nobody."

    def tool_book(self, file_number: str, doctor: str, day: str) -> str:
        name = next((n for n, p in self._state["patients"].items() if p["file"] == file_number), None)
        if name is None:
            return "Error: unknown file number."
        if name in self._state["bookings"]:
            return f"Error: {name} is booked already."
        if DAYS.index(day) not in self._state["staff"][doctor]["free"]:
            return f"Error: {doctor} is not free on {day}."
        self._state["bookings"][name] = {"doctor": doctor, "day": day}
        return f"{name} sees {doctor} on {day}."

    def solution(self):
        out = []
        for name, number, field, doctor, day in self.steps:
            out.append({"name": "read_file", "arguments": {"patient": name}})
            out.append({"name": "search_doctors", "arguments": {"field": field}})
            out.append({"name": "book", "arguments": {"file_number": number, "doctor": doctor, "day": day}})
        import json
        return ["<tool_call>" + json.dumps(c) + "</tool_call>" for c in out] + ["<answer>done</answer>"]


if __name__ == "__main__":
    env = ClinicClosuresEnv()
    print(env.reset(seed=1)[0])
    for move in env.solution():
        print(env.step(move))
