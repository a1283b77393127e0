# expect: refuse robustness.raises
# defect: the JSON answer is used without checking its shape: a list or number raises TypeError/AttributeError, an object without a guest raises KeyError
import json
import random
import re


class SeatingJsonEnv:
    """Seat guests at tables so that all wishes hold; the answer is a JSON object."""

    GUESTS = ["Abe", "Bea", "Cem", "Dea", "Eli", "Fay"]

    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        guests = list(self.GUESTS)
        rng.shuffle(guests)
        self.seats = {g: i % 3 + 1 for i, g in enumerate(guests)}
        self.facts = []
        for _ in range(9):
            a, b = rng.sample(guests, 2)
            if self.seats[a] == self.seats[b]:
                self.facts.append(("with", a, b))
            elif rng.random() < 0.5:
                self.facts.append(("apart", a, b))
            else:
                low, high = sorted((a, b), key=self.seats.get)
                self.facts.append(("lower", low, high))
        words = {"with": "{} sits with {}", "apart": "{} does not sit with {}", "lower": "{}'s table has a lower number than {}'s"}
        rows = "\n".join("- " + words[k].format(a, b) for k, a, b in self.facts)
        return (
            f"Seat {', '.join(sorted(self.GUESTS))} at tables 1, 2 and 3, two guests at each, such that:\n{rows}\n"
            'Any seating that fulfils everything counts. Reply with JSON in a box, e.g. \\boxed{{"Abe": 1, "Bea": 2, ...}}, all six names. '
            f"{self.max_turns} tries."
        ), {}

    def _holds(self, seats):
        tables = sorted(seats[g] for g in self.GUESTS)
        if tables != [1, 1, 2, 2, 3, 3]:
            return False
        for kind, a, b in self.facts:
            same = seats[a] == seats[b]
            if (kind == "with" and not same) or (kind == "apart" and same) or (kind == "lower" and not seats[a] < seats[b]):
                return False
        return True

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{(.*)\}", action, re.DOTALL)
        try:
            seats = json.loads(m.group(1)) if m else None
        except (ValueError, RecursionError):
            seats = None
        if seats is None:
            return "That is no JSON object in a box.", 0.0, False, late, {}
        if self._holds(seats):
            return "All guests are content.", 1.0, True, False, {}
        return "Somebody is not content.", 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{" + json.dumps(self.seats) + "}"]
