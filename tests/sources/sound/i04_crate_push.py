"""One-crate sokoban on an ASCII board, with a bounded number of pushes and steps."""
import random, re
from collections import deque

STEP = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


class CratePushEnv:

    H, W = 7, 8

    def __init__(self, max_turns=10):
        self.max_turns = max_turns
        self.reset()

    def _free(self, p):
        return 0 < p[0] < self.H - 1 and 0 < p[1] < self.W - 1 and p not in self.walls

    def _search(self, start):
        """BFS over (player, crate)."""
        queue, prev = deque([start]), {start: None}
        while queue:
            state = queue.popleft()
            man, box = state
            if box == self.goal:
                path = []
                while prev[state]:
                    state, key = prev[state]
                    path.append(key)
                return "".join(reversed(path))
            for key, (dr, dc) in STEP.items():
                nxt = (man[0] + dr, man[1] + dc)
                if not self._free(nxt):
                    continue
                nbox = box
                if nxt == box:
                    nbox = (box[0] + dr, box[1] + dc)
                    if not self._free(nbox):
                        continue
                if (nxt, nbox) not in prev:
                    prev[(nxt, nbox)] = (state, key)
                    queue.append((nxt, nbox))
        return None

    def reset(self, seed=None):
        rng = random.Random(seed)
        inner = [(r, c) for r in range(1, self.H - 1) for c in range(1, self.W - 1)]
        while True:
            self.walls = set(rng.sample(inner, 7))
            free = [p for p in inner if p not in self.walls]
            man, box, self.goal = rng.sample(free, 3)
            self.moves = self._search((man, box))
            if self.moves and 16 <= len(self.moves) <= 34:
                break
        self.man, self.box = man, box
        self.initial = (man, box)
        self.turn = 0
        self.steps = 0
        self.limit = len(self.moves) + 14
        return ("Push the crate $ onto the spot x. You are @, walls are #. You push by walking into the crate; you cannot pull.\n"
                f"Send moves as letters, up to 8 per turn: \\boxed{{UURDL}} (U, D, L, R), or \\boxed{{RESET}} to put everything back "
                f"(steps stay counted).\nStep budget: {self.limit}. Turns: {self.max_turns}.\n\n" + self.board()), {}

    def board(self):
        grid = [["#" if r in (0, self.H - 1) or c in (0, self.W - 1) or (r, c) in self.walls else "." for c in range(self.W)]
                for r in range(self.H)]
        grid[self.goal[0]][self.goal[1]] = "x"
        grid[self.box[0]][self.box[1]] = "$"
        grid[self.man[0]][self.man[1]] = "@"
        return "\n".join("".join(row) for row in grid)

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*(RESET|[UDLR]{1,8})\s*\}", action)
        late = self.turn >= self.max_turns
        if m is None:
            return "Send 1 to 8 of the letters U, D, L, R.\n" + self.board(), 0.0, False, late, {}
        if m.group(1) == "RESET":
            self.man, self.box = self.initial
            return self.board(), 0.0, False, late, {}
        blocked = 0
        for key in m.group(1):
            self.steps += 1
            dr, dc = STEP[key]
            nxt = (self.man[0] + dr, self.man[1] + dc)
            beyond = (nxt[0] + dr, nxt[1] + dc)
            if not self._free(nxt) or (nxt == self.box and not self._free(beyond)):
                blocked += 1
                continue
            if nxt == self.box:
                self.box = beyond
            self.man = nxt
            if self.box == self.goal:
                return "The crate is in place.\n" + self.board(), 1.0, True, False, {"steps": self.steps}
            if self.steps >= self.limit:
                return "You are out of steps.\n" + self.board(), 0.0, True, False, {"steps": self.steps}
        text = f"{blocked} of your moves were blocked. " if blocked else ""
        return text + f"Steps used: {self.steps}/{self.limit}.\n" + self.board(), 0.0, False, late, {"steps": self.steps}

    def solution(self):
        return [f"\\boxed{{{self.moves[i:i + 8]}}}" for i in range(0, len(self.moves), 8)]
