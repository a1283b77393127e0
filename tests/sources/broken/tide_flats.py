# expect: refuse feasibility.witness
# defect: channels are dug at random and nobody checks that the beacon can still be reached, so about 30 % of the seeds cannot be won; solution() then gives up.
"""Tide flats: find the way to the beacon before the sea comes back."""
import random
import re
from collections import deque
from dataclasses import dataclass, field


@dataclass
class Flats:
    width: int
    height: int
    deep: set = field(default_factory=set)
    start: tuple = (0, 0)
    beacon: tuple = (0, 0)

    def open(self, cell):
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height and cell not in self.deep

    def around(self, cell):
        x, y = cell
        return {"north": (x, y - 1), "east": (x + 1, y), "south": (x, y + 1), "west": (x - 1, y)}


class TideFlatsEnv:
    def __init__(self, max_turns=40, **kwargs):
        self.max_turns = max_turns
        self.turn = 0
        self.flats = None
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        flats = Flats(8, 6)
        flats.start = (0, rng.randrange(6))
        flats.beacon = (7, rng.randrange(6))
        for x in range(8):
            for y in range(6):
                if rng.random() < 0.29 and (x, y) not in (flats.start, flats.beacon):
                    flats.deep.add((x, y))
        self.flats = flats
        self.here = flats.start
        self.wet = 0
        self.marks = {self.here}
        return (
            "You stand on tide flats, 8 squares from west to east and 6 from north to south, in fog. Some squares are "
            "deep channels; walking into one soaks you and throws you back, and the third soaking ends the walk.\n"
            f"You are at {flats.start} (west-east, north-south); the beacon stands at {flats.beacon}.\n"
            "\\boxed{WALK north}, \\boxed{WALK east}, \\boxed{WALK south}, \\boxed{WALK west}; \\boxed{PROBE} feels with "
            f"the staff which of the four squares around are deep. The sea is back after {self.max_turns} turns."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*(WALK|PROBE)\s*([a-z]*)\s*\}", action, re.IGNORECASE)
        if not match:
            return "WALK with a direction, or PROBE.", 0.0, False, late, {}
        around = self.flats.around(self.here)
        if match.group(1).upper() == "PROBE":
            felt = ", ".join(f"{way} {'firm' if self.flats.open(cell) else 'deep'}" for way, cell in around.items())
            return f"Around {self.here}: {felt}.", 0.0, False, late, {}
        way = match.group(2).lower()
        if way not in around:
            return "Walk north, east, south or west.", 0.0, False, late, {}
        if not self.flats.open(around[way]):
            self.wet += 1
            if self.wet >= 3:
                return "The current takes you. Lost.", 0.0, True, False, {}
            return f"You sink in and struggle back to {self.here}. Soaked {self.wet} times.", 0.0, False, late, {}
        self.here = around[way]
        self.marks.add(self.here)
        if self.here == self.flats.beacon:
            return "The beacon! You are safe.", 1.0, True, False, {}
        return f"Firm sand. You are at {self.here}.", 0.0, False, late, {"seen": len(self.marks)}

    def solution(self):
        queue, came = deque([self.here]), {self.here: []}
        while queue:
            cell = queue.popleft()
            if cell == self.flats.beacon:
                return [f"\\boxed{{WALK {way}}}" for way in came[cell]]
            for way, after in self.flats.around(cell).items():
                if self.flats.open(after) and after not in came:
                    came[after] = came[cell] + [way]
                    queue.append(after)
        return []

    def hint(self):
        return "Probe when you come to a new square, keep a map, and turn back early from dead ends."
