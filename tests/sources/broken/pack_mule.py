# expect: refuse contract.observation
# defect: \boxed{load} prints the list of Item objects, whose default repr shows memory addresses as soon as something is loaded
import random
import re


class Item:
    def __init__(self, name, weight, worth):
        self.name = name
        self.weight = weight
        self.worth = worth


class PackMuleEnv:
    """Knapsack with hidden worths: appraise, then load the mule for the greatest worth."""

    NAMES = ["amber", "bronze", "coral", "damask", "ebony", "fur", "gum", "horn"]

    def __init__(self, max_turns=20):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        names = rng.sample(self.NAMES, 7)
        self.items = {n: Item(n, rng.randint(3, 14), rng.randint(5, 40)) for n in names}
        self.limit = sum(i.weight for i in self.items.values()) // 2
        self.best = self._best()
        self.packed = []
        goods = ", ".join(f"{i.name} ({i.weight} kg)" for i in self.items.values())
        return (
            f"Goods: {goods}. The mule carries {self.limit} kg. Worths are unknown until appraised.\n"
            "Commands: \\boxed{appraise GOOD}, \\boxed{pack GOOD}, \\boxed{drop GOOD}, \\boxed{load} (what is packed), \\boxed{leave}. "
            f"Leave with the greatest possible worth; leaving with less fails. {self.max_turns} turns."
        ), {}

    def _best(self):
        table = {0: (0, ())}
        for item in self.items.values():
            for weight, (worth, names) in list(table.items()):
                w = weight + item.weight
                if w <= self.limit and table.get(w, (-1, ()))[0] < worth + item.worth:
                    table[w] = (worth + item.worth, names + (item.name,))
        return max(table.values())

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(appraise|pack|drop|load|leave)\s*(\w*)\s*\}", action)
        verb = m.group(1) if m else ""
        item = self.items.get(m.group(2)) if m else None
        if verb == "leave":
            if sum(i.worth for i in self.packed) == self.best[0]:
                return "The best possible load!", 1.0, True, False, {}
            return "The merchant would have packed better.", 0.0, True, False, {}
        if verb == "load":
            return f"On the mule: {self.packed or 'nothing'}.", 0.0, False, late, {}
        if item is None:
            return "The mule looks at you.", 0.0, False, late, {}
        if verb == "appraise":
            return f"{item.name} is worth {item.worth}.", 0.0, False, late, {}
        if verb == "drop":
            self.packed = [i for i in self.packed if i is not item]
            return f"{item.name} is off.", 0.0, False, late, {}
        if item in self.packed or sum(i.weight for i in self.packed) + item.weight > self.limit:
            return "That does not go on the mule.", 0.0, False, late, {}
        self.packed.append(item)
        return f"{item.name} is packed.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{pack {n}}}" for n in self.best[1]] + ["\\boxed{leave}"]
