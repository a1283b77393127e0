import random
import re
from collections import deque

_MEMO = {}


def distances(n):
    """For every goal peg: moves from each arrangement of n discs to the tower on that peg."""
    if n not in _MEMO:
        table = {}
        for goal in range(3):
            end = (goal,) * n
            dist, todo = {end: 0}, deque([end])
            while todo:
                state = todo.popleft()
                for nxt in neighbours(state):
                    if nxt not in dist:
                        dist[nxt] = dist[state] + 1
                        todo.append(nxt)
            table[goal] = dist
        _MEMO[n] = table
    return _MEMO[n]


def neighbours(state):
    for a in range(3):
        for b in range(3):
            if a != b:
                moved = shift(state, a, b)
                if moved:
                    yield moved


def shift(state, a, b):
    top = next((d for d, peg in enumerate(state) if peg == a), None)
    other = next((d for d, peg in enumerate(state) if peg == b), None)
    if top is None or (other is not None and other < top):
        return None
    return state[:top] + (b,) + state[top + 1:]


class DiscsAndPegsEnv:
    """Five discs in a legal mess, to be stacked on a given peg with four moves to spare."""

    def __init__(self, max_turns=34):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        table = distances(5)
        while True:
            self.state = tuple(rng.randrange(3) for _ in range(5))
            self.goal = rng.randrange(3)
            self.need = table[self.goal][self.state]
            if 15 <= self.need <= 28:
                break
        self.turn, self.limit = 0, self.need + 4
        self.begin = self.state
        return (
            "Discs 1 (smallest) to 5 lie on the pegs A, B and C, never a larger one on a smaller one. "
            f"Stack all of them on peg {'ABC'[self.goal]} within {self.limit} turns. \\boxed{{A B}} moves the top disc from A to B.\n" + self._draw()
        ), {"limit": self.limit}

    def _draw(self):
        return "\n".join(f"{'ABC'[p]}: " + (" ".join(str(d + 1) for d in range(5) if self.state[d] == p) or "-") for p in range(3))

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.limit
        m = re.fullmatch(r"\\boxed\{\s*([ABC])\s*(?:->|to|,)?\s*([ABC])\s*\}", action, re.I)
        moved = shift(self.state, *("ABC".index(x.upper()) for x in m.groups())) if m else None
        if not moved or moved == self.state:
            return "Not possible.\n" + self._draw(), 0.0, False, late, {}
        self.state = moved
        if self.state == (self.goal,) * 5:
            return "The tower stands.", 1.0, True, False, {}
        return self._draw(), 0.0, False, late, {}

    def solution(self):
        dist, state, out = distances(5)[self.goal], self.begin, []
        while dist[state]:
            a, b = next((a, b) for a in range(3) for b in range(3) if a != b and shift(state, a, b) and dist[shift(state, a, b)] == dist[state] - 1)
            state = shift(state, a, b)
            out.append("\\boxed{%s %s}" % ("ABC"[a], "ABC"[b]))
        return out
