import json
import random

CATEGORIES = ["bolts", "gaskets", "pumps", "valves"]


class StockTotalEnv(ToolUseBaseEnv):
    """Single task: a sum over look-ups. The tools answer in JSON."""

    def __init__(self, max_turns=14, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        items = {}
        for number in rng.sample(range(1000, 9999), 24):
            items[f"SKU-{number}"] = {
                "category": rng.choice(CATEGORIES),
                "quantity": rng.randint(2, 90),
                "unit_price": rng.randint(150, 9900) / 100,
                "site": rng.choice(["Lund", "Metz", "Pori"]),
            }
        self._state = {"items": items}
        self.category, self.site = rng.choice(CATEGORIES), rng.choice(["Lund", "Metz", "Pori"])
        self.wanted = [k for k, v in items.items() if v["category"] == self.category and v["site"] == self.site]
        if not 2 <= len(self.wanted) <= 5:
            return self.reset(rng.randrange(2**31))
        self._expected_answer = round(sum(items[k]["quantity"] * items[k]["unit_price"] for k in self.wanted), 2)
        self._tools = {
            "list_items": {
                "description": "Numbers of the items of one category.",
                "parameters": {
                    "type": "object",
                    "properties": {"category": {"type": "string", "enum": CATEGORIES}},
                    "required": ["category"],
                },
            },
            "get_item": {
                "description": "Site, quantity and unit price of an item.",
                "parameters": {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]},
            },
        }
        return (
            f"What is the total value, in dollars, of all {self.category} stored at {self.site}? The value of an item is quantity times unit price. "
            "Use the tools, then give the total in answer tags, for example <answer>$1,234.50</answer>."
        ), {}

    def tool_list_items(self, category):
        return json.dumps({"category": category, "items": [k for k, v in self._state["items"].items() if v["category"] == category]})

    def tool_get_item(self, sku):
        item = self._state["items"].get(sku)
        if item is None:
            return json.dumps({"error": "unknown item"})
        return json.dumps({"sku": sku, "site": item["site"], "quantity": item["quantity"], "unit_price": item["unit_price"]})

    def solution(self):
        calls = [{"name": "list_items", "arguments": {"category": self.category}}]
        calls += [{"name": "get_item", "arguments": {"sku": k}} for k, v in self._state["items"].items() if v["category"] == self.category]
        joined = "\n".join(f"<tool_call>{json.dumps(c)}</tool_call>" for c in calls[1:])
        return [f"<tool_call>{json.dumps(calls[0])}</tool_call>", joined, f"<answer>${self._expected_answer:,.2f}</answer>"]

    def hint(self):
        return "The list does not tell the site, so every item of the category has to be looked up. Several calls fit into one reply."
