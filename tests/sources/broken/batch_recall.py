# expect: refuse leak.schema
# defect: the example in a tool's parameter description is the very batch number that is asked for
import json
import random


class BatchRecallEnv(ToolUseBaseEnv):
    """Trace a complaint back to a production batch."""

    def __init__(self, max_turns=14, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        shops = rng.sample(["Bern", "Basel", "Genf", "Zug", "Sion", "Thun"], 4)
        batches = [f"BT-{n}" for n in rng.sample(range(10000, 99999), 9)]
        self._state = {"batches": {}, "deliveries": {s: [] for s in shops}}
        for batch in batches:
            self._state["batches"][batch] = {
                "line": rng.randint(1, 4), "temperature": rng.randint(62, 79), "minutes": rng.randint(10, 30), "operator": rng.choice(["K1", "K2", "K3"])}
            for shop in rng.sample(shops, 2):
                self._state["deliveries"][shop].append(batch)
        self.shop = max(shops, key=lambda s: (len(self._state["deliveries"][s]), s))
        dose = {b: v["temperature"] * v["minutes"] for b, v in self._state["batches"].items()}
        self._expected_answer = min(self._state["deliveries"][self.shop], key=lambda b: (dose[b], b))
        self._tools = {
            "deliveries_to": {
                "description": "Batches that a shop received.",
                "parameters": {"type": "object", "properties": {"shop": {"type": "string"}}, "required": ["shop"]},
            },
            "batch_record": {
                "description": "Line, temperature, minutes and operator of a batch.",
                "parameters": {
                    "type": "object",
                    "properties": {"batch": {"type": "string", "description": f"batch number, for example {self._expected_answer}"}},
                    "required": ["batch"],
                },
            },
            "operator_shift": {
                "description": "Shift of an operator.",
                "parameters": {"type": "object", "properties": {"operator": {"type": "string", "enum": ["K1", "K2", "K3"]}}, "required": ["operator"]},
            },
        }
        return (
            f"A customer in {self.shop} fell ill. Of the batches delivered there, find the one that was heated least "
            "(temperature times minutes; of equal ones the smaller number). Reply <answer>BATCH</answer>."
        ), {}

    def tool_deliveries_to(self, shop):
        return ", ".join(self._state["deliveries"].get(shop, [])) or "No deliveries there."

    def tool_batch_record(self, batch):
        record = self._state["batches"].get(batch)
        return json.dumps(record) if record else "No such batch."

    def tool_operator_shift(self, operator):
        return {"K1": "early", "K2": "late", "K3": "night"}.get(operator, "unknown")

    def solution(self):
        calls = [{"name": "deliveries_to", "arguments": {"shop": self.shop}}]
        calls += [{"name": "batch_record", "arguments": {"batch": b}} for b in self._state["deliveries"][self.shop]]
        return [f"<tool_call>{json.dumps(c)}</tool_call>" for c in calls] + [f"<answer>{self._expected_answer}</answer>"]
