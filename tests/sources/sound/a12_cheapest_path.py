import heapq
import random


class CheapestPathEnv:
    """ASCII grid of costs; the cost of the cheapest orthogonal path from corner to corner is asked for."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.size = 8
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.grid = [[rng.randint(3, 98) if rng.random() > 0.16 else None for _ in range(self.size)] for _ in range(self.size)]
            self.grid[0][0] = rng.randint(3, 98)
            self.grid[-1][-1] = rng.randint(3, 98)
            self.best = self._dijkstra()
            if self.best is not None and self.best > 200:
                break
        self.turn = 0
        bar = "+" + "---" * self.size + "+"
        body = [bar] + ["|" + "".join("##".rjust(3) if c is None else f"{c:3d}" for c in row) + "|" for row in self.grid] + [bar]
        return (
            "\n".join(body) + "\n\nEach number is the toll of entering that cell, the toll of the start included; ## is a wall. "
            "Walk from the top left to the bottom right, only up, down, left and right. What is the smallest total toll? "
            f"\\boxed{{number}}; {self.max_turns} tries."
        ), {}

    def _dijkstra(self):
        heap, seen = [(self.grid[0][0], 0, 0)], set()
        while heap:
            cost, r, c = heapq.heappop(heap)
            if (r, c) in seen:
                continue
            seen.add((r, c))
            if r == c == self.size - 1:
                return cost
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                nr, nc = r + dr, c + dc
                if 0 <= nr < self.size and 0 <= nc < self.size and self.grid[nr][nc] is not None:
                    heapq.heappush(heap, (cost + self.grid[nr][nc], nr, nc))
        return None

    def step(self, action):
        self.turn += 1
        done = self.turn >= self.max_turns
        text = action.replace("\\boxed{", "").rstrip("}").strip()
        if not (text.isascii() and text.isdigit() and len(text) < 6):
            return "A whole number in a box.", 0.0, False, done, {}
        if int(text) == self.best:
            return "Right, nobody pays less.", 1.0, True, False, {}
        if int(text) < self.best:
            return f"No path costs {int(text)} or less.", 0.0, False, done, {}
        return f"{int(text)} is more than needed.", 0.0, False, done, {}

    def solution(self):
        return [f"\\boxed{{{self.best}}}"]

    def hint(self):
        return "Fill in a second grid with the cheapest total to reach each cell, always going on from the smallest total. A way may also lead up or left."
