# A* with heappush/heappop taken from the preloaded names (no import of heapq), class-level helpers, terse
import random
import re


def manhattan(board, goal):
    d = 0
    for i, t in enumerate(board):
        if t != "_":
            j = goal.index(t)
            d += abs(i // 3 - j // 3) + abs(i % 3 - j % 3)
    return d


class TilesEnv:
    DELTA = {
        "up": -3,
        "down": 3,
        "left": -1,
        "right": 1,
    }  # where the tile that moves comes from, seen from the hole: reversed

    def __init__(self, max_turns=50):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.n = 0
        letters = rng.sample("ABCDEFGHKLMNPRSTUVXZ", 8)
        while True:
            goal = letters + ["_"]
            rng.shuffle(goal)
            board = tuple(goal)
            for _ in range(60):
                board = rng.choice([b for _, b in self.moves(board)])
            self.goal, self.board = tuple(goal), board
            self.path = self.search()
            if len(self.path) >= 14:
                break
        return (
            "Sliding tiles, _ is the hole:\n"
            + self.draw(self.board)
            + "\nBring them into this order:\n"
            + self.draw(self.goal)
            + "\nSlide a tile next to the hole by its letter: \\boxed{%s}. %d moves at most."
            % (letters[0], self.max_turns)
        ), {}

    @staticmethod
    def draw(board):
        return "\n".join(" ".join(board[i : i + 3]) for i in (0, 3, 6))

    def moves(self, board):
        h = board.index("_")
        out = []
        for d in self.DELTA.values():
            k = h + d
            if 0 <= k < 9 and (abs(d) == 3 or k // 3 == h // 3):
                b = list(board)
                b[h], b[k] = b[k], b[h]
                out.append((board[k], tuple(b)))
        return out

    def search(self):
        start = self.board
        heap, best, parent = [], {start: 0}, {start: None}
        heappush(heap, (manhattan(start, self.goal), 0, start))
        while heap:
            _, g, b = heappop(heap)
            if b == self.goal:
                path = []
                while parent[b]:
                    tile, b = parent[b]
                    path.append(tile)
                return path[::-1]
            if g > best[b]:
                continue
            for tile, c in self.moves(b):
                if g + 1 < best.get(c, 999):
                    best[c] = g + 1
                    parent[c] = (tile, b)
                    heappush(heap, (g + 1 + manhattan(c, self.goal), g + 1, c))

    def step(self, action):
        self.n += 1
        late = self.n >= self.max_turns
        m = re.search(r"\\boxed\{\s*([A-Za-z])\s*\}", action)
        after = dict(self.moves(self.board)).get(m.group(1).upper()) if m else None
        if after is None:
            return "Name a tile next to the hole, as in \\boxed{X}.\n" + self.draw(self.board), 0.0, False, late, {}
        self.board = after
        if self.board == self.goal:
            return "Solved:\n" + self.draw(self.board), 1.0, True, False, {}
        return self.draw(self.board), 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{" + t + "}" for t in self.path]

    def hint(self):
        return "Finish the row and the column away from the hole's final corner first, then cycle the remaining tiles."
