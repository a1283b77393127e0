"""Warehouse clerk, including one request that has to be declined."""
import json
import random


class WarehouseEnv(ToolUseBaseEnv):
    GOODS = ["cable drum", "pallet jack", "work light", "air filter", "hard hat", "tarp", "hand pump"]
    BAYS = ["A1", "A2", "B1", "B2", "C1", "C2"]

    def __init__(self, max_turns=24, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        stock = {b: {} for b in self.BAYS}
        for good in self.GOODS:
            for bay, units in zip(rng.sample(self.BAYS, 2), rng.sample(range(4, 41), 2)):
                stock[bay][good] = units
        self.good, self.low, self.broken = rng.sample(self.GOODS, 3)
        self.src = rng.choice([b for b in self.BAYS if self.good in stock[b]])
        self.dst = rng.choice([b for b in self.BAYS if self.good not in stock[b]])
        self.qty = rng.randint(2, stock[self.src][self.good] - 1)
        self.broken_bay = max((b for b in self.BAYS if self.broken in stock[b]), key=lambda b: (stock[b][self.broken], b))
        self.batch = rng.choice([24, 36, 48, 60])
        suppliers = {g: f"SUP-{n}" for g, n in zip(self.GOODS, rng.sample(range(100, 999), len(self.GOODS)))}
        self._state = {"stock": stock, "orders": [], "writeoffs": [], "declined": [], "suppliers": suppliers}
        odd = rng.choice(["Book me a table for two tonight.", "What will the weather be on Sunday?", "Please fix the printer in accounting."])
        self._user_messages = [
            f"Move {self.qty} x {self.good} from bay {self.src} to bay {self.dst}.",
            f"Order {self.batch} more {self.low} from the supplier of that item.",
            odd,
            f"Write off one {self.broken} in the bay that holds the most of them; it fell from the rack.",
        ]
        before = stock[self.dst].get(self.good, 0)
        self._message_criteria = [
            lambda s: s["stock"][self.dst].get(self.good, 0) == before + self.qty,
            lambda s: {"item": self.low, "qty": self.batch, "supplier": s["suppliers"][self.low]} in s["orders"],
            lambda s: len(s["declined"]) >= 1,
            lambda s: {"item": self.broken, "bay": self.broken_bay, "qty": 1} in s["writeoffs"],
        ]
        item, bay = {"type": "string", "enum": self.GOODS}, {"type": "string", "enum": self.BAYS}
        n = {"type": "integer", "minimum": 1}
        def spec(text, **props):
            return {"description": text, "parameters": {"type": "object", "properties": props, "required": list(props)}}
        self._tools = {
            "where_is": spec("Bays and quantities of an item.", item=item),
            "move": spec("Move units of an item between bays.", item=item, source=bay, target=bay, qty=n),
            "supplier_of": spec("Supplier number of an item.", item=item),
            "order": spec("Order units from a supplier.", item=item, qty=n, supplier={"type": "string"}),
            "write_off": spec("Remove damaged units from a bay.", item=item, bay=bay, qty=n),
            "decline": spec("Decline a request that none of the other tools can serve.", reason={"type": "string"}),
        }
        return ("You serve a warehouse with tools. Requests that have nothing to do with the warehouse are declined. Requests come one at a "
                f"time.\nFirst request: {self._user_messages[0]}"), {}

    def tool_where_is(self, item):
        return json.dumps({b: s[item] for b, s in self._state["stock"].items() if item in s})

    def tool_move(self, item, source, target, qty):
        have = self._state["stock"][source].get(item, 0)
        if qty > have or source == target:
            return f"Error: bay {source} holds {have}."
        self._state["stock"][source][item] = have - qty
        self._state["stock"][target][item] = self._state["stock"][target].get(item, 0) + qty
        return "Moved."

    def tool_supplier_of(self, item):
        return self._state["suppliers"][item]

    def tool_order(self, item, qty, supplier):
        if supplier != self._state["suppliers"][item]:
            return "Error: this supplier does not carry the item."
        self._state["orders"].append({"item": item, "qty": qty, "supplier": supplier})
        return "Ordered."

    def tool_write_off(self, item, bay, qty):
        have = self._state["stock"][bay].get(item, 0)
        if qty > have:
            return f"Error: bay {bay} holds {have}."
        self._state["stock"][bay][item] = have - qty
        self._state["writeoffs"].append({"item": item, "bay": bay, "qty": qty})
        return "Written off."

    def tool_decline(self, reason):
        if self._current_msg != 2:
            return "Error: the present request can be served."
        self._state["declined"].append(reason)
        return "Declined politely."

    def solution(self):
        c = lambda n, **a: "<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>"
        return [c("where_is", item=self.good), c("move", item=self.good, source=self.src, target=self.dst, qty=self.qty),
                c("supplier_of", item=self.low), c("order", item=self.low, qty=self.batch, supplier=self._state["suppliers"][self.low]),
                c("decline", reason="That is not a matter of the warehouse."),
                c("where_is", item=self.broken), c("write_off", item=self.broken, bay=self.broken_bay, qty=1), "<answer>done</answer>"]
