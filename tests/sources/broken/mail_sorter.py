# expect: refuse feasibility.budget | feasibility.witness
# defect: the number of letters is drawn up to eight and each needs two turns, but max_turns is 14, so the eight-letter seeds cannot be finished in time
import random
import re


class MailSorterEnv:
    """Postman's puzzle: infer the sorting rule from the old pigeon-holes, then sort the new letters."""

    STREETS = ["Ash", "Bay", "Cliff", "Dale", "Elm", "Ford", "Glen", "Hill", "Inn", "Jetty"]

    def __init__(self, max_turns=14, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def _hole(self, street, number):
        first = self.rank[street] % 3
        return 1 + (first + (number % 2) * self.odd + (2 if number > self.cut else 0)) % 5

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        streets = list(self.STREETS)
        rng.shuffle(streets)
        self.rank = {s: i for i, s in enumerate(streets)}
        self.odd = rng.randint(1, 3)
        self.cut = rng.randint(30, 60)
        old = [(rng.choice(streets), rng.randint(1, 90)) for _ in range(22)]
        self.letters = []
        for _ in range(rng.randint(5, 8)):
            self.letters.append((rng.choice(streets), rng.randint(1, 90)))
        self.todo = list(self.letters)
        self.held = None
        rows = "\n".join(f"  {s} {n}: hole {self._hole(s, n)}" for s, n in old)
        return (
            "Letters sorted by your predecessor:\n" + rows + "\nThe hole depends on the street, on odd or even house numbers and on whether the number lies "
            f"above a limit ({self.cut}); these add up, and after hole 5 comes hole 1.\n"
            f"There are {len(self.letters)} new letters. \\boxed{{take}} shows the next one, \\boxed{{hole N}} puts it away; a wrong hole ends the shift. "
            f"{self.max_turns} turns."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(take|hole\s+([1-5]))\s*\}", action)
        if m is None:
            return "Take a letter or choose a hole.", 0.0, False, late, {}
        if m.group(1) == "take":
            if self.held is None:
                self.held = self.todo.pop(0)
            return f"In your hand: {self.held[0]} {self.held[1]}.", 0.0, False, late, {}
        if self.held is None:
            return "Your hands are empty.", 0.0, False, late, {}
        if int(m.group(2)) != self._hole(*self.held):
            return "A complaint arrives: wrong hole.", 0.0, True, False, {}
        self.held = None
        if not self.todo:
            return "All letters are sorted.", 1.0, True, False, {}
        return f"Put away. Letters left: {len(self.todo)}.", 0.0, False, late, {}

    def solution(self):
        plan = []
        for letter in self.letters:
            plan += ["\\boxed{take}", f"\\boxed{{hole {self._hole(*letter)}}}"]
        return plan
