import random
import re
from collections import deque

DIRS = {"north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)}


class KeyMazeEnv:
    """Fog-of-war maze: fetch a key from a dead end, then leave through the locked gate."""

    def __init__(self, max_turns=90, size=6, **kwargs):
        self.max_turns = max_turns
        self.size = size
        self.reset()

    # ------------------------------------------------------------------ world
    def _carve(self, rng):
        n = self.size
        self.open = {(r, c): set() for r in range(n) for c in range(n)}
        stack, seen = [(0, 0)], {(0, 0)}
        while stack:
            r, c = stack[-1]
            choices = [(d, (r + dr, c + dc)) for d, (dr, dc) in DIRS.items()
                       if (r + dr, c + dc) in self.open and (r + dr, c + dc) not in seen]
            if not choices:
                stack.pop()
                continue
            d, nxt = rng.choice(choices)
            back = {"north": "south", "south": "north", "east": "west", "west": "east"}[d]
            self.open[(r, c)].add(d)
            self.open[nxt].add(back)
            seen.add(nxt)
            stack.append(nxt)

    def _path(self, a, b):
        queue, prev = deque([a]), {a: None}
        while queue:
            cell = queue.popleft()
            if cell == b:
                break
            for d in sorted(self.open[cell]):
                dr, dc = DIRS[d]
                nxt = (cell[0] + dr, cell[1] + dc)
                if nxt not in prev:
                    prev[nxt] = (cell, d)
                    queue.append(nxt)
        path = []
        while prev[b] is not None:
            b, d = prev[b]
            path.append(d)
        return path[::-1]

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self._carve(rng)
            ends = [p for p, exits in self.open.items() if len(exits) == 1]
            if len(ends) < 3:
                continue
            self.pos, self.key_at, self.gate_at = rng.sample(ends, 3)
            self.plan = self._path(self.pos, self.key_at) + ["take"] + self._path(self.key_at, self.gate_at) + ["unlock"]
            if 25 <= len(self.plan) <= 60:
                break
        self.has_key = False
        self.turn = 0
        self.visited = {self.pos}
        return ("You wake up in a dark maze of %d by %d chambers. Somewhere lies a key, elsewhere is a locked gate.\n"
                "Commands: \\boxed{north}, \\boxed{south}, \\boxed{east}, \\boxed{west}, \\boxed{take}, \\boxed{unlock}, \\boxed{map}.\n"
                "You have %d turns.\n\n%s" % (self.size, self.size, self.max_turns, self._look())), {}

    def _look(self):
        text = f"Chamber ({self.pos[0]}, {self.pos[1]}). Exits: {', '.join(sorted(self.open[self.pos]))}."
        if self.pos == self.key_at and not self.has_key:
            text += " A key hangs on the wall."
        if self.pos == self.gate_at:
            text += " Here is the gate."
        return text

    def render(self):
        rows = []
        for r in range(self.size):
            rows.append(" ".join("@" if (r, c) == self.pos else "." if (r, c) in self.visited else "?" for c in range(self.size)))
        return "\n".join(rows)

    # ------------------------------------------------------------------- play
    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([a-z]+)\s*\}", action.lower())
        cmd = m.group(1) if m else ""
        info = {"visited": len(self.visited), "key": self.has_key}
        if cmd in DIRS:
            if cmd not in self.open[self.pos]:
                return "You bump into a wall. " + self._look(), -0.01, False, late, info
            self.pos = (self.pos[0] + DIRS[cmd][0], self.pos[1] + DIRS[cmd][1])
            self.visited.add(self.pos)
            return self._look(), 0.0, False, late, info
        if cmd == "take":
            if self.pos == self.key_at and not self.has_key:
                self.has_key = True
                return "You take the key.", 0.0, False, late, info
            return "Nothing to take here.", 0.0, False, late, info
        if cmd == "unlock":
            if self.pos != self.gate_at:
                return "There is no gate here.", 0.0, False, late, info
            if not self.has_key:
                return "The gate is locked and you have no key.", 0.0, False, late, info
            return "The gate swings open. Free!", 1.0, True, False, info
        if cmd == "map":
            return self.render(), 0.0, False, late, info
        return "I do not understand. " + self._look(), -0.01, False, late, info

    def solution(self):
        return ["\\boxed{%s}" % c for c in self.plan]
