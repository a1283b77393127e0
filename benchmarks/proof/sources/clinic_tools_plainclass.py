# a class of its own with get_tools/execute_tool (no base class), datetime, generator solution
import json
import random
import re
from datetime import date, timedelta


class ClinicEnv:
    """Find the earliest day on which three specialists can see a patient one after another."""

    def __init__(self, max_turns=16):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.first = date(2031, 1, 1) + timedelta(days=rng.randrange(2000))
        people = rng.sample("Abel Brandt Cheng Dietz Egede Fabre Gallo Hirsch Iqbal Jonas".split(), 6)
        fields = ["cardiology", "neurology", "radiology"] * 2
        self.doctors = {f"D{rng.randint(100, 999)}-{i}": {"name": n, "field": f, "free": {}} for i, (n, f) in enumerate(zip(people, fields))}
        for d in self.doctors.values():
            for k in rng.sample(range(60), 26):
                d["free"][k] = sorted(rng.sample(range(8, 17), rng.randint(1, 3)))
        target = rng.randrange(3, 60)
        byfield = {f: [d for d in self.doctors.values() if d["field"] == f] for f in ("cardiology", "neurology", "radiology")}
        for field, hours in zip(byfield, ([8, 9, 10], [11, 12, 13], [14, 15, 16])):
            rng.choice(byfield[field])["free"][target] = [rng.choice(hours)]
        for k in range(target):
            while self.possible(k):             # an earlier day must not work: one field is on holiday
                for d in byfield[rng.choice(sorted(byfield))]:
                    d["free"].pop(k, None)
        return (
            f"A patient needs cardiology, neurology and radiology on one day, in this order, each starting at a later hour than the one "
            f"before; any doctor of the field will do. Today is {self.first}; the calendar covers the next 60 days from today on. "
            "Which is the earliest possible day, and at which hours does the patient come? Use <tool_call>{\"name\": \"list_doctors\", \"arguments\": {\"field\": \"neurology\"}}"
            "</tool_call> and free_slots(doctor_id, week), with weeks 0 to 8 counted from today. Then <answer>YYYY-MM-DD H H H</answer>; "
            f"a wrong answer ends the episode. {self.max_turns} turns; several calls in a turn are fine."
        ), {}

    def possible(self, k):
        """All (cardiology, neurology, radiology) hours that work on day k."""
        one, two, three = (sorted({h for d in self.doctors.values() if d["field"] == f for h in d["free"].get(k, [])})
                           for f in ("cardiology", "neurology", "radiology"))
        return [(a, b, c) for a in one for b in two for c in three if a < b < c]

    def earliest(self):
        return next(k for k in range(60) if self.possible(k))

    def get_tools(self):
        def schema(name, text, **properties):
            return {"type": "function", "function": {"name": name, "description": text, "parameters": {
                "type": "object", "properties": properties, "required": list(properties)}}}
        return [
            schema("list_doctors", "Doctors of a field with their ids.", field={"type": "string", "enum": ["cardiology", "neurology", "radiology"]}),
            schema("free_slots", "Free starting hours of a doctor in one week, day by day.", doctor_id={"type": "string"},
                   week={"type": "integer", "description": "0 is the week that begins today"}),
        ]

    def execute_tool(self, name, arguments=None):
        arguments = arguments if isinstance(arguments, dict) else {}
        if name == "list_doctors":
            found = [f"{i} {d['name']}" for i, d in self.doctors.items() if d["field"] == arguments.get("field")]
            return {"output": "; ".join(found) or "Unknown field.", "returncode": 0 if found else 1}
        if name == "free_slots":
            who, week = arguments.get("doctor_id"), arguments.get("week")
            if not isinstance(who, str) or who not in self.doctors:
                return {"output": "Unknown doctor_id.", "returncode": 1}
            if type(week) is not int or not 0 <= week <= 8:
                return {"output": "week must be an integer from 0 to 8.", "returncode": 1}
            days = [(k, self.doctors[who]["free"].get(k)) for k in range(7 * week, min(60, 7 * week + 7))]
            text = "; ".join(f"{self.first + timedelta(days=k)}: {', '.join(map(str, h))}" for k, h in days if h)
            return {"output": text or "Nothing free in that week.", "returncode": 0}
        return {"output": "There are the tools list_doctors and free_slots.", "returncode": 1}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        calls = re.findall(r"<tool_call>(.*?)</tool_call>", action, re.S)
        if calls:
            outputs = []
            for text in calls:
                try:
                    data = json.loads(text)
                    outputs.append(self.execute_tool(str(data["name"]), data.get("arguments"))["output"])
                except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                    outputs.append("A call must be JSON with a name and arguments.")
            return "\n".join(outputs), 0.0, False, late, {}
        m = re.search(r"<answer>\s*([0-9]{4}-[0-9]{2}-[0-9]{2})((?:\s+[0-9]{1,2}){3})\s*</answer>", action)
        if not m:
            return "Send a <tool_call>, or <answer>YYYY-MM-DD H H H</answer> with the three hours in order.", 0.0, False, late, {}
        day, hours = self.earliest(), tuple(int(h) for h in m.group(2).split())
        if m.group(1) == (self.first + timedelta(days=day)).isoformat() and hours in self.possible(day):
            return "Booked. All three have time then.", 1.0, True, False, {}
        return "That is not possible, or not on the earliest day.", 0.0, True, False, {}

    def solution(self):
        text = yield "".join("<tool_call>" + json.dumps({"name": "list_doctors", "arguments": {"field": f}}) + "</tool_call>"
                             for f in ("cardiology", "neurology", "radiology"))
        fields = [[part.split()[0] for part in line.split("; ")] for line in text.split("\n") if line.strip()]
        for week in range(9):
            text = yield "".join("<tool_call>" + json.dumps({"name": "free_slots", "arguments": {"doctor_id": i, "week": week}}) +
                                 "</tool_call>" for ids in fields for i in ids)
            lines = iter([line for line in text.split("\n") if line.strip()])
            table = []
            for ids in fields:
                days = {}
                for _ in ids:
                    for day, hours in re.findall(r"([0-9]{4}-[0-9]{2}-[0-9]{2}): ([0-9, ]+)", next(lines)):
                        days.setdefault(day, []).extend(int(h) for h in hours.split(","))
                table.append(days)
            for day in sorted(set(table[0]) & set(table[1]) & set(table[2])):
                for a in table[0][day]:
                    for b in table[1][day]:
                        for c in table[2][day]:
                            if a < b < c:
                                yield f"<answer>{day} {a} {b} {c}</answer>"

    def hint(self):
        return "Ask for all doctors of a week in one turn; compare the hours day by day before you look at a later week."
