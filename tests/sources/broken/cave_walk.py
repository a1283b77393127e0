# expect: refuse exploits.floor | exploits.constant
# defect: the cave is so small and the turn limit so large that random moves among the listed commands find the exit on nearly every seed
import random
import re

SHAPES = ["dripstone hall", "low crawl", "round chamber", "bat roost", "pool"]


class CaveWalkEnv:
    """Exploration and mapping: find the way out of a cave with a carbide lamp."""

    def __init__(self, max_turns=80):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.names = rng.sample(SHAPES, 5)
        self.links = {n: {} for n in self.names}
        directions = {"north": "south", "east": "west", "up": "down"}
        order = list(self.names)
        rng.shuffle(order)
        for a, b in zip(order, order[1:]):
            options = [d for d in directions if d not in self.links[a] and directions[d] not in self.links[b]]
            d = rng.choice(options)
            self.links[a][d] = b
            self.links[b][directions[d]] = a
        self.path = order
        self.at, self.exit = order[0], order[-1]
        return (
            "Your lamp burns low. Find the way out of the cave. Commands: \\boxed{north}, \\boxed{south}, \\boxed{east}, \\boxed{west}, "
            f"\\boxed{{up}}, \\boxed{{down}}. You have {self.max_turns} turns.\n{self._here()}"
        ), {}

    def _here(self):
        return f"You are in the {self.at}. You feel air from: {', '.join(sorted(self.links[self.at]))}."

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(north|south|east|west|up|down)\s*\}", action)
        if m is None:
            return "Move in one of the six directions.", 0.0, False, late, {}
        if m.group(1) not in self.links[self.at]:
            return "Rock. " + self._here(), 0.0, False, late, {}
        self.at = self.links[self.at][m.group(1)]
        if self.at == self.exit:
            return "Daylight!", 1.0, True, False, {}
        return self._here(), 0.0, False, late, {}

    def solution(self):
        moves = []
        for a, b in zip(self.path, self.path[1:]):
            moves.append(next(d for d, room in self.links[a].items() if room == b))
        return [f"\\boxed{{{m}}}" for m in moves]
