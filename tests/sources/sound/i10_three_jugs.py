import random
import re
from collections import deque


class ThreeJugsEnv:
    """Pouring between three jugs; targets that need at least eight moves, with three to spare."""

    def __init__(self, max_turns=14):
        self.max_turns = max_turns
        self.reset()

    def _apply(self, state, move):
        s = list(state)
        if move[0] == "fill":
            s[move[1]] = self.sizes[move[1]]
        elif move[0] == "empty":
            s[move[1]] = 0
        else:
            n = min(s[move[1]], self.sizes[move[2]] - s[move[2]])
            s[move[1]] -= n
            s[move[2]] += n
        return tuple(s)

    def _moves(self):
        for i in range(3):
            yield ("fill", i)
            yield ("empty", i)
            for j in range(3):
                if i != j:
                    yield ("pour", i, j)

    def _search(self, start):
        prev, todo = {start: None}, deque([start])
        while todo:
            state = todo.popleft()
            for move in self._moves():
                nxt = self._apply(state, move)
                if nxt not in prev:
                    prev[nxt] = (state, move)
                    todo.append(nxt)
        return prev

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.sizes = sorted(rng.sample(range(3, 11), 3), reverse=True)
            self.start = (0, 0, 0)
            prev = self._search(self.start)
            far = []
            for state in prev:
                path, at = [], state
                while prev[at] is not None:
                    at, move = prev[at]
                    path.append(move)
                if 8 <= len(path) <= 10:
                    far.append((state, path[::-1]))
            if far:
                break
        self.goal, self.path = rng.choice(far)
        self.state, self.turn, self.limit = self.start, 0, len(self.path) + 3
        return (
            f"Jugs A, B and C hold {self.sizes[0]}, {self.sizes[1]} and {self.sizes[2]} litres; all are empty. "
            f"Bring them to exactly {self.goal[0]}, {self.goal[1]} and {self.goal[2]} litres within {self.limit} moves. "
            "\\boxed{fill A}, \\boxed{empty B}, \\boxed{pour A B}; a pour goes on until one jug is empty or the other full."
        ), {"limit": self.limit}

    def step(self, action):
        self.turn += 1
        m = re.fullmatch(r"\\boxed\{\s*(fill|empty|pour)\s+([abc])(?:\s+(?:into\s+|to\s+)?([abc]))?\s*\}", action.lower())
        late = self.turn >= self.limit
        if not m or (m.group(1) == "pour") != bool(m.group(3)) or m.group(2) == m.group(3):
            return "That is no move.", 0.0, False, late, {}
        move = (m.group(1),) + tuple("abc".index(x) for x in m.groups()[1:] if x)
        self.state = self._apply(self.state, move)
        if self.state == self.goal:
            return "Exactly as wished.", 1.0, True, False, {}
        return "Now A, B and C hold %d, %d and %d litres." % self.state, 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{" + " ".join([m[0]] + ["ABC"[i] for i in m[1:]]) + "}" for m in self.path]
