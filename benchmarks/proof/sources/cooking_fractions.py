# Fraction unit conversion, single string solution(), chatty narrator with unused helpers
import random
from fractions import Fraction as F

# everything in spoons ("tsp"); a small invented kitchen on purpose
UNITS_BASE = ["tsp", "tbsp", "cup", "jug"]
INGREDIENTS = ["flour", "sugar", "milk", "oil", "rye", "honey", "cocoa"]


def pretty(x):
    """3/2 -> 1 1/2"""
    whole, part = divmod(x, 1)
    if part == 0:
        return str(int(whole))
    return f"{int(whole)} {part}" if whole else str(part)


def mean(values):  # not needed after all
    values = list(values)
    return sum(values) / len(values)


class GrandmasKitchenEnv:
    """Scale grandma's recipe!  The pantry decides how many cakes can be baked."""

    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.size = {"tsp": F(1)}
        self.size["tbsp"] = F(rng.choice([2, 3, 4]))
        self.size["cup"] = self.size["tbsp"] * rng.choice([8, 10, 12, 15, 16])
        self.size["jug"] = self.size["cup"] * F(rng.choice([7, 9, 11, 13]), 2)
        names = rng.sample(INGREDIENTS, 5)
        self.recipe, self.pantry = {}, {}
        for n in names:
            unit = rng.choice(["tbsp", "cup", "tsp"])
            self.recipe[n] = (F(rng.randint(3, 19), rng.choice([2, 3, 4])), unit)
            store = rng.choice(["cup", "jug"])
            self.pantry[n] = (F(rng.randint(9, 60), rng.choice([2, 3, 5])), store)
        self.egg = F(rng.randint(1, 5))
        self.left_name = rng.choice(names)
        s = "Oh dear, guests are coming! Here is grandma's recipe for one cake:\n"
        for n, (a, u) in self.recipe.items():
            s += f"  - {pretty(a)} {u} of {n}\n"
        s += "And this is in the pantry:\n"
        for n, (a, u) in self.pantry.items():
            s += f"  - {pretty(a)} {u} of {n}\n"
        s += (
            f"1 tbsp is {self.size['tbsp']} tsp, 1 cup is {self.size['cup'] / self.size['tbsp']} tbsp, "
            f"1 jug is {pretty(self.size['jug'] / self.size['cup'])} cups.\n"
            "Cakes can be baked in any fraction. We bake until the first ingredient is used up. "
            f"If that ingredient is not {self.left_name}: how much {self.left_name} is left, in tsp? If it is, how many cakes were baked?\n"
            "Exact fraction please: \\boxed{a/b} (or \\boxed{a}). "
            f"You may try {self.max_turns} times."
        )
        return s, {"mood": "hungry"}

    def in_tsp(self, amount):
        a, unit = amount
        return a * self.size[unit]

    def truth(self):
        cakes = min(self.in_tsp(self.pantry[n]) / self.in_tsp(self.recipe[n]) for n in self.recipe)
        left = self.in_tsp(self.pantry[self.left_name]) - cakes * self.in_tsp(self.recipe[self.left_name])
        return left if left else cakes

    def step(self, action):
        self.turn += 1
        over = self.turn >= self.max_turns
        a = action.replace(" ", "")
        if not a.startswith("\\boxed{") or not a.endswith("}") or len(a) > 80:
            return "Grandma: write it as \\boxed{a/b}, dear.", 0.0, False, over, {}
        parts = a[7:-1].split("/")
        if len(parts) > 2 or not all(p.isascii() and p.isdigit() for p in parts):
            return "Grandma: a fraction of two whole numbers, dear, as in \\boxed{13/4}.", 0.0, False, over, {}
        top, bottom = int(parts[0]), int(parts[-1]) if len(parts) == 2 else 1
        if not bottom:
            return "Grandma: one cannot divide by nothing.", 0.0, False, over, {}
        if F(top, bottom) == self.truth():
            return "Grandma beams.", 1.0, True, False, {"mood": "happy"}
        return "Grandma shakes her head.", 0.0, False, over, {"mood": "hungry"}

    def solution(self):
        return "\\boxed{" + str(self.truth()) + "}"

    def hint(self):
        return "Convert recipe and pantry to the smallest unit, divide, and take the smallest quotient."

    def render(self):
        print(self.recipe)
