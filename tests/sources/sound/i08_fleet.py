import random
import re


class HiddenFleetEnv:
    """Three ships on seven by seven, twenty-two shots; each hit pays a little, the last one the rest."""

    def __init__(self, max_turns=22):
        self.max_turns = max_turns
        self.ships = []
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.ships = []
        for length in (4, 3, 2):
            while True:
                across = rng.random() < 0.5
                r, c = rng.randrange(7 if across else 8 - length), rng.randrange(8 - length if across else 7)
                cells = [(r, c + i) if across else (r + i, c) for i in range(length)]
                taken = {cell for ship in self.ships for cell in ship}
                if not taken & set(cells):
                    break
            self.ships.append(cells)
        self.shots = set()
        self.count = 0
        return (
            "Ships of length 4, 3 and 2 lie hidden, straight along rows A-G or columns 1-7. \\boxed{fire C5} shoots at row C, "
            "column 5; you learn whether it hits or sinks, and on a miss how many ship cells are in that row and column "
            f"together. Sink all with at most {self.max_turns} shots."
        ), {}

    def step(self, action):
        self.count += 1
        late = self.count >= self.max_turns
        m = re.search(r"\\boxed\{\s*fire\s+([A-Ga-g])\s*([1-7])\s*\}", action)
        if not m:
            return "Say \\boxed{fire C5}.", 0.0, False, late, {}
        cell = ("ABCDEFG".index(m.group(1).upper()), int(m.group(2)) - 1)
        if cell in self.shots:
            return "You have shot there before.", 0.0, False, late, {}
        self.shots.add(cell)
        for ship in self.ships:
            if cell in ship:
                if all(set(s) <= self.shots for s in self.ships):
                    return "The last ship sinks.", 0.5, True, False, {}
                sunk = "sinks" if set(ship) <= self.shots else "hit"
                return f"A {sunk}." if sunk == "hit" else "The ship sinks.", 0.0625, False, late, {}
        near = sum((r == cell[0]) or (c == cell[1]) for ship in self.ships for r, c in ship)
        return f"Miss; {near} ship cells in row and column.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{fire {'ABCDEFG'[r]}{c + 1}}}" for ship in self.ships for r, c in ship]
