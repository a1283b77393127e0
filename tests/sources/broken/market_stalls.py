# expect: warn determinism.replay
# defect: the goods of each stall are printed by iterating a set of strings, so the observation depends on the hash seed of the process
import random
import re


class MarketStallsEnv:
    """Set reasoning: which goods are offered by exactly the stalls asked for?"""

    GOODS = ["apples", "beans", "cheese", "dates", "eggs", "figs", "garlic", "honey", "jam", "kale", "lentils", "mint"]

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        while True:
            self.stalls = {name: set(rng.sample(self.GOODS, rng.randint(5, 8))) for name in ("Ines", "Jorge", "Karla", "Luis")}
            names = rng.sample(sorted(self.stalls), 4)
            self.inside, self.outside = names[:2], names[2:]
            self.answer = self.stalls[self.inside[0]] & self.stalls[self.inside[1]]
            self.answer = self.answer - (self.stalls[self.outside[0]] & self.stalls[self.outside[1]])
            if 2 <= len(self.answer) <= 4:
                break
        lines = [f"{name} sells {', '.join(goods)}." for name, goods in self.stalls.items()]
        return (
            "Market day.\n" + "\n".join(lines) + f"\n\nWhich goods are sold by both {self.inside[0]} and {self.inside[1]}, but not by both "
            f"{self.outside[0]} and {self.outside[1]}? List all of them: \\boxed{{a, b, ...}} (any order). {self.max_turns} tries."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        if m is None:
            return "A list in a box, please.", 0.0, False, late, {}
        given = {w.strip().lower() for w in m.group(1).split(",")}
        if given == self.answer:
            return "Correct.", 1.0, True, False, {}
        return "Something is missing or too much.", 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{" + ", ".join(sorted(self.answer)) + "}"]
