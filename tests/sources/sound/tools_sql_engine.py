"""Tiny SQL-like engine over list-of-dicts; the agent composes a query."""
import json, random, re, operator
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Tuple

Row = Dict[str, Any]
OPS: Dict[str, Callable[[Any, Any], bool]] = {"=": operator.eq, "!=": operator.ne, ">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}

@dataclass
class Query:
    table: str
    columns: List[str] = field(default_factory=lambda: ["*"])
    where: List[Tuple[str, str, Any]] = field(default_factory=list)
    order_by: str = ""
    limit: int = 0

class QueryError(Exception):
    def __init__(self, message: str, token: str = "") -> None:
        super().__init__(message)
        self.token = token

class Engine:
    PATTERN = re.compile(r"^\s*select\s+(?P<cols>[\w\s,*]+?)\s+from\s+(?P<table>\w+)(?:\s+where\s+(?P<where>.+?))?(?:\s+order\s+by\s+(?P<order>\w+))?(?:\s+limit\s+(?P<limit>\d{1,4}))?\s*;?\s*$", re.I)
    COND = re.compile(r"^\s*(\w+)\s*(>=|<=|!=|=|>|<)\s*('([^']*)'|-?\d{1,9})\s*$")
    def __init__(self, tables: Dict[str, List[Row]]): self.tables = tables
    def parse(self, text: str) -> Query:
        if (m := self.PATTERN.match(text[:500])) is None:
            raise QueryError("syntax error", text[:20])
        q = Query(m["table"].lower(), [c.strip() for c in m["cols"].split(",")], order_by=m["order"] or "", limit=int(m["limit"] or 0))
        for part in re.split(r"\s+and\s+", m["where"] or "", flags=re.I):
            if not part.strip(): continue
            c = self.COND.match(part)
            if c is None: raise QueryError("bad condition", part)
            q.where.append((c[1], c[2], c[4] if c[4] is not None else int(c[3])))
        return q
    def run(self, text: str) -> List[Row]:
        q = self.parse(text)
        if q.table not in self.tables: raise QueryError(f"no table {q.table!r}")
        rows = self.tables[q.table]
        try:
            rows = [r for r in rows if all(OPS[op](r[k], v) for k, op, v in q.where)]
            if q.order_by: rows = sorted(rows, key=operator.itemgetter(q.order_by))
        except (KeyError, TypeError) as e:
            raise QueryError(f"bad column or type: {e}") from e
        rows = rows[: q.limit or None]
        return rows if q.columns == ["*"] else [{c: r.get(c) for c in q.columns} for r in rows]

class WarehouseSqlEnv(ToolUseBaseEnv):
    def reset(self, seed: int = None):
        rng = random.Random(seed)
        self.turn_count = 0
        rows = [{"sku": f"P{rng.randint(100, 999)}", "dept": rng.choice(["tools", "toys", "food"]), "qty": rng.randint(0, 80), "price": rng.randint(2, 900)} for _ in range(30)]
        self.engine = Engine({"items": rows})
        self.dept = rng.choice(["tools", "toys", "food"])
        self.cut = rng.randint(20, 50)
        self._state = {"items": rows}
        self._tools = {"query": {"description": "Run SELECT ... FROM items WHERE ... ORDER BY ... LIMIT n.", "parameters": {"type": "object", "properties": {"sql": {"type": "string"}}, "required": ["sql"]}}}
        self._expected_answer = str(sum(r["price"] for r in rows if r["dept"] == self.dept and r["qty"] > self.cut))
        return f"Table items(sku, dept, qty, price). Sum of price over dept '{self.dept}' with qty > {self.cut}? <answer>N</answer>", {"tables": ["items"]}
    def tool_query(self, sql: str) -> str:
        try:
            result = self.engine.run(sql)
        except QueryError as err:
            return f"Error: {err} near {err.token!r}"
        else:
            return json.dumps(result, indent=None)
    def solution(self) -> str:
        return f"query(sql=\"SELECT price FROM items WHERE dept='{self.dept}' AND qty>{self.cut}\") and sum. Final answer: {self._expected_answer}"
