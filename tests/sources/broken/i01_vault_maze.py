# expect: refuse feasibility.budget | feasibility.witness
# defect: on some seeds the shortest way over the key to the door is longer than max_turns
import random
import re
from collections import deque

MOVES = {"north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)}


class VaultMazeEnv:
    """Fetch a key, then reach the door, on a map with walls that is shown in full."""

    def __init__(self, max_turns=14):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.walls = {(r, c) for r in range(8) for c in range(8) if rng.random() < 0.27}
            free = [(r, c) for r in range(8) for c in range(8) if (r, c) not in self.walls]
            self.pos, self.key, self.door = rng.sample(free, 3)
            if self._path(self.pos, self.key) and self._path(self.key, self.door):
                break
        self.has_key = False
        self.turn = 0
        return (
            "You are @, the key is k, the door is D, # is wall. Step onto the key to take it, then onto the door.\n"
            + self._map() + f"\nCommands: \\boxed{{north}}, \\boxed{{south}}, \\boxed{{west}}, \\boxed{{east}}. "
            f"{self.max_turns} turns."
        ), {}

    def _map(self):
        rows = []
        for r in range(8):
            row = ""
            for c in range(8):
                here = (r, c)
                if here == self.pos:
                    row += "@"
                elif here == self.key and not self.has_key:
                    row += "k"
                elif here == self.door:
                    row += "D"
                else:
                    row += "#" if here in self.walls else "."
            rows.append(row)
        return "\n".join(rows)

    def _path(self, start, goal):
        queue, seen = deque([(start, [])]), {start}
        while queue:
            (r, c), way = queue.popleft()
            if (r, c) == goal:
                return way
            for name, (dr, dc) in MOVES.items():
                nxt = (r + dr, c + dc)
                if nxt not in seen and nxt not in self.walls and 0 <= nxt[0] < 8 and 0 <= nxt[1] < 8:
                    seen.add(nxt)
                    queue.append((nxt, way + [name]))
        return None

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(\w+)\s*\}", action)
        word = m.group(1).lower() if m else ""
        if word not in MOVES:
            return "Unknown command; use north, south, west or east in \\boxed{}.", 0.0, False, late, {}
        nxt = (self.pos[0] + MOVES[word][0], self.pos[1] + MOVES[word][1])
        if nxt in self.walls or not (0 <= nxt[0] < 8 and 0 <= nxt[1] < 8):
            return "A wall.\n" + self._map(), 0.0, False, late, {}
        self.pos = nxt
        if nxt == self.key:
            self.has_key = True
        if nxt == self.door and self.has_key:
            return "The vault opens.", 1.0, True, False, {}
        return self._map(), 0.0, False, late, {"key": self.has_key}

    def solution(self):
        way = self._path(self.pos, self.key) + self._path(self.key, self.door)
        return [f"\\boxed{{{w}}}" for w in way]
