# expect: refuse determinism.replay
# defect: the sonar keeps its computed distances in a memo by position that reset does not clear, so a second episode hears the distances of the first one's wreck.
import random
import re
from collections import deque

SIZE = 9
MOVES = {"N": (0, -1), "S": (0, 1), "E": (1, 0), "W": (-1, 0)}


class SunkenBellEnv:
    """Spatial search: a diver finds a sunken bell by the length of the swim that the sonar reports."""

    def __init__(self, max_turns=30, **kwargs):
        self.max_turns = max_turns
        self.memo = {}
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.air = 26
        self.pos = (SIZE // 2, SIZE // 2)
        while True:
            cells = [(x, y) for x in range(SIZE) for y in range(SIZE) if (x, y) != self.pos]
            self.rocks = set(rng.sample(cells, 18))
            self.bell = rng.choice([cell for cell in cells if cell not in self.rocks])
            length = self._distances().get(self.pos)
            if length is not None and length >= 5:
                break
        return (
            f"A diver looks for a bell on a sea bed of {SIZE} by {SIZE} squares, dark, with rocks in it. He starts in "
            "the middle. \\boxed{N}, \\boxed{S}, \\boxed{E}, \\boxed{W} swim one square; \\boxed{PING} tells how many "
            "squares the shortest free way to the bell has, and \\boxed{LIFT} raises the bell, if he is above it; the "
            "line breaks otherwise and all is lost. "
            f"Every order uses one of {self.air} measures of air, bumping into a rock too. Turns: {self.max_turns}."
        ), {}

    def _distances(self):
        """Breadth-first distances from the bell."""
        found, queue = {self.bell: 0}, deque([self.bell])
        while queue:
            x, y = queue.popleft()
            for dx, dy in MOVES.values():
                cell = (x + dx, y + dy)
                if cell not in found and cell not in self.rocks and all(0 <= c < SIZE for c in cell):
                    found[cell] = found[x, y] + 1
                    queue.append(cell)
        return found

    def _sonar(self):
        if self.pos not in self.memo:
            self.memo[self.pos] = self._distances()[self.pos]
        return self.memo[self.pos]

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*([A-Za-z]+)\s*\}", action)
        order = match.group(1).upper() if match else ""
        if order not in {*MOVES, "PING", "LIFT"}:
            return "Orders are N, S, E, W, PING and LIFT.", 0.0, False, late, {}
        self.air -= 1
        if order == "LIFT":
            if self.pos == self.bell:
                return "The bell comes up. Well dived!", 1.0, True, False, {}
            return "The line breaks on bare rock.", 0.0, True, False, {}
        if order == "PING":
            text = f"Sonar: {self._sonar()} squares to swim."
        else:
            dx, dy = MOVES[order]
            cell = (self.pos[0] + dx, self.pos[1] + dy)
            if cell in self.rocks or not all(0 <= c < SIZE for c in cell):
                text = "Rock. You stay where you are."
            else:
                self.pos = cell
                text = "You swim on."
        if self.air <= 0:
            return text + " The air is used up.", 0.0, True, False, {}
        return f"{text} Air: {self.air}.", 0.0, False, late, {}

    def solution(self):
        table, here, way = self._distances(), self.pos, []
        while here != self.bell:
            for order, (dx, dy) in MOVES.items():
                cell = (here[0] + dx, here[1] + dy)
                if table.get(cell, 99) == table[here] - 1:
                    way.append(f"\\boxed{{{order}}}")
                    here = cell
                    break
        return way + ["\\boxed{LIFT}"]

    def hint(self):
        return "Ping, move, ping again: the change tells whether that direction was good. Ping less when you are sure."
