"""Clinic front desk: log in, use the token, cope with a lock that has to be released and with full slots."""
import json
import random
from datetime import date, timedelta

SPECIALTIES = ["dermatology", "cardiology", "orthopaedics", "neurology"]


class ClinicEnv(ToolUseBaseEnv):
    """
    Trains error recovery: sessions expire after a number of calls, records are locked by other desks, slots are full.
    """

    LIFE = 6

    def __init__(self, max_turns=30, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset()
        rng = random.Random(seed)
        self.rng_tokens = [f"{rng.randrange(16 ** 8):08x}" for _ in range(40)]
        first = date(2026, rng.randint(1, 11), rng.randint(1, 28))
        doctors = {}
        for spec in SPECIALTIES:
            for surname in rng.sample(["Abel", "Brix", "Cole", "Dorn", "Emde", "Falk", "Gerst", "Hahn"], 2):
                code = f"DR{rng.randint(100, 999)}"
                days = sorted(first + timedelta(days=d) for d in rng.sample(range(1, 20), 4))
                slots = {d.isoformat(): rng.choice([0, 1, 2]) for d in days}
                slots[days[-1].isoformat()] = 1
                doctors[code] = {"name": "Dr " + surname, "specialty": spec, "slots": slots}
        names = rng.sample(["Rosalind Pike", "Teodor Ilic", "Wanda Marsh", "Yusuf Demir", "Zora Kemp", "Viktor Hale"], 4)
        patients = {f"PT-{rng.randint(10000, 99999)}": {"name": n, "locked": False, "visits": [], "phone": ""} for n in names}
        ids = list(patients)
        self.p1, self.p2 = ids[0], ids[1]
        patients[self.p2]["locked"] = True
        self.spec = rng.choice(SPECIALTIES)
        options = [(d, c) for c, doc in doctors.items() if doc["specialty"] == self.spec for d, free in doc["slots"].items() if free]
        self.best_day = min(d for d, _ in options)
        self.best_docs = sorted(c for d, c in options if d == self.best_day)
        self.phone = f"0{rng.randint(100, 999)}-{rng.randint(100000, 999999)}"
        self._state = {"doctors": doctors, "patients": patients, "token": None, "uses": 0, "logins": 0}
        self._user_messages = [
            f"{patients[self.p1]['name']} needs the earliest free appointment in {self.spec}, any doctor.",
            f"The new phone number of {patients[self.p2]['name']} is {self.phone}.",
        ]
        self._message_criteria = [
            lambda s: any(v["day"] == self.best_day and v["doctor"] in self.best_docs for v in s["patients"][self.p1]["visits"]),
            lambda s: s["patients"][self.p2]["phone"] == self.phone,
        ]
        S = {"type": "string"}
        def tool(text, **p):
            return {"description": text, "parameters": {"type": "object", "properties": p, "required": list(p)}}
        self._tools = {
            "login": tool("Start a session; a token serves a limited number of calls."),
            "find_patient": tool("Patient number by name.", token=S, name=S),
            "find_doctors": tool("Doctors of a specialty with their days and free places.", token=S, specialty={"type": "string", "enum": SPECIALTIES}),
            "book": tool("Book an appointment.", token=S, patient=S, doctor=S, day={"type": "string", "format": "date"}),
            "set_phone": tool("Change a phone number; the record must not be locked.", token=S, patient=S, phone=S),
            "release_lock": tool("Release the lock of another desk on a patient record.", token=S, patient=S),
        }
        return f"Front desk of a clinic, today is {first.isoformat()}. {self._user_messages[0]}", {"messages": 2}

    def _session(self, token):
        if token != self._state["token"]:
            raise PermissionError("invalid token, please log in")
        if self._state["uses"] >= self.LIFE:
            raise PermissionError("session expired, please log in again")
        self._state["uses"] += 1

    def tool_login(self):
        self._state["token"] = self.rng_tokens[self._state["logins"] % 40]
        self._state["logins"] += 1
        self._state["uses"] = 0
        return json.dumps({"token": self._state["token"], "calls": self.LIFE})

    def tool_find_patient(self, token, name):
        self._session(token)
        hits = [k for k, p in self._state["patients"].items() if name.strip().lower() in p["name"].lower()]
        return json.dumps(hits)

    def tool_find_doctors(self, token, specialty):
        self._session(token)
        return json.dumps({c: {"name": d["name"], "free": d["slots"]} for c, d in self._state["doctors"].items() if d["specialty"] == specialty})

    def tool_book(self, token, patient, doctor, day):
        self._session(token)
        d, p = self._state["doctors"].get(doctor), self._state["patients"].get(patient)
        if d is None or p is None:
            return "Error: unknown doctor or patient"
        if d["slots"].get(day, 0) < 1:
            return "Error: no free place on that day"
        d["slots"][day] -= 1
        p["visits"].append({"doctor": doctor, "day": day})
        return "Booked."

    def tool_set_phone(self, token, patient, phone):
        self._session(token)
        p = self._state["patients"].get(patient)
        if p is None:
            return "Error: unknown patient"
        if p["locked"]:
            return "Error: the record is locked by desk 4"
        p["phone"] = phone
        return "Saved."

    def tool_release_lock(self, token, patient):
        self._session(token)
        if patient not in self._state["patients"]:
            return "Error: unknown patient"
        self._state["patients"][patient]["locked"] = False
        return "Released."

    def solution(self):
        """Reads the token from each log-in, as a player would."""
        def call(tool, **arguments):
            return "<tool_call>" + json.dumps({"name": tool, "arguments": arguments}) + "</tool_call>"
        patients = self._state["patients"]
        token = json.loads((yield call("login")))["token"]
        yield call("find_patient", token=token, name=patients[self.p1]["name"])
        yield call("find_doctors", token=token, specialty=self.spec)
        yield call("book", token=token, patient=self.p1, doctor=self.best_docs[0], day=self.best_day)
        yield call("find_patient", token=token, name=patients[self.p2]["name"])
        out = yield call("set_phone", token=token, patient=self.p2, phone=self.phone)
        if "locked" in out:
            yield call("release_lock", token=token, patient=self.p2)
            out = yield call("set_phone", token=token, patient=self.p2, phone=self.phone)
            if "expired" in out:
                token = json.loads((yield call("login")))["token"]
                yield call("set_phone", token=token, patient=self.p2, phone=self.phone)
        yield "<answer>done</answer>"
