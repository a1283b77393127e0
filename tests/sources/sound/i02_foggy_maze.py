import random
import re
from collections import deque

STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


class FoggyMazeEnv:
    """A perfect maze of which only the present cell's openings are seen."""

    SIZE = 7

    def __init__(self, max_turns=90):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.open = {(x, y): set() for x in range(self.SIZE) for y in range(self.SIZE)}
        stack, seen = [(0, 0)], {(0, 0)}
        while stack:
            x, y = stack[-1]
            ways = [(d, (x + dx, y + dy)) for d, (dx, dy) in STEP.items()
                    if (x + dx, y + dy) in self.open and (x + dx, y + dy) not in seen]
            if not ways:
                stack.pop()
                continue
            d, cell = rng.choice(ways)
            self.open[x, y].add(d)
            self.open[cell].add({"N": "S", "S": "N", "E": "W", "W": "E"}[d])
            seen.add(cell)
            stack.append(cell)
        cells = sorted(self.open)
        self.here, self.exit = rng.sample(cells, 2)
        while len(self._way()) < 10:
            self.here, self.exit = rng.sample(cells, 2)
        self.turns = 0
        dx, dy = self.exit[0] - self.here[0], self.exit[1] - self.here[1]
        return (
            f"Fog lies over a maze of {self.SIZE} by {self.SIZE} cells. The exit is {abs(dx)} columns to the "
            f"{'east' if dx > 0 else 'west'} and {abs(dy)} rows to the {'south' if dy > 0 else 'north'} of you. "
            f"Walk with \\boxed{{N}}, \\boxed{{E}}, \\boxed{{S}}, \\boxed{{W}}; at most {self.max_turns} moves.\n" + self._see()
        ), {}

    def _see(self):
        return "Open ways: " + " ".join(d for d in "NESW" if d in self.open[self.here]) + "."

    def _way(self):
        queue, seen = deque([(self.here, [])]), {self.here}
        while queue:
            cell, way = queue.popleft()
            if cell == self.exit:
                return way
            for d in "NESW":
                nxt = (cell[0] + STEP[d][0], cell[1] + STEP[d][1])
                if d in self.open[cell] and nxt not in seen:
                    seen.add(nxt)
                    queue.append((nxt, way + [d]))
        return []

    def step(self, action):
        self.turns += 1
        late = self.turns >= self.max_turns
        m = re.search(r"\\boxed\{\s*([NESWnesw])\w*\s*\}", action)
        if not m:
            return "Which way? " + self._see(), 0.0, False, late, {}
        d = m.group(1).upper()
        if d not in self.open[self.here]:
            return "You bump into a wall. " + self._see(), 0.0, False, late, {}
        self.here = (self.here[0] + STEP[d][0], self.here[1] + STEP[d][1])
        if self.here == self.exit:
            return "Daylight!", 1.0, True, False, {}
        return self._see(), 0.0, False, late, {}

    def solution(self):
        """Walks by what is seen, the left hand on the wall is not needed: the way is known."""
        for d in self._way():
            observation = yield f"\\boxed{{{d}}}"
            if "bump" in observation:
                return
