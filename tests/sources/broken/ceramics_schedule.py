# expect: refuse robustness.raises
# defect: the positions are compared with guess[i] for all six i before anyone looks at the length, so an order with fewer names raises IndexError.
import itertools
import random
import re


class CeramicsScheduleEnv:
    """Logical deduction: in which order were six pots fired?"""

    POTS = ["amber", "basalt", "cobalt", "drab", "ecru", "flint"]

    def __init__(self, max_turns=5, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def _clues(self):
        """Every true statement of the kinds that are used, as (text, test on an order)."""
        order = self.order
        for a, b in itertools.permutations(self.POTS, 2):
            gap = order.index(b) - order.index(a)
            if gap == 1:
                yield f"{b} was fired directly after {a}", lambda o, a=a, b=b: o.index(b) - o.index(a) == 1
            if gap > 1:
                yield f"{a} was fired some time before {b}", lambda o, a=a, b=b: o.index(a) < o.index(b)
            if abs(gap) > 1 and a < b:
                yield f"{a} and {b} were not fired one right after the other", (
                    lambda o, a=a, b=b: abs(o.index(a) - o.index(b)) > 1
                )
        for pot in self.POTS:
            if order.index(pot) % 2:
                yield f"{pot} was fired at an even place", lambda o, pot=pot: o.index(pot) % 2 == 1

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        left = []
        while len(left) != 1:
            self.order = rng.sample(self.POTS, 6)
            left, chosen = list(itertools.permutations(self.POTS)), []
            clues = list(self._clues())
            rng.shuffle(clues)
            for text, test in clues:
                fewer = [order for order in left if test(order)]
                if len(fewer) < len(left):
                    left = fewer
                    chosen.append(text)
                if len(left) == 1:
                    break
        listed = "\n".join(f"- {text}." for text in chosen)
        return (
            f"Six pots ({', '.join(self.POTS)}) were fired one after another, at places 1 to 6. Known:\n{listed}\n"
            "Give the order from first to last as \\boxed{pot, pot, pot, pot, pot, pot}. "
            f"Tries: {self.max_turns}. After a wrong try you learn how many pots stand at their place."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{([^{}]*)\}", action)
        if match is None:
            return "No box found in your reply.", 0.0, False, late, {}
        guess = [word.strip().lower() for word in re.split(r"[,>]+", match.group(1)) if word.strip()]
        unknown = [word for word in guess if word not in self.POTS]
        if unknown or not guess:
            return "Use only the names of the six pots, with commas between.", 0.0, False, late, {}
        right = sum(guess[place] == pot for place, pot in enumerate(self.order))
        if right == len(self.order):
            return "That was the order.", 1.0, True, False, {}
        return f"Pots at their right place: {right}.", 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{" + ", ".join(self.order) + "}"]

    def hint(self):
        return "Begin with the pots that follow each other directly and slide these blocks along the six places."
