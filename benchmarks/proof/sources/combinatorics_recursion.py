# recursion with functools.lru_cache made per episode; counting lattice paths with rules
import random
import re
from functools import cache


class RookPathsEnv:
    """count monotone paths on a grid with holes and a limit on direction changes"""

    def __init__(self, max_turns=5):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        self.turn = 0
        rng = random.Random(seed)
        while True:
            self.w, self.h = rng.randint(8, 11), rng.randint(8, 11)
            cells = [
                (x, y) for x in range(self.w) for y in range(self.h) if (x, y) not in ((0, 0), (self.w - 1, self.h - 1))
            ]
            self.holes = frozenset(rng.sample(cells, rng.randint(5, 9)))
            self.gold = rng.choice([c for c in cells if c not in self.holes])
            self.turns_allowed = rng.randint(5, 9)
            self.answer = self.count()
            if self.answer > 500:
                break
        rows = []
        for y in reversed(range(self.h)):
            rows.append(
                "".join("#" if (x, y) in self.holes else "G" if (x, y) == self.gold else "." for x in range(self.w))
            )
        obs = "\n".join(rows)
        obs += (
            "\n\nA path starts in the lower left square and ends in the upper right one; each move goes one square to the "
            f"right or up. It must not enter '#', and it changes direction at most {self.turns_allowed} times. "
            "How many such paths do NOT visit G? "
            f"Answer \\boxed{{number}}, {self.max_turns} tries."
        )
        return obs, {}

    def count(self):
        holes, gold, w, h = self.holes, self.gold, self.w, self.h

        @cache
        def ways(x, y, direction, left):
            if x >= w or y >= h or (x, y) in holes or (x, y) == gold or left < 0:
                return 0
            if (x, y) == (w - 1, h - 1):
                return 1
            right = ways(x + 1, y, "R", left - (direction == "U"))
            up = ways(x, y + 1, "U", left - (direction == "R"))
            return right + up

        return ways(0, 0, None, self.turns_allowed)

    def step(self, action):
        self.turn += 1
        m = re.fullmatch(r"\\boxed\{\s*([0-9][0-9, ]{0,20})\s*\}", action)
        if not m:
            msg = "Only a number in \\boxed{} please."
        elif int(re.sub(r"[, ]", "", m.group(1))) == self.answer:
            return "Correct!", 1.0, True, False, {"turn": self.turn}
        else:
            msg = "Incorrect. Recount."
        return msg, 0.0, False, self.turn >= self.max_turns, {"turn": self.turn}

    def solution(self):
        return ["\\boxed{%d}" % self.answer]

    def hint(self):
        return "Keep, for each square, a small table: how many paths arrive, by last direction and number of changes so far."
