# statistics module, nested lookups, single-answer tool environment; defensive getters; prints and a __main__ block
import json
import random
import statistics


class PayrollEnv(ToolUseBaseEnv):
    """Median yearly pay of a department, allowances included."""

    def __init__(self, max_turns=24, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed=seed)
        rng = random.Random(seed)
        departments = rng.sample(["Acoustics", "Binding", "Customs", "Dyeing", "Export", "Forge"], 4)
        grades = {f"G{g}": rng.randrange(21000, 70000, 100) + rng.randint(1, 99) for g in range(1, 7)}
        staff = {}
        for number in rng.sample(range(1000, 9999), 24):
            staff[f"E{number}"] = {"department": rng.choice(departments), "grade": f"G{rng.randint(1, 6)}", "hours": rng.choice([20, 25, 30, 40]),
                                   "allowance": rng.randint(0, 3000), "left": rng.random() < 0.15}
        counts = {d: sum(p["department"] == d and not p["left"] for p in staff.values()) for d in departments}
        self.department = max(departments, key=lambda d: (counts[d] % 2, counts[d], d))
        self._state = {"grades": grades, "staff": staff, "departments": departments}
        self._expected_answer = f"{statistics.median(self._pay(p) for p in self._members()):.2f}"
        self._tools = {
            "members": {"description": "Staff numbers of a department, former members included.",
                        "parameters": {"type": "object", "properties": {"department": {"type": "string", "enum": sorted(departments)}},
                                       "required": ["department"]}},
            "person": {"description": "Grade, weekly hours, yearly allowance and status of one person.",
                       "parameters": {"type": "object", "properties": {"staff_number": {"type": "string"}}, "required": ["staff_number"]}},
            "grade_pay": {"description": "Yearly pay of a grade for 40 hours a week.",
                          "parameters": {"type": "object", "properties": {"grade": {"type": "string"}}, "required": ["grade"]}},
        }
        return (f"What is the median yearly pay in the department {self.department}? Pay is the grade's pay times hours / 40, plus the allowance; "
                "people who have left do not count. Tools: members(department), person(staff_number), grade_pay(grade), each as <tool_call>"
                "{\"name\": ..., \"arguments\": {...}}</tool_call>; many calls fit into one turn. "
                f"Close with <answer>12345.67</answer>. {self.max_turns} turns."), {}

    def _members(self):
        return [p for p in self._state["staff"].values() if p["department"] == self.department and not p["left"]]

    def _pay(self, p):
        return self._state["grades"][p["grade"]] * p["hours"] / 40 + p["allowance"]

    def tool_members(self, department):
        found = [n for n, p in self._state["staff"].items() if p["department"] == department]
        return ", ".join(found) or "No such department."

    def tool_person(self, staff_number):
        p = self._state["staff"].get(staff_number)
        if p is None:
            return "No such staff number."
        status = "has left" if p["left"] else "active"
        return f"{staff_number}: grade {p['grade']}, {p['hours']} hours, allowance {p['allowance']}, {status}"

    def tool_grade_pay(self, grade):
        pay = self._state["grades"].get(grade)
        return "No such grade." if pay is None else f"{grade}: {pay}"

    def solution(self):
        def wrap(pairs):
            return "".join("<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in pairs)

        numbers = [n for n, p in self._state["staff"].items() if p["department"] == self.department]
        return [wrap([("members", {"department": self.department})]),
                wrap([("person", {"staff_number": n}) for n in numbers]),
                wrap([("grade_pay", {"grade": g}) for g in sorted({p["grade"] for p in self._members()})]),
                f"<answer>{self._expected_answer}</answer>"]

    def hint(self):
        return "Leave out former members, compute each remaining person's pay, sort, and take the middle."


if __name__ == "__main__":
    env = PayrollEnv()
    print(env.reset(seed=5)[0])
    for action in env.solution():
        print(env.step(action)[0])
