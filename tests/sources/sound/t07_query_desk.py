"""A mini query language over two tables; a join has to be done by hand."""
import json
import random
import re

DEPTS = ["sales", "press", "legal", "care", "lab"]
NAMES = ["Agda", "Bilal", "Cora", "Duc", "Elif", "Fritz", "Gala", "Hiro", "Ilse", "Jomo", "Kaia", "Levi", "Mina", "Nils", "Olga", "Pia"]


class QueryDeskEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=15, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        staff = [{"id": i, "name": n, "dept": rng.choice(DEPTS), "grade": rng.randint(1, 5)}
                 for i, n in zip(rng.sample(range(100, 999), len(NAMES)), NAMES)]
        self.dept, self.grade = rng.choice(DEPTS), rng.randint(2, 3)
        for p in rng.sample(staff, 4):
            p.update(dept=self.dept, grade=rng.randint(self.grade, 5))
        trips = [{"trip": 5000 + k, "staff_id": rng.choice(staff)["id"], "km": rng.randint(20, 900), "year": rng.choice([2022, 2023, 2024])} for k in range(60)]
        self.year = rng.choice([2022, 2023, 2024])
        chosen = {p["id"] for p in staff if p["dept"] == self.dept and p["grade"] >= self.grade}
        for t in rng.sample(trips, 5):
            t.update(staff_id=rng.choice(sorted(chosen)), year=self.year)
        self._state = {"tables": {"staff": staff, "trips": trips}}
        self.chosen = sorted(chosen)
        self._expected_answer = sum(t["km"] for t in trips if t["staff_id"] in chosen and t["year"] == self.year)
        self._tools = {"query": {
            "description": "SELECT <columns or *> FROM <table> [WHERE <column> <op> <value> [AND ...]]; op is one of = != < > <= >=. At most 12 rows are returned, OFFSET n skips rows.",
            "parameters": {"type": "object", "properties": {"sql": {"type": "string"}}, "required": ["sql"]}},
            "describe": {"description": "Columns of a table.",
                         "parameters": {"type": "object", "properties": {"table": {"type": "string", "enum": ["staff", "trips"]}}, "required": ["table"]}}}
        return (f"Tables: staff and trips (trips.staff_id refers to staff.id). How many kilometres did the employees of the {self.dept} department with "
                f"grade {self.grade} or higher travel in {self.year}, all together? <answer>number</answer>"), {}

    def tool_describe(self, table):
        return ", ".join(self._state["tables"][table][0])

    def tool_query(self, sql):
        m = re.fullmatch(r"\s*select\s+(.+?)\s+from\s+(\w+)(?:\s+where\s+(.+?))?(?:\s+offset\s+(\d{1,4}))?\s*;?\s*", sql, re.I | re.S)
        if not m or m.group(2).lower() not in self._state["tables"]:
            return "Error: cannot parse the query."
        rows = self._state["tables"][m.group(2).lower()]
        cols = list(rows[0]) if m.group(1).strip() == "*" else [c.strip().lower() for c in m.group(1).split(",")]
        if any(c not in rows[0] for c in cols):
            return "Error: unknown column in SELECT."
        for cond in re.split(r"\s+and\s+", m.group(3), flags=re.I) if m.group(3) else []:
            c = re.fullmatch(r"\s*(\w+)\s*(=|!=|<=|>=|<|>)\s*'?([\w .-]*?)'?\s*", cond)
            if not c or c.group(1).lower() not in rows[0] if rows else not c:
                return f"Error: bad condition {cond!r}."
            rows = [r for r in rows if self._test(r[c.group(1).lower()], c.group(2), c.group(3))]
            if not rows:
                return "(0 rows)"
        skip = int(m.group(4) or 0)
        part = rows[skip:skip + 12]
        more = f"\n... {len(rows) - skip - 12} more rows" if len(rows) > skip + 12 else ""
        return " | ".join(cols) + "\n" + "\n".join(" | ".join(str(r[c]) for c in cols) for r in part) + more

    @staticmethod
    def _test(value, op, text):
        if isinstance(value, int):
            if not re.fullmatch(r"-?\d{1,9}", text, re.A):
                return False
            other = int(text)
        else:
            value, other = value.lower(), text.lower()
        return {"=": value == other, "!=": value != other, "<": value < other, ">": value > other, "<=": value <= other, ">=": value >= other}[op]

    def solution(self):
        say = lambda sql: "<tool_call>" + json.dumps({"name": "query", "arguments": {"sql": sql}}) + "</tool_call>"
        acts = [say(f"SELECT id, grade FROM staff WHERE dept = '{self.dept}' AND grade >= {self.grade}")]
        acts += [say(f"SELECT km FROM trips WHERE staff_id = {i} AND year = {self.year}") for i in self.chosen]
        return acts + [f"<answer>{self._expected_answer}</answer>"]
