import json
import random


class RefundDeskEnv(ToolUseBaseEnv):
    """Refunds have to be worked out: price times pieces, less a handling fee that depends on the age of the order."""

    def __init__(self, max_turns=14, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        goods = rng.sample(["kettle", "lamp", "rug", "blender", "clock", "shelf", "mirror"], 5)
        ids = rng.sample(range(20000, 80000), 5)
        self._state = {"orders": {}, "refunds": {}}
        for number, good in zip(ids, goods):
            self._state["orders"][number] = {"item": good, "price": rng.randint(11, 140), "pieces": rng.randint(3, 9),
                                             "days": rng.choice([5, 12, 20, 33, 48])}
        self.one, self.two = ids[0], ids[3]
        o = self._state["orders"]
        self.broken = rng.randint(2, o[self.two]["pieces"])
        amount1 = self._due(self.one, o[self.one]["pieces"])
        amount2 = self._due(self.two, self.broken)
        self.amounts = [amount1, amount2]
        self._user_messages = [
            f"Refund the whole {o[self.one]['item']} order.",
            f"{self.broken} pieces of the {o[self.two]['item']} order arrived broken; refund those only.",
        ]
        one, two = self.one, self.two
        self._message_criteria = [
            lambda s: s["refunds"].get(one) == amount1,
            lambda s: s["refunds"].get(two) == amount2,
        ]
        self._tools = {
            "orders": {"description": "Order numbers by item.", "parameters": {"type": "object", "properties": {}}},
            "order": {"description": "Price per piece, pieces and age of an order.", "parameters": {
                "type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}},
            "policy": {"description": "The refund rules.", "parameters": {"type": "object", "properties": {}}},
            "refund": {"description": "Pay back an amount; a second refund replaces the first.", "parameters": {
                "type": "object", "properties": {"number": {"type": "integer"}, "amount": {"type": "integer", "minimum": 1}},
                "required": ["number", "amount"]}},
        }
        return (
            "Refund desk. Reply with <tool_call>{\"name\": \"policy\", \"arguments\": {}}</tool_call> and so on; end with "
            "<answer>done</answer>.\nCustomer service: " + self._user_messages[0]
        ), {}

    def _due(self, number, pieces):
        order = self._state["orders"][number]
        return order["price"] * pieces - (0 if order["days"] <= 14 else 5 if order["days"] <= 30 else 9)

    def tool_orders(self):
        return json.dumps({o["item"]: n for n, o in self._state["orders"].items()})

    def tool_order(self, number):
        o = self._state["orders"].get(number)
        return f"{o['price']} per piece, {o['pieces']} pieces, {o['days']} days old" if o else "Error: unknown order."

    def tool_policy(self):
        return "Full price of the pieces up to 14 days; up to 30 days less a fee of 5 per refund, later less a fee of 9."

    def tool_refund(self, number, amount):
        if number not in self._state["orders"]:
            return "Error: unknown order."
        self._state["refunds"][number] = amount
        return f"{amount} paid back on order {number}."

    def solution(self):
        def call(name_, **kw):
            return "<tool_call>" + json.dumps({"name": name_, "arguments": kw}) + "</tool_call>"

        plan = [call("policy") + call("orders")]
        for number, amount in zip((self.one, self.two), self.amounts):
            plan += [call("order", number=number), call("refund", number=number, amount=amount)]
        return plan + ["<answer>done</answer>"]

    def hint(self):
        return "Read the rules before paying anything. Multiply, then take off the fee once. A wrong payment can be replaced."
