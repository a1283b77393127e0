# expect: refuse feasibility.witness
# defect: solution() takes the largest coin first, which is not minimal for these coin systems on about half of the seeds, while the grader wants the minimum
import random
import re


class CoinVaultEnv:
    """Optimisation: pay an amount with as few coins as possible, then weigh them."""

    METALS = ["copper", "silver", "gold", "platinum"]

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        small = rng.randint(4, 9)
        middle = small * rng.randint(2, 4) + rng.choice([0, 0, 1, 2])
        large = middle * rng.randint(2, 3) + rng.choice([0, 0, 1, 2])
        self.coins = [1, small, middle, large]
        self.amounts = [rng.randint(150, 500) for _ in range(3)]
        self.answer = self._product([self._fewest(a) for a in self.amounts])
        coins = ", ".join(f"{m} = {c}" for m, c in zip(self.METALS, self.coins))
        return (
            f"A vault pays in coins: {coins}. Three payments are due: {', '.join(map(str, self.amounts))}. For each payment take the smallest possible "
            "number of coins (as many of each kind as needed, exact amount). Multiply the three smallest numbers.\n"
            f"Answer with \\boxed{{product}}; {self.max_turns} tries."
        ), {}

    @staticmethod
    def _product(values):
        result = 1
        for v in values:
            result *= v
        return result

    def _fewest(self, amount):
        best = [0] + [amount + 1] * amount
        for value in range(1, amount + 1):
            best[value] = min(best[value - c] + 1 for c in self.coins if c <= value)
        return best[amount]

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9]{1,12})\s*\}", action)
        if m is None:
            return "A whole number is needed.", 0.0, late, {}
        if int(m.group(1)) == self.answer:
            return "The vault keeper nods.", 1.0, True, {}
        return "The vault keeper counts again.", 0.0, late, {}

    def solution(self):
        counts = []
        for amount in self.amounts:
            count = 0
            for coin in reversed(self.coins):
                count += amount // coin
                amount %= coin
            counts.append(count)
        return [f"\\boxed{{{self._product(counts)}}}"]
