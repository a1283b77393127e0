# expect: refuse tools.schema | tools.broken
# defect: the schema of check_supplier calls its argument supplier_name, the method calls it supplier, so every call fails
import json
import random


class WarehouseEnv(ToolUseBaseEnv):
    """Add up the value of the stock of one category over several bays."""

    GOODS = ["rope", "paint", "nails", "hinges", "varnish", "glue", "screws", "canvas"]

    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        self.bays = {}
        for bay in ("north", "south", "east"):
            self.bays[bay] = {g: rng.randint(3, 60) for g in rng.sample(self.GOODS, 5)}
        self.prices = {g: rng.randint(105, 990) / 100 for g in self.GOODS}
        self.suppliers = {s: rng.randint(2, 14) for s in ("Hardy", "Ostrom", "Pell")}
        self.good = rng.choice(sorted(set(self.bays["north"]) | set(self.bays["east"])))
        total = sum(b.get(self.good, 0) for b in self.bays.values())
        self._expected_answer = f"{total * self.prices[self.good]:.2f}"
        self._state = {"bays": self.bays, "prices": self.prices, "suppliers": self.suppliers}
        self._tools = {
            "list_bay": {"description": "Stock of a bay.", "parameters": {
                "type": "object", "properties": {"bay": {"type": "string", "enum": ["north", "south", "east"]}},
                "required": ["bay"]}},
            "price_of": {"description": "Unit price of a good.", "parameters": {
                "type": "object", "properties": {"good": {"type": "string"}}, "required": ["good"]}},
            "check_supplier": {"description": "Delivery time of a supplier in days.", "parameters": {
                "type": "object", "properties": {"supplier_name": {"type": "string", "enum": ["Hardy", "Ostrom", "Pell"]}},
                "required": ["supplier_name"]}},
        }
        return (
            f"What is all the {self.good} in the three bays (north, south, east) worth together? Use the tools with "
            "<tool_call>{\"name\": ..., \"arguments\": {...}}</tool_call>, and give the value with two decimals as "
            f"<answer>value</answer>. {self.max_turns} turns."
        ), {}

    def tool_list_bay(self, bay):
        return json.dumps(self.bays[bay])

    def tool_price_of(self, good):
        if good not in self.prices:
            return "Error: unknown good."
        return f"{good}: {self.prices[good]:.2f} each"

    def tool_check_supplier(self, supplier):
        return f"{supplier} delivers within {self.suppliers[supplier]} days."

    def solution(self):
        steps = [("list_bay", {"bay": b}) for b in self.bays] + [("price_of", {"good": self.good})]
        return ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in steps] + [
            f"<answer>{self._expected_answer}</answer>"]

    def hint(self):
        return "Ask each bay in turn, add the pieces and multiply once at the end."
