# plain class (no base), get_tools/execute_tool, dataclasses, collections.Counter; reward for finished cooking, no question
import json
import random
import re
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Kitchen:
    shelf: Counter = field(default_factory=Counter)
    counter: Counter = field(default_factory=Counter)
    oven: int = 20
    baked: list = field(default_factory=list)


class BakeryEnv:
    """Bake the bread that was ordered: read the recipe, fetch exactly what it needs, set the oven, bake."""

    GOODS = ["rye", "spelt", "wheat", "salt", "yeast", "seeds", "honey"]
    BREADS = ["Alpine", "Baltic", "Castle", "Dunes", "Ember", "Fjord"]

    def __init__(self, max_turns=20):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.kitchen = Kitchen(shelf=Counter({g: rng.randint(40, 90) for g in self.GOODS}))
        self.recipes = {b: {"per_loaf": {g: rng.randint(1, 7) for g in rng.sample(self.GOODS, 4)}, "heat": rng.randrange(180, 260)}
                        for b in self.BREADS}
        self.bread, self.loaves = rng.choice(self.BREADS), rng.randint(2, 5)
        return (f"Order: {self.loaves} loaves of {self.bread} bread. Put exactly the ingredients for all loaves together onto the counter, heat the "
                "oven to the degree, then bake; what is baked wrongly is thrown away and ends the day. Tools: recipe(bread), take(item, amount), "
                "put_back(item, amount), set_oven(degrees), look(), bake(). Use <tool_call>{\"name\": \"take\", \"arguments\": {\"item\": \"salt\", "
                "\"amount\": 2}}</tool_call>, several in a row if you like. When the bread is baked, report it with <answer>done</answer>. "
                f"{self.max_turns} turns."), {}

    def get_tools(self):
        item = {"item": {"type": "string", "enum": self.GOODS}, "amount": {"type": "integer"}}
        specs = [("recipe", "Ingredients for one loaf and the heat.", {"bread": {"type": "string"}}),
                 ("take", "From the shelf onto the counter.", item), ("put_back", "From the counter back onto the shelf.", item),
                 ("set_oven", "Heat the oven.", {"degrees": {"type": "integer"}}),
                 ("look", "What stands where.", {}), ("bake", "Bake what is on the counter.", {})]
        return [{"type": "function", "function": {"name": n, "description": d, "parameters": {
            "type": "object", "properties": dict(p), "required": list(p)}}} for n, d, p in specs]

    def execute_tool(self, name, arguments=None):
        args, k = arguments if isinstance(arguments, dict) else {}, self.kitchen
        if name == "recipe":
            r = self.recipes.get(args.get("bread")) if isinstance(args.get("bread"), str) else None
            return "No such recipe." if r is None else f"One loaf: {', '.join(f'{n} {g}' for g, n in r['per_loaf'].items())}. Oven at {r['heat']} degrees."
        if name in ("take", "put_back"):
            item, amount = args.get("item"), args.get("amount")
            if not isinstance(item, str) or item not in self.GOODS or type(amount) is not int or not 1 <= amount <= 99:
                return f"{name} needs an item of the pantry and an amount from 1 to 99."
            source, target = (k.shelf, k.counter) if name == "take" else (k.counter, k.shelf)
            if source[item] < amount:
                return f"There is not that much {item}."
            source[item] -= amount
            target[item] += amount
            return f"On the counter: {k.counter[item]} {item}."
        if name == "set_oven":
            if type(args.get("degrees")) is not int or not 20 <= args["degrees"] <= 300:
                return "degrees must be an integer from 20 to 300."
            k.oven = args["degrees"]
            return f"The oven has {k.oven} degrees."
        if name == "look":
            return f"Counter: {json.dumps({g: n for g, n in k.counter.items() if n})}; shelf: {json.dumps(dict(k.shelf))}; oven: {k.oven}."
        if name == "bake":
            if k.baked:
                return "The oven is full."
            if not sum(k.counter.values()):
                return "There is nothing on the counter."
            k.baked.append((dict(+k.counter), k.oven))
            return "The oven door closes. After an hour the smell tells you that something has been baked."
        return "There is no such tool."

    def right(self):
        r = self.recipes[self.bread]
        wanted = {g: n * self.loaves for g, n in r["per_loaf"].items()}
        return self.kitchen.baked == [(wanted, r["heat"])]

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        calls = re.findall(r"<tool_call>(.*?)</tool_call>", action, re.S)
        out = []
        for c in calls:
            try:
                data = json.loads(c)
                out.append(self.execute_tool(data["name"], data.get("arguments")))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                out.append("This call is not readable; it must be JSON with name and arguments.")
        if calls:
            return "\n".join(out), 0.0, False, late, {}
        if "<answer>done</answer>" not in action:
            return "Call tools with <tool_call>...</tool_call>, or report <answer>done</answer>.", 0.0, False, late, {}
        if not self.kitchen.baked:
            return "Nothing has been baked yet.", 0.0, False, late, {}
        if self.right():
            return "A fine batch.", 1.0, True, False, {}
        return "The customer does not want this bread.", 0.0, True, False, {}

    def solution(self):
        r = self.recipes[self.bread]
        plan = [("recipe", {"bread": self.bread})] + [("take", {"item": g, "amount": n * self.loaves}) for g, n in r["per_loaf"].items()]
        plan += [("set_oven", {"degrees": r["heat"]}), ("look", {}), ("bake", {})]
        return ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in plan] + ["<answer>done</answer>"]

    def hint(self):
        return "Multiply the recipe by the number of loaves, and look once more before you bake."
