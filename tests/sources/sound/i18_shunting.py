import random
import re
from collections import deque


class ShuntingEnv:
    """Sort wagons with two dead-end sidings. The solution is one line: Commands: a -> b -> c."""

    def __init__(self, max_turns=30):
        self.max_turns = max_turns
        self.reset()

    @staticmethod
    def _move(state, word):
        inn, a, b, out = state
        if word == "pass" and inn:
            return inn[1:], a, b, out + inn[0]
        if word == "store A" and inn and len(a) < 3:
            return inn[1:], a + inn[0], b, out
        if word == "store B" and inn and len(b) < 3:
            return inn[1:], a, b + inn[0], out
        if word == "fetch A" and a:
            return inn, a[:-1], b, out + a[-1]
        if word == "fetch B" and b:
            return inn, a, b[:-1], out + b[-1]
        return None

    WORDS = ("pass", "store A", "store B", "fetch A", "fetch B")

    def _solve(self):
        start = (self.train, "", "", "")
        prev, todo = {start: None}, deque([start])
        while todo:
            state = todo.popleft()
            if state[3] == self.wanted:
                path = []
                while prev[state]:
                    state, word = prev[state]
                    path.append(word)
                return path[::-1]
            for word in self.WORDS:
                nxt = self._move(state, word)
                if nxt and nxt not in prev and self.wanted.startswith(nxt[3]):
                    prev[nxt] = (state, word)
                    todo.append(nxt)
        return None

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.train = "".join(rng.sample("GHIJKLMNPQ", 8))
            self.wanted = "".join(rng.sample(self.train, 8))
            self.path = self._solve()
            if self.path and len(self.path) >= 12:
                break
        self.state, self.turn = (self.train, "", "", ""), 0
        return (
            f"A train of eight wagons waits: {' '.join(self.train)} (the leftmost comes first). It must leave as {' '.join(self.wanted)}. "
            "\\boxed{pass} sends the first waiting wagon out, \\boxed{store A} or \\boxed{store B} pushes it into a dead-end siding for three wagons, "
            f"\\boxed{{fetch A}} or \\boxed{{fetch B}} sends out the wagon that was pushed in last. What has left cannot come back. {self.max_turns} turns."
        ), {}

    def step(self, action):
        self.turn += 1
        cut = self.turn >= self.max_turns
        m = re.fullmatch(r"\\boxed\{\s*(pass|store|fetch)\s*([ab]?)\s*\}", action.lower())
        word = (m.group(1) + " " + m.group(2).upper()).strip() if m else ""
        nxt = self._move(self.state, word)
        if nxt is None:
            return "The signal stays red. " + self._show(), 0.0, False, cut, {}
        self.state = nxt
        out = self.state[3]
        if out == self.wanted:
            return "The train leaves in order.", 1.0, True, False, {}
        if not self.wanted.startswith(out):
            return f"Wagon {out[-1]} leaves too early. The order is spoilt.", 0.0, True, False, {}
        return self._show(), 0.0, False, cut, {}

    def _show(self):
        inn, a, b, out = (" ".join(part) or "-" for part in self.state)
        return f"Waiting: {inn}. Siding A: {a}. Siding B: {b}. Left: {out}."

    def solution(self):
        return "Commands: " + " -> ".join(self.path)
