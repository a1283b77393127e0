# expect: refuse feasibility.witness
# defect: solution() takes the way with the fewest steps and forgets that bog costs three units of strength, so the courier is exhausted on part of the seeds.
import heapq
import random
import re
from collections import deque

GRID = 8
TURNS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
COST = {".": 1, "~": 3, "^": 2}


class MoorCourierEnv:
    """Optimisation with partial knowledge: cross a moor on limited strength, seeing only the squares around."""

    def __init__(self, max_turns=40, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        while True:
            self.land = {
                (x, y): rng.choice("...~~^#") for x in range(GRID) for y in range(GRID)
            }
            self.pos, self.goal = (0, rng.randrange(GRID)), (GRID - 1, rng.randrange(GRID))
            self.land[self.pos] = self.land[self.goal] = "."
            needed = self._cheapest()
            if needed is not None and self._steps() is not None and needed >= 10:
                break
        self.strength = needed + 3
        return (
            f"A courier crosses a moor of {GRID} by {GRID} squares, x from 0 in the west, y from 0 in the north, from "
            f"{self.pos} to {self.goal}. He sees the eight squares around him. Walking on to grass (.) costs 1 unit of "
            "strength, on to a hill (^) 2 and into a bog (~) 3; rock (#) cannot be entered. Without strength he is lost.\n"
            "Walk with \\boxed{N}, \\boxed{E}, \\boxed{S}, \\boxed{W}. \\boxed{SCOUT row} with a number from 0 to 7 shows "
            f"a whole row and costs no strength, but only in the first three turns. {self.max_turns} turns.\n"
            + self._view()
        ), {}

    def _inside(self, cell):
        return cell in self.land and self.land[cell] != "#"

    def _cheapest(self):
        heap, done = [(0, self.pos)], set()
        while heap:
            cost, cell = heapq.heappop(heap)
            if cell == self.goal:
                return cost
            if cell in done:
                continue
            done.add(cell)
            for dx, dy in TURNS.values():
                after = (cell[0] + dx, cell[1] + dy)
                if self._inside(after):
                    heapq.heappush(heap, (cost + COST[self.land[after]], after))
        return None

    def _steps(self):
        queue, seen = deque([(self.pos, "")]), {self.pos}
        while queue:
            cell, way = queue.popleft()
            if cell == self.goal:
                return way
            for name, (dx, dy) in TURNS.items():
                after = (cell[0] + dx, cell[1] + dy)
                if after not in seen and self._inside(after):
                    seen.add(after)
                    queue.append((after, way + name))
        return None

    def _view(self):
        x, y = self.pos
        rows = []
        for b in range(y - 1, y + 2):
            rows.append("".join("@" if (a, b) == self.pos else self.land.get((a, b), " ") for a in range(x - 1, x + 2)))
        return f"Strength {self.strength}, at {self.pos}. Around:\n" + "\n".join(rows)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        scout = re.search(r"\\boxed\{\s*SCOUT\s+([0-7])\s*\}", action, re.IGNORECASE)
        if scout:
            if self.turn > 3:
                return "The light is too low for scouting now.", 0.0, False, late, {}
            row = int(scout.group(1))
            return f"Row {row}: " + "".join(self.land[x, row] for x in range(GRID)), 0.0, False, late, {}
        match = re.search(r"\\boxed\{\s*([NESWnesw])\s*\}", action)
        if not match:
            return "Say N, E, S, W or SCOUT with a row.", 0.0, False, late, {}
        dx, dy = TURNS[match.group(1).upper()]
        after = (self.pos[0] + dx, self.pos[1] + dy)
        if not self._inside(after):
            return "Rock or the edge of the moor. " + self._view(), 0.0, False, late, {}
        self.strength -= COST[self.land[after]]
        if self.strength < 0:
            return "The courier sinks down, exhausted.", 0.0, True, False, {}
        self.pos = after
        if self.pos == self.goal:
            return "The letter is delivered.", 1.0, True, False, {}
        return self._view(), 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{name}}}" for name in self._steps()]

    def hint(self):
        return "Scout the middle rows first and go round bogs unless the way round has more than two extra squares."
