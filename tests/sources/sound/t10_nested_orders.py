import json
import random

CITIES = ["Arles", "Bruges", "Cork", "Delft"]


class NestedOrdersEnv(ToolUseBaseEnv):
    """Array and nested object arguments; malformed ones are answered, not raised."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        goods = rng.sample(["twine", "lamp oil", "soap", "candles", "tar", "canvas", "nails", "chalk"], 6)
        skus = [f"G{n}" for n in rng.sample(range(100, 999), 6)]
        self.catalogue = dict(zip(skus, goods))
        clients = {n: {"street": f"{rng.randint(2, 90)} {rng.choice(['Mill', 'Park', 'Quay', 'Well'])} Street", "city": rng.choice(CITIES)}
                   for n in rng.sample(["Abel", "Berta", "Carl", "Doris", "Egon"], 3)}
        self._state = {"clients": clients, "orders": {}, "labels": {}}
        self.client = rng.choice(sorted(clients))
        a, b, c = rng.sample(skus, 3)
        self.lines = [{"sku": a, "quantity": rng.randint(2, 40)}, {"sku": b, "quantity": rng.randint(2, 40)}]
        self.fragile = sorted(rng.sample(skus, 3))
        want = sorted((x["sku"], x["quantity"]) for x in self.lines)
        address = clients[self.client]
        self._user_messages = [
            f"{self.client} orders {self.lines[0]['quantity']} {self.catalogue[a]} and {self.lines[1]['quantity']} {self.catalogue[b]} in one order, to the address in the file.",
            "Label exactly these as fragile, with one call: " + ", ".join(self.catalogue[s] for s in self.fragile) + ".",
        ]

        def ordered(s):
            return len(s["orders"]) == 1 and all(
                o["address"] == address and sorted((x["sku"], x["quantity"]) for x in o["items"]) == want for o in s["orders"].values())

        self._message_criteria = [ordered, lambda s: s["labels"].get("fragile") == self.fragile]
        self._tools = {
            "catalogue": {"description": "Numbers and names of all goods.", "parameters": {"type": "object", "properties": {}}},
            "client_file": {"description": "Address of a client.", "parameters": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
            "place_order": {"description": "Place an order.", "parameters": {"type": "object", "properties": {
                "items": {"type": "array", "minItems": 1, "items": {"type": "object", "properties": {
                    "sku": {"type": "string"}, "quantity": {"type": "integer", "minimum": 1}}, "required": ["sku", "quantity"]}},
                "address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string", "enum": CITIES}}, "required": ["street", "city"]}},
                "required": ["items", "address"]}},
            "cancel_orders": {"description": "Cancel all orders placed so far.", "parameters": {"type": "object", "properties": {}}},
            "set_label": {"description": "Give a label to a set of goods, in place of the former set.", "parameters": {"type": "object", "properties": {
                "label": {"type": "string", "enum": ["fragile", "heavy", "liquid"]}, "skus": {"type": "array", "items": {"type": "string"}}}, "required": ["label", "skus"]}},
        }
        return f"Mail order desk.\n{self._user_messages[0]}\nThe next request follows; at the end <answer>done</answer>.", {}

    def tool_catalogue(self):
        return json.dumps(self.catalogue)

    def tool_client_file(self, name):
        return json.dumps(self._state["clients"].get(name, {"error": "no such client"}))

    def tool_place_order(self, items, address):
        lines = []
        for item in items:
            if not isinstance(item, dict) or str(item.get("sku")) not in self.catalogue or type(item.get("quantity")) is not int or item["quantity"] < 1:
                return json.dumps({"error": "every item needs a known sku and a quantity of at least 1"})
            lines.append({"sku": str(item["sku"]), "quantity": item["quantity"]})
        if not lines or {"street", "city"} - set(address):
            return json.dumps({"error": "items, street and city are needed"})
        number = f"O{len(self._state['orders']) + 1}"
        self._state["orders"][number] = {"items": lines, "address": {"street": address["street"], "city": address["city"]}}
        return json.dumps({"order": number, "lines": len(lines)})

    def tool_cancel_orders(self):
        self._state["orders"].clear()
        return json.dumps({"orders": 0})

    def tool_set_label(self, label, skus):
        if any(not isinstance(s, str) or s not in self.catalogue for s in skus):
            return json.dumps({"error": "unknown sku"})
        self._state["labels"][label] = sorted(set(skus))
        return json.dumps({"label": label, "count": len(set(skus))})

    def solution(self):
        plan = [{"name": "catalogue"}, {"name": "client_file", "arguments": {"name": self.client}},
                {"name": "place_order", "arguments": {"items": self.lines, "address": self._state["clients"][self.client]}},
                {"name": "set_label", "arguments": {"label": "fragile", "skus": self.fragile}}]
        return [f"<tool_call>{json.dumps(c)}</tool_call>" for c in plan] + ["<answer>done</answer>"]
