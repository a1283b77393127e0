# expect: undecided feasibility.no_witness
# defect: solution() is a paragraph of advice from which no answer can be read, so nothing shows that the task can be won
import random
import re
from itertools import permutations


class ZooEnclosuresEnv:
    """Assign six animals to six enclosures in a row under neighbourhood rules."""

    ANIMALS = ["badger", "coati", "dhole", "fossa", "genet", "jackal", "lynx", "marten", "otter", "panda"]

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def _rules(self, rng, order):
        place = {a: i for i, a in enumerate(order)}
        rules = []
        for _ in range(40):
            a, b = rng.sample(order, 2)
            gap = place[b] - place[a]
            kind = rng.choice(["before", "gap", "apart"])
            if kind == "before" and gap > 0:
                rules.append((f"the {a} lives somewhere left of the {b}", lambda p, a=a, b=b: p[a] < p[b]))
            elif kind == "gap" and abs(gap) > 1:
                n = abs(gap) - 1
                rules.append((f"between the {a} and the {b} there are exactly {n} enclosures", lambda p, a=a, b=b, n=n: abs(p[a] - p[b]) == n + 1))
            elif kind == "apart" and abs(gap) > 1:
                rules.append((f"the {a} and the {b} are no neighbours", lambda p, a=a, b=b: abs(p[a] - p[b]) > 1))
        return rules

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.order = rng.sample(self.ANIMALS, 6)
        left = [dict(zip(p, range(6))) for p in permutations(self.order)]
        self.used = []
        for text, rule in self._rules(rng, self.order):
            after = [p for p in left if rule(p)]
            if len(after) < len(left):
                self.used.append(text)
                left = after
            if len(left) == 1:
                break
        self.ok = left
        rows = "\n".join(f"- {t}" for t in self.used)
        return (
            f"Six enclosures in a row hold the animals {', '.join(sorted(self.order))}, one each. It is known that\n{rows}\n\nGive an arrangement from left "
            f"to right that fits: \\boxed{{animal animal animal animal animal animal}}. {self.max_turns} tries."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        names = re.findall(r"[a-z]+", m.group(1).lower()) if m else []
        if sorted(names) != sorted(self.order):
            return "Name each of the six animals once.", 0.0, False, late, {}
        if dict(zip(names, range(6))) in self.ok:
            return "The keepers are satisfied.", 1.0, True, False, {}
        return "At least one rule is broken.", 0.0, False, late, {}

    def solution(self):
        return (
            "Begin with the rules that fix a number of enclosures between two animals, because they leave the fewest places. Sketch the row, "
            "keep the cases apart, and use the left-of rules to discard mirror images. Continue until every rule is fulfilled."
        )
