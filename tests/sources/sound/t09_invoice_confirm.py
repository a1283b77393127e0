"""Prepare an invoice draft step by step; the confirmation code of the finished invoice is the answer."""
import hashlib
import json
import random
from decimal import Decimal

PRODUCTS = {"beam": "12.40", "panel": "33.15", "hinge": "2.85", "bolt box": "7.60", "sealant": "9.95", "bracket": "4.20", "primer": "18.75"}
CLIENTS = ["Halden Works", "Mirabel Ltd", "Oxbow Joinery", "Pallas Roofing", "Quarry Lane Homes"]


class InvoiceEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=18, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        self.rng = random.Random(seed)
        rng = self.rng
        ids = {c: f"CL-{rng.randint(1000, 9999)}" for c in CLIENTS}
        terms = {c: rng.choice([10, 14, 21, 30, 45]) for c in CLIENTS}
        self.client = rng.choice(CLIENTS)
        self.lines = [(p, rng.randint(2, 60)) for p in rng.sample(sorted(PRODUCTS), 3)]
        self.salt = rng.randrange(10 ** 9)
        self._state = {"ids": ids, "terms": terms, "draft": None}
        self._expected_answer = self._code(ids[self.client], dict(self.lines), terms[self.client])
        s, i = {"type": "string"}, {"type": "integer", "minimum": 1}
        self._tools = {
            "get_client": {"description": "Client number and payment terms.", "parameters": {"type": "object", "properties": {"name": s}, "required": ["name"]}},
            "start_draft": {"description": "Begin an empty draft; replaces the present one.", "parameters": {"type": "object", "properties": {"client_id": s}, "required": ["client_id"]}},
            "add_line": {"description": "Add a line to the draft.", "parameters": {
                "type": "object", "properties": {"product": {"type": "string", "enum": sorted(PRODUCTS)}, "quantity": i}, "required": ["product", "quantity"]}},
            "set_terms": {"description": "Days until payment.", "parameters": {"type": "object", "properties": {"days": {"type": "integer", "enum": [10, 14, 21, 30, 45]}}, "required": ["days"]}},
            "finalise": {"description": "Issue the draft; returns the confirmation code.", "parameters": {"type": "object", "properties": {}}},
        }
        wanted = "; ".join(f"{q} x {p}" for p, q in self.lines)
        return (f"Issue one invoice to {self.client} over {wanted}. Use the payment terms on the client's record. "
                "When it is issued you get a confirmation code: answer with it. A wrong invoice has another code."), {}

    def _code(self, client_id, lines, days):
        total = sum(Decimal(PRODUCTS[p]) * q for p, q in lines.items())
        text = json.dumps([client_id, sorted(lines.items()), days, str(total), self.salt])
        return "CF-" + hashlib.sha256(text.encode()).hexdigest()[:8].upper()

    def tool_get_client(self, name):
        name = next((c for c in CLIENTS if c.lower() == name.strip().lower()), None)
        if name is None:
            return f"Error: no client of that name. Known: {', '.join(CLIENTS)}"
        return json.dumps({"name": name, "client_id": self._state["ids"][name], "terms_days": self._state["terms"][name]})

    def tool_start_draft(self, client_id):
        if client_id not in self._state["ids"].values():
            return "Error: unknown client number."
        self._state["draft"] = {"client": client_id, "lines": {}, "days": None}
        return "Draft opened."

    def tool_add_line(self, product, quantity):
        d = self._state["draft"]
        if d is None:
            return "Error: there is no draft."
        d["lines"][product] = d["lines"].get(product, 0) + quantity
        return json.dumps(d["lines"])

    def tool_set_terms(self, days):
        if self._state["draft"] is None:
            return "Error: there is no draft."
        self._state["draft"]["days"] = days
        return f"Terms: {days} days."

    def tool_finalise(self):
        d = self._state["draft"]
        if d is None or not d["lines"] or d["days"] is None:
            return "Error: the draft is incomplete."
        self._state["draft"] = None
        return f"Issued. Confirmation code {self._code(d['client'], d['lines'], d['days'])}"

    def solution(self):
        cid = self._state["ids"][self.client]
        calls = [("get_client", {"name": self.client}), ("start_draft", {"client_id": cid})]
        calls += [("add_line", {"product": p, "quantity": q}) for p, q in self.lines]
        calls += [("set_terms", {"days": self._state["terms"][self.client]}), ("finalise", {})]
        return ["<tool_call>%s</tool_call>" % json.dumps({"name": n, "arguments": a}) for n, a in calls] + [
            "<answer>%s</answer>" % self._expected_answer]
