import heapq
import random
import re


class TollGridEnv(object):
    """
    Toll Grid
    ---------
    ASCII map, every cell has a two-digit toll. Walk from the top-left to the bottom-right corner,
    four directions, pay the toll of every cell you stand on (including the start). '##' is a wall.
    Question: the minimum total toll.
    """

    ROWS, COLS = 7, 8

    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.board = None
        self.best = None
        self.turn_count = 0
        self.reset()

    # -- generation ----------------------------------------------------------
    def _dijkstra(self):
        start, goal = (0, 0), (self.ROWS - 1, self.COLS - 1)
        heap = [(self.board[0][0], start)]
        dist = {start: self.board[0][0]}
        while heap:
            d, (r, c) = heapq.heappop(heap)
            if (r, c) == goal:
                return d
            if d > dist[(r, c)]:
                continue
            for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                nr, nc = r + dr, c + dc
                if 0 <= nr < self.ROWS and 0 <= nc < self.COLS and self.board[nr][nc] is not None:
                    nd = d + self.board[nr][nc]
                    if nd < dist.get((nr, nc), 10 ** 9):
                        dist[(nr, nc)] = nd
                        heapq.heappush(heap, (nd, (nr, nc)))
        return None

    def reset(self, seed=None, options=None):
        rng = random.Random(seed)
        self.best = None
        while self.best is None or self.best < 250:
            self.board = [[rng.randint(10, 99) if rng.random() > 0.17 else None for _ in range(self.COLS)]
                          for _ in range(self.ROWS)]
            self.board[0][0] = rng.randint(10, 99)
            self.board[-1][-1] = rng.randint(10, 99)
            self.best = self._dijkstra()
        self.turn_count = 0
        self.history = []
        return self.render(), {"walls": sum(cell is None for row in self.board for cell in row)}

    def render(self):
        bar = "+" + "----+" * self.COLS
        out = [bar]
        for row in self.board:
            out.append("|" + "|".join(" ## " if v is None else f" {v} " for v in row) + "|")
            out.append(bar)
        return ("Find the cheapest way from the top-left to the bottom-right cell (up, down, left, right; walls ## are "
                "closed).\nYou pay the number in every cell you visit, first and last included.\n\n" + "\n".join(out) +
                f"\n\nAnswer with the total only: \\boxed{{TOTAL}}. Attempts: {self.max_turns}."
                + (f"\nTried so far: {self.history}" if self.history else ""))

    # -- play ----------------------------------------------------------------
    def step(self, action):
        self.turn_count += 1
        truncated = self.turn_count >= self.max_turns
        info = {"turn": self.turn_count}
        m = re.search(r"\\boxed\{\s*(\d{1,6})\s*\}", action, flags=re.ASCII)
        if not m:
            return "Please send one whole number in \\boxed{}.", 0.0, False, truncated, info
        value = int(m.group(1))
        if value == self.best:
            return "That is the minimum. Well done!", 1.0, True, False, info
        self.history.append(value)
        if truncated:
            return f"No more attempts. The minimum was {self.best}.", 0.0, False, True, info
        if value > self.best:
            msg = "There is a cheaper way than that."
        else:
            msg = "No way is that cheap."
        return msg + "\n" + self.render(), 0.0, False, False, info

    def solution(self):
        return ["\\boxed{" + str(self.best) + "}"]

    def close(self):
        self.board = None
