# interactive exploration; collections.deque BFS; partial rewards (0.4 for the key, 0.6 for the exit)
import random
import re
from collections import deque

STEP = {"N": (0, -1), "S": (0, 1), "W": (-1, 0), "E": (1, 0)}
WORD = {"N": "north", "S": "south", "W": "west", "E": "east"}


class LabyrinthEnv:
    """A dark labyrinth: one sees only the openings of the chamber one stands in."""

    SIZE = 7

    def __init__(self, max_turns=130):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn, self.has_key = 0, False
        self.open = {(x, y): set() for x in range(self.SIZE) for y in range(self.SIZE)}
        self._carve(rng)
        self.pos = (rng.randrange(self.SIZE), rng.randrange(self.SIZE))
        self.key = self._farthest(self.pos)
        self.exit = self._farthest(self.key, avoid=self.pos)
        return (
            f"You stand in a labyrinth of {self.SIZE} by {self.SIZE} chambers, in column {self.pos[0] + 1}, row {self.pos[1] + 1} "
            "(columns from the west, rows from the north). Somewhere lies a key; with it you can leave through the exit, "
            "which is in another chamber. "
            f"Walk with \\boxed{{N}}, \\boxed{{E}}, \\boxed{{S}} or \\boxed{{W}}, at most {self.max_turns} times.\n"
            + self._view()
        ), {}

    def _carve(self, rng):
        stack, seen = [(0, 0)], {(0, 0)}
        while stack:
            x, y = stack[-1]
            free = [
                (d, (x + dx, y + dy))
                for d, (dx, dy) in STEP.items()
                if (x + dx, y + dy) in self.open and (x + dx, y + dy) not in seen
            ]
            if not free:
                stack.pop()
                continue
            d, other = rng.choice(free)
            self.open[(x, y)].add(d)
            self.open[other].add({"N": "S", "S": "N", "E": "W", "W": "E"}[d])
            seen.add(other)
            stack.append(other)

    def _routes(self, start):
        routes, queue = {start: []}, deque([start])
        while queue:
            here = queue.popleft()
            for d in sorted(self.open[here]):
                there = (here[0] + STEP[d][0], here[1] + STEP[d][1])
                if there not in routes:
                    routes[there] = routes[here] + [d]
                    queue.append(there)
        return routes

    def _farthest(self, start, avoid=None):
        routes = self._routes(start)
        return max((c for c in routes if c not in (start, avoid)), key=lambda c: (len(routes[c]), c))

    def _view(self):
        ways = ", ".join(WORD[d] for d in "NESW" if d in self.open[self.pos])
        extra = ""
        if self.pos == self.key and not self.has_key:
            extra = " Something glitters here."
        if self.pos == self.exit:
            extra += " There is a locked door here." if not self.has_key else ""
        return f"Openings: {ways}.{extra}"

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([NESWnesw])\s*\}", action)
        if not m:
            return "Walk with \\boxed{N}, \\boxed{E}, \\boxed{S} or \\boxed{W}. " + self._view(), 0.0, False, late, {}
        d = m.group(1).upper()
        if d not in self.open[self.pos]:
            return f"A wall in the {WORD[d]}. " + self._view(), 0.0, False, late, {}
        self.pos = (self.pos[0] + STEP[d][0], self.pos[1] + STEP[d][1])
        if self.pos == self.key and not self.has_key:
            self.has_key = True
            return "You pick up the key. " + self._view(), 0.4, False, late, {}
        if self.pos == self.exit and self.has_key:
            return "The key turns, and you step into daylight.", 0.6, True, False, {}
        return f"You go {WORD[d]}. " + self._view(), 0.0, False, late, {}

    def solution(self):
        way = self._routes(self.pos)[self.key] + self._routes(self.key)[self.exit]
        return [f"\\boxed{{{d}}}" for d in way]

    def hint(self):
        return "Keep a map with coordinates, prefer openings you have not taken, and turn back at dead ends."
