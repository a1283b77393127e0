# expect: refuse feasibility.witness
# defect: after two boards without a way to the hut reset() keeps the second one as it is, so on about a quarter of the seeds the hut cannot be reached
import random
import re
from collections import deque


class IceSlideEnv:
    """Slide over ice until a rock stops you; plan the pushes that lead to the hut."""

    MOVES = {"north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)}

    def __init__(self, max_turns=16):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.rows, self.cols = 7, 8
        cells = [(r, c) for r in range(self.rows) for c in range(self.cols)]
        self.start, self.hut = rng.sample(cells, 2)
        free = [c for c in cells if c not in (self.start, self.hut)]
        for _ in range(2):
            self.rocks = set(rng.sample(free, 17))
            if len(self.solution()) > 2:
                break
        self.at = self.start
        return (
            "A frozen lake seen from above (S you, H hut, # rock, . ice):\n" + self._draw()
            + "\nA push sends you sliding until a rock or the shore stops you; the hut H stops you too and is where you want to be.\n"
            f"Commands: \\boxed{{north}}, \\boxed{{south}}, \\boxed{{east}}, \\boxed{{west}}. {self.max_turns} pushes."
        ), {}

    def _draw(self):
        def sign(cell):
            if cell == self.at:
                return "S"
            return "H" if cell == self.hut else "#" if cell in self.rocks else "."

        return "\n".join("".join(sign((r, c)) for c in range(self.cols)) for r in range(self.rows))

    def _slide(self, cell, move):
        dr, dc = self.MOVES[move]
        while True:
            after = (cell[0] + dr, cell[1] + dc)
            if after in self.rocks or not (0 <= after[0] < self.rows and 0 <= after[1] < self.cols):
                return cell
            cell = after
            if cell == self.hut:
                return cell

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(north|south|east|west)\s*\}", action)
        if m is None:
            return "You stand still on the ice.", 0.0, False, late, {}
        self.at = self._slide(self.at, m.group(1))
        if self.at == self.hut:
            return "You knock at the hut.", 1.0, True, False, {}
        return self._draw(), 0.0, False, late, {}

    def solution(self):
        queue, seen = deque([(self.start, [])]), {self.start}
        while queue:
            cell, words = queue.popleft()
            if cell == self.hut:
                return words
            for move in self.MOVES:
                after = self._slide(cell, move)
                if after not in seen:
                    seen.add(after)
                    queue.append((after, words + [f"\\boxed{{{move}}}"]))
        return []
