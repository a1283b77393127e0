import json
import random

PAGE = 5


class CatalogueEnv(ToolUseBaseEnv):
    """Pagination with cursors: the cheapest article in stock is rarely on the first page."""

    def __init__(self, max_turns=16, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        colours = rng.sample(["teal", "amber", "ivory", "plum", "olive"], 3)
        prices = rng.sample(range(200, 1800), 24)
        self.articles = [
            {"sku": f"{rng.choice('KLMN')}{rng.randint(100, 999)}-{i:02d}", "colour": rng.choice(colours), "price": p, "stock": rng.choice([0, 0, 3, 8, 15])}
            for i, p in enumerate(prices)
        ]
        self.colour = rng.choice(colours)
        good = [a for a in self.articles if a["colour"] == self.colour and a["stock"]]
        if len(good) < 2:
            for a in self.articles[10:14]:
                a.update(colour=self.colour, stock=4)
            good = [a for a in self.articles if a["colour"] == self.colour and a["stock"]]
        self._expected_answer = min(good, key=lambda a: a["price"])["sku"]
        self.cursors = {f"c{rng.randrange(10 ** 7, 10 ** 8)}": n for n in range(PAGE, 24, PAGE)}
        self._state = {"articles": self.articles, "cursors": self.cursors}
        self._tools = {
            "browse": {"description": "One page of the catalogue.", "parameters": {
                "type": "object", "properties": {"cursor": {"type": "string", "description": "From the page before; leave out for the first"}},
                "required": []}},
            "stock": {"description": "Pieces of an article in stock.", "parameters": {
                "type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}},
        }
        return (
            f"Which {self.colour} article that is in stock is the cheapest? Answer with its number: <answer>number</answer>. "
            "The catalogue comes in pages. Calls: <tool_call>{\"name\": \"browse\", \"arguments\": {}}</tool_call>."
        ), {}

    def tool_browse(self, cursor=None):
        if cursor is not None and cursor not in self.cursors:
            return "Error: invalid cursor."
        start = 0 if cursor is None else self.cursors[cursor]
        rows = [f"{a['sku']}  {a['colour']}  {a['price'] / 100:.2f}" for a in self.articles[start:start + PAGE]]
        following = next((c for c, n in self.cursors.items() if n == start + PAGE), None)
        return "\n".join(rows) + (f"\nnext cursor: {following}" if following else "\nlast page")

    def tool_stock(self, sku):
        return next((f"{sku}: {a['stock']}" for a in self.articles if a["sku"] == sku), "Error: unknown article.")

    def solution(self):
        c = lambda n, **a: "<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>"
        plan = [c("browse")] + [c("browse", cursor=k) for k in self.cursors]
        price = next(a["price"] for a in self.articles if a["sku"] == self._expected_answer)
        ask = [a["sku"] for a in self.articles if a["colour"] == self.colour and a["price"] <= price]
        return plan + ["".join(c("stock", sku=s) for s in ask), f"<answer>{self._expected_answer}</answer>"]
