# prose solution(): one command per line as plain text; recursion (Hanoi from any position to any other)
import random
import re


class TowersEnv:
    """Discs on three pegs, with arbitrary start and goal positions."""

    PEGS = "ABC"
    DISCS = 6

    def __init__(self, max_turns=95):
        self.max_turns = max_turns
        self.moves = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.moves = 0
        while True:
            self.where = [rng.choice(self.PEGS) for _ in range(self.DISCS)]  # index 0 is the smallest disc
            self.goal = [rng.choice(self.PEGS) for _ in range(self.DISCS)]
            if len(self._plan()) >= 24:
                break
        return (
            f"Six discs, 1 (smallest) to 6, lie on pegs A, B and C; a disc never lies on a smaller one.\n"
            f"Now:    {self._show(self.where)}\nWanted: {self._show(self.goal)}\n"
            "Move the top disc of one peg to another with \\boxed{MOVE A C}. "
            f"At most {self.max_turns} moves."
        ), {}

    def _show(self, position):
        return "; ".join(
            f"{p}: " + (" ".join(str(i + 1) for i in range(self.DISCS) if position[i] == p) or "empty")
            for p in self.PEGS
        )

    def _plan(self):
        position = list(self.where)
        plan = []

        def bring(disc, peg):
            """Bring this disc to the peg, whatever has to be moved for it."""
            if position[disc] == peg:
                return
            (third,) = set(self.PEGS) - {position[disc], peg}
            for smaller in range(disc - 1, -1, -1):
                bring(smaller, third)
            plan.append((position[disc], peg))
            position[disc] = peg

        for disc in range(self.DISCS - 1, -1, -1):
            bring(disc, self.goal[disc])
        return plan

    def _top(self, peg):
        return next((i for i in range(self.DISCS) if self.where[i] == peg), None)

    def step(self, action):
        self.moves += 1
        late = self.moves >= self.max_turns
        m = re.search(r"\\boxed\{\s*(?:MOVE|move)\s+([ABC])\s+([ABC])\s*\}", action)
        if not m:
            return "Moves look like \\boxed{MOVE A C}. " + self._show(self.where), 0.0, False, late, {}
        source, target = m.groups()
        disc, below = self._top(source), self._top(target)
        if disc is None:
            return f"Peg {source} is empty. " + self._show(self.where), 0.0, False, late, {}
        if source == target or (below is not None and below < disc):
            return "That move is not allowed. " + self._show(self.where), 0.0, False, late, {}
        self.where[disc] = target
        if self.where == self.goal:
            return "Every disc is where it should be.", 1.0, True, False, {"moves": self.moves}
        return self._show(self.where), 0.0, False, late, {"moves": self.moves}

    def solution(self):
        return "\n".join(f"MOVE {a} {b}" for a, b in self._plan())

    def hint(self):
        return "The largest disc that is misplaced decides: everything smaller has to wait on the third peg."
