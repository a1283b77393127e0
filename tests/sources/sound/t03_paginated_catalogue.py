"""Product catalogue behind a cursor; the best price per litre among products in stock."""
import json
import random

BRANDS = ["Alpina", "Boreas", "Cirrus", "Dorada", "Etna", "Fjordal", "Galene"]
KINDS = ["shampoo", "detergent", "syrup", "vinegar"]


class CatalogueEnv(ToolUseBaseEnv):
    max_turns = 25

    def __init__(self, max_turns=25):
        super().__init__(max_turns=max_turns)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        while True:
            items = []
            for sku in rng.sample(range(1000, 9999), 36):
                ml = rng.choice([250, 330, 500, 750, 1000, 1500])
                items.append({"sku": f"P{sku}", "brand": rng.choice(BRANDS), "kind": rng.choice(KINDS), "ml": ml,
                              "price": round(ml / 1000 * rng.uniform(2.1, 9.9), 2), "stock": rng.choice([0, 0, 3, 12, 40])})
            self.kind = rng.choice(KINDS)
            pool = [i for i in items if i["kind"] == self.kind and i["stock"] > 0]
            ratios = sorted(i["price"] / i["ml"] for i in pool)
            if len(pool) >= 4 and ratios[1] - ratios[0] > 1e-6:
                break
        best = min(pool, key=lambda i: i["price"] / i["ml"])
        self._state = {"items": items, "requests": 0}
        self._cursors = {0: ""} | {k: f"c{rng.randrange(16 ** 6):06x}" for k in range(8, 36, 8)}
        self._expected_answer = best["sku"]
        self._tools = {
            "browse": {
                "description": "Products, eight at a time. Pass the cursor of the last reply to go on.",
                "parameters": {"type": "object", "properties": {"cursor": {"type": "string", "default": ""}}, "required": []},
            },
            "stock": {
                "description": "Units in stock of several products.",
                "parameters": {"type": "object", "properties": {"skus": {"type": "array", "items": {"type": "string"}, "minItems": 1}}, "required": ["skus"]},
            },
            "divide": {
                "description": "a / b, to six digits.",
                "parameters": {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "required": ["a", "b"]},
            },
        }
        return (f"Which {self.kind} that is in stock is cheapest per litre? Reply with its SKU in <answer></answer>. "
                "The catalogue lists size and price, stock is asked separately."), {}

    def tool_browse(self, cursor=""):
        self._state["requests"] += 1
        start = next((k for k, c in self._cursors.items() if c == cursor), None)
        if start is None:
            return json.dumps({"error": "invalid cursor"})
        rows = [{k: i[k] for k in ("sku", "brand", "kind", "ml", "price")} for i in self._state["items"][start:start + 8]]
        return json.dumps({"items": rows, "next": self._cursors.get(start + 8)})

    def tool_stock(self, skus):
        known = {i["sku"]: i["stock"] for i in self._state["items"]}
        return json.dumps({str(s): known.get(s, "unknown") for s in skus[:20]})

    def tool_divide(self, a, b):
        return f"{a / b:.6f}"          # a division by zero is reported as a failed call

    def solution(self):
        acts = [("browse", {"cursor": c} if c else {}) for c in self._cursors.values()]
        acts.append(("stock", {"skus": [i["sku"] for i in self._state["items"] if i["kind"] == self.kind]}))
        return ['<tool_call>{"name": "%s", "arguments": %s}</tool_call>' % (n, json.dumps(a)) for n, a in acts] + [
            f"<answer>{self._expected_answer}</answer>"]

    def hint(self):
        return "Walk through all pages until no next cursor comes back, then ask for the stock of every product of the kind in one call."
