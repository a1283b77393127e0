import json
import random

# Only four different afternoons exist; the seed picks one of them.
AFTERNOONS = (
    {"dish": "lentil soup", "guests": 7, "shelf": {"lentils": 2, "onions": 5, "stock": 1}, "needs": {"lentils": 70, "onions": 1, "stock": 250}, "shop": "corner"},
    {"dish": "plum cake", "guests": 9, "shelf": {"plums": 4, "flour": 1, "sugar": 3}, "needs": {"plums": 5, "flour": 40, "sugar": 25}, "shop": "market"},
    {"dish": "bean stew", "guests": 6, "shelf": {"beans": 3, "tomatoes": 8, "thyme": 1}, "needs": {"beans": 90, "tomatoes": 2, "thyme": 3}, "shop": "corner"},
    {"dish": "rice pudding", "guests": 11, "shelf": {"rice": 5, "milk": 2, "vanilla": 4}, "needs": {"rice": 45, "milk": 180, "vanilla": 1}, "shop": "market"},
)


class FourAfternoonsEnv(ToolUseBaseEnv):
    """A tools environment with few instances (four), all hand-written."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        case = AFTERNOONS[random.Random(seed).randrange(len(AFTERNOONS))]
        self.case = case
        self._state = {"shelf": dict(case["shelf"]), "basket": {}, "paid_at": None, "menu": None}
        self.missing = {k: case["guests"] * v - case["shelf"][k] for k, v in case["needs"].items()}
        self.missing = {k: v for k, v in self.missing.items() if v > 0}
        shop, dish, missing = case["shop"], case["dish"], self.missing
        self._user_messages = [
            f"We cook {dish} for {case['guests']} guests tonight. Put what is missing into the basket: exactly the missing units of each ingredient, not more.",
            f"Pay at the {shop} shop.",
            "Write the dish on the menu board.",
        ]
        self._message_criteria = [
            lambda s: s["basket"] == missing,
            lambda s: s["paid_at"] == shop and s["basket"] == missing,
            lambda s: s["menu"] == dish,
        ]
        every = sorted({k for c in AFTERNOONS for k in c["shelf"]})
        self._tools = {
            "recipe": {"description": "Units of each ingredient per guest.", "parameters": {"type": "object", "properties": {"dish": {"type": "string"}}, "required": ["dish"]}},
            "look_at_shelf": {"description": "Units at home.", "parameters": {"type": "object", "properties": {}}},
            "put_in_basket": {"description": "Set the units of an ingredient in the basket; 0 takes it out.", "parameters": {"type": "object", "properties": {
                "ingredient": {"type": "string", "enum": every}, "units": {"type": "integer", "minimum": 0}}, "required": ["ingredient", "units"]}},
            "pay": {"description": "Pay the basket.", "parameters": {"type": "object", "properties": {"shop": {"type": "string", "enum": ["corner", "market", "station"]}}, "required": ["shop"]}},
            "write_menu": {"description": "Write a dish on the board.", "parameters": {"type": "object", "properties": {"dish": {"type": "string"}}, "required": ["dish"]}},
        }
        return f"{self._user_messages[0]} More will follow. Use tool calls; <answer>done</answer> at the end.", {}

    def tool_recipe(self, dish):
        found = next((c for c in AFTERNOONS if c["dish"] == dish), None)
        return ", ".join(f"{v} of {k}" for k, v in found["needs"].items()) + " per guest" if found else "There is no such recipe."

    def tool_look_at_shelf(self):
        return ", ".join(f"{k}: {v}" for k, v in self._state["shelf"].items())

    def tool_put_in_basket(self, ingredient, units):
        self._state["basket"][ingredient] = units
        if units == 0:
            del self._state["basket"][ingredient]
        return "Basket: " + (", ".join(f"{k} {v}" for k, v in self._state["basket"].items()) or "empty")

    def tool_pay(self, shop):
        if not self._state["basket"]:
            return "Error: nothing to pay."
        self._state["paid_at"] = shop
        return f"Paid at the {shop} shop."

    def tool_write_menu(self, dish):
        self._state["menu"] = dish.strip().lower()
        return "It stands on the board."

    def solution(self):
        calls = [("recipe", {"dish": self.case["dish"]}), ("look_at_shelf", {})]
        calls += [("put_in_basket", {"ingredient": k, "units": v}) for k, v in self.missing.items()]
        calls += [("pay", {"shop": self.case["shop"]}), ("write_menu", {"dish": self.case["dish"]})]
        return ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in calls] + ["<answer>done</answer>"]
