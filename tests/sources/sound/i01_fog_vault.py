import random
import re
from collections import deque

DIRS = {"north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)}


class FogVaultEnv:
    """Exploration under fog: fetch the key, then stand on the gate. Pits are seen from next to them and end it all."""

    def __init__(self, max_turns=45):
        self.max_turns = max_turns
        self.size = 8
        self.reset()

    def _ways(self, start, goal):
        todo, prev = deque([start]), {start: None}
        while todo:
            at = todo.popleft()
            if at == goal:
                path = []
                while prev[at] is not None:
                    at, word = prev[at]
                    path.append(word)
                return path[::-1]
            for word, (dr, dc) in DIRS.items():
                nxt = (at[0] + dr, at[1] + dc)
                if min(nxt) >= 0 and max(nxt) < self.size and nxt not in self.pits and nxt not in prev:
                    prev[nxt] = (at, word)
                    todo.append(nxt)
        return None

    def reset(self, seed=None):
        rng = random.Random(seed)
        cells = [(r, c) for r in range(self.size) for c in range(self.size)]
        while True:
            picks = rng.sample(cells, 14)
            self.pos, self.key, self.gate, self.pits = picks[0], picks[1], picks[2], set(picks[3:])
            first, second = self._ways(self.pos, self.key), self._ways(self.key, self.gate)
            if first and second and 9 <= len(first) + len(second) <= 22:
                break
        self.plan = first + ["take key"] + second
        self.has_key, self.turn = False, 0
        return (
            f"A vault of {self.size} by {self.size} cells lies in fog; you see the cells around you: . floor, O pit, K key, G gate, # wall, @ you. "
            "Walk with \\boxed{north}, \\boxed{south}, \\boxed{west} or \\boxed{east}; lift the key with \\boxed{take key} when you stand on it; "
            f"reach the gate with the key. A pit is the end. {self.max_turns} turns.\n" + self._view()
        ), {}

    def _view(self):
        rows = []
        for r in range(self.pos[0] - 1, self.pos[0] + 2):
            row = ""
            for c in range(self.pos[1] - 1, self.pos[1] + 2):
                cell = (r, c)
                inside = 0 <= r < self.size and 0 <= c < self.size
                row += "#" if not inside else "@" if cell == self.pos else "O" if cell in self.pits else \
                    "K" if cell == self.key and not self.has_key else "G" if cell == self.gate else "."
            rows.append(row)
        here = " The key lies here." if self.pos == self.key and not self.has_key else ""
        return "\n".join(rows) + f"\nYou are in row {self.pos[0] + 1}, column {self.pos[1] + 1}.{here}"

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.fullmatch(r"\\boxed\{\s*([a-z ]+?)\s*\}", action.lower())
        command = m.group(1) if m else ""
        if command == "take key":
            if self.pos != self.key or self.has_key:
                return "No key to lift here.\n" + self._view(), 0.0, False, late, {}
            self.has_key = True
            return "You have the key.\n" + self._view(), 0.0, False, late, {}
        if command not in DIRS:
            return "Unknown command.\n" + self._view(), 0.0, False, late, {}
        r, c = self.pos[0] + DIRS[command][0], self.pos[1] + DIRS[command][1]
        if not (0 <= r < self.size and 0 <= c < self.size):
            return "A wall.\n" + self._view(), 0.0, False, late, {}
        self.pos = (r, c)
        if self.pos in self.pits:
            return "You fall into a pit.", -1.0, True, False, {}
        if self.pos == self.gate and self.has_key:
            return "The gate opens. You are out!", 1.0, True, False, {}
        return self._view(), 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{word}}}" for word in self.plan]

    def hint(self):
        return "Sweep the vault in rows that lie three apart, so that you see every cell once. Note where the gate is while you look for the key."
