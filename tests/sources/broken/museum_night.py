# expect: warn exploits.floor | refuse exploits.floor
# defect: three by three rooms and 100 turns make the search trivial: walking at random finds the seal and meets the curator on some 70 % of the seeds.
import random
import re

SIZE = 3
WAYS = {"NORTH": (0, -1), "SOUTH": (0, 1), "WEST": (-1, 0), "EAST": (1, 0)}
HALLS = [
    "Amber Hall", "Bronze Gallery", "Clock Room", "Delft Cabinet", "Egyptian Wing", "Fossil Hall", "Glass Court",
    "Horology Loft", "Ivory Room",
]


class MuseumNightEnv:
    """Exploration: carry the seal from the hall where it lies to the hall where the curator waits."""

    def __init__(self, max_turns=100, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        cells = [(x, y) for x in range(SIZE) for y in range(SIZE)]
        self.names = dict(zip(cells, rng.sample(HALLS, len(cells))))
        self.pos, self.seal, self.curator = rng.sample(cells, 3)
        self.locked = set()
        self._lock_some(rng, cells)
        self.carrying = False
        return (
            "Night in a museum of halls in a square, in the dark. Somewhere lies a seal, and in another hall the curator "
            "waits for it. You take the seal as soon as you enter its hall, and hand it over when you meet the curator "
            "with it. Some doors are locked for the night.\n"
            "Walk with \\boxed{NORTH}, \\boxed{SOUTH}, \\boxed{EAST} or \\boxed{WEST}. "
            f"At turn {self.max_turns} the museum opens and you are caught.\n" + self._here()
        ), {}

    def _lock_some(self, rng, cells):
        """Lock four doors, keeping all halls connected."""
        doors = [frozenset((a, b)) for a in cells for b in cells if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 and a < b]
        rng.shuffle(doors)
        for door in doors:
            if len(self.locked) == SIZE:
                break
            self.locked.add(door)
            if len(self._paths(self.pos)) < len(cells):
                self.locked.remove(door)

    def _next(self, cell, way):
        after = (cell[0] + WAYS[way][0], cell[1] + WAYS[way][1])
        inside = 0 <= after[0] < SIZE and 0 <= after[1] < SIZE
        return after if inside and frozenset((cell, after)) not in self.locked else None

    def _paths(self, start):
        paths, queue = {start: []}, [start]
        for cell in queue:
            for way in WAYS:
                after = self._next(cell, way)
                if after is not None and after not in paths:
                    paths[after] = paths[cell] + [way]
                    queue.append(after)
        return paths

    def _here(self):
        open_ways = [way for way in WAYS if self._next(self.pos, way) is not None]
        burden = " You carry the seal." if self.carrying else ""
        return f"You are in the {self.names[self.pos]}. Open doors: {', '.join(open_ways)}.{burden}"

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*([A-Za-z]+)\s*\}", action)
        way = match.group(1).upper() if match else ""
        if way not in WAYS:
            return "Say NORTH, SOUTH, EAST or WEST. " + self._here(), 0.0, False, late, {}
        after = self._next(self.pos, way)
        if after is None:
            return "No open door there. " + self._here(), 0.0, False, late, {}
        self.pos = after
        if self.pos == self.seal and not self.carrying:
            self.carrying = True
            return "You find the seal. " + self._here(), 0.2, False, late, {}
        if self.pos == self.curator and self.carrying:
            return "The curator takes the seal and shows you out.", 0.8, True, False, {}
        return self._here(), 0.0, False, late, {}

    def solution(self):
        way = self._paths(self.pos)[self.seal] + self._paths(self.seal)[self.curator]
        return [f"\\boxed{{{step}}}" for step in way]

    def hint(self):
        return "Draw a map while you walk and go to halls you have not seen before you turn back."
