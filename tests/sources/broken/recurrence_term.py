# expect: refuse leak.observation
# defect: the list of known terms is cut one place too late, so the term that is asked for stands at its end.
import random
import re


class RecurrenceTermEnv:
    """Pattern recognition: find the rule behind a sequence and continue it.

    The rule is a_n = p * a_(n-1) + q * a_(n-2) + r * n, with small coefficients. Several terms are shown; the player has
    to find p, q and r by solving small linear systems and to work out one more term.
    """

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def _terms(self, count):
        terms = [self.first, self.second]
        for n in range(3, count + 1):
            terms.append(self.p * terms[-1] + self.q * terms[-2] + self.r * n)
        return terms

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        while True:
            self.p, self.q = rng.choice([1, 2, 3]), rng.choice([-2, -1, 1, 2])
            self.r = rng.choice([-3, -2, -1, 1, 2, 3])
            self.first, self.second = rng.randint(1, 9), rng.randint(1, 9)
            self.asked = rng.randint(8, 9)
            terms = self._terms(self.asked)
            if abs(terms[-1]) > 150 and len(set(terms)) == len(terms):
                break
        self.answer = terms[self.asked - 1]
        shown = ", ".join(str(value) for value in terms[: self.asked])
        return (
            "In a sequence each term from the third on is p times the term before, plus q times the one before that, "
            "plus r times its own number n (the first term has n = 1). p, q and r are fixed whole numbers.\n"
            f"It begins: {shown}.\n"
            f"What is term number {self.asked}? Answer with a whole number, \\boxed{{N}}. {self.max_turns} tries."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*(-?[0-9]{1,12})\s*\}", action)
        if not match:
            return "A whole number in \\boxed{} is needed.", 0.0, False, late, {}
        if int(match.group(1)) == self.answer:
            return "That is the term.", 1.0, True, False, {}
        parity = "even" if self.answer % 2 == 0 else "odd"
        note = f" (The term is {parity}.)" if self.turn == 2 else ""
        return f"No, that does not follow from the rule.{note}", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]

    def hint(self):
        return "Write the rule down for three neighbouring places and solve the three equations for p, q and r."
