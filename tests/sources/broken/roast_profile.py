# expect: refuse feasibility.witness
# defect: the grader compares texts, with str(round(x, 2)) on its side, so an amount such as 12.50 is refused and only 12.5 passes; about a tenth of the seeds
import random
import re


def price_per_bag(lots, loss, fixed, bags):
    cost = sum(kilos * cents for kilos, cents in lots) / 100
    weight = sum(kilos for kilos, _ in lots) * (1 - loss / 100)
    return (cost + fixed) / weight * (weight / bags)


class RoastProfileEnv:
    """Cost accounting for a coffee roaster: blend, weight loss and bags."""

    ORIGINS = ["Sidamo", "Huila", "Kayanza", "Antigua", "Toraja"]

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.origins = rng.sample(self.ORIGINS, 3)
        self.lots = [(rng.randint(10, 40), rng.randint(380, 990)) for _ in self.origins]
        self.loss = rng.randint(12, 20)
        self.fixed = rng.randint(30, 95)
        self.bags = rng.choice([40, 50, 80, 100])
        self.price = price_per_bag(self.lots, self.loss, self.fixed, self.bags)
        lots = "\n".join(f"  {o}: {k} kg at {c / 100:.2f} per kg" for o, (k, c) in zip(self.origins, self.lots))
        return (
            f"A roaster blends:\n{lots}\nRoasting loses {self.loss} % of the weight and costs {self.fixed}.00 for gas and wages. The roasted coffee is "
            f"shared out evenly into {self.bags} bags. What did one bag cost, rounded to cents at the end?\n"
            f"Reply with \\boxed{{amount}}, two decimals, for example \\boxed{{3.07}}. {self.max_turns} tries."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9]{1,6}\.[0-9]{1,2})\s*\}", action)
        if m is None:
            return "An amount with two decimals, please.", 0.0, False, late, {}
        if m.group(1) == str(round(self.price, 2)):
            return "The books balance.", 1.0, True, False, {}
        return "The accountant gets a different price.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{self.price:.2f}}}"]
