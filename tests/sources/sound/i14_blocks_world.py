import random
import re
from collections import deque

BLOCKS = "ABCDE"


def normal(stacks):
    return tuple(sorted(tuple(s) for s in stacks if s))


def moves(state):
    """All (block, destination, next state); destination is a block or 'table'."""
    for i, stack in enumerate(state):
        block, rest = stack[-1], [list(s) for s in state]
        rest[i] = rest[i][:-1]
        if len(stack) > 1:
            yield block, "table", normal(rest + [[block]])
        for j, other in enumerate(state):
            if j != i:
                new = [list(s) for s in rest]
                new[j].append(block)
                yield block, other[-1], normal(new)


class BlocksWorldEnv:
    """Classical planning. Rewards are shaped: a little for every block that stands right, never more than one in all."""

    def __init__(self, max_turns=14, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def _deal(self, rng):
        order = rng.sample(BLOCKS, len(BLOCKS))
        cut = sorted(rng.sample(range(1, len(BLOCKS)), rng.randint(1, 2)))
        parts = [order[a:b] for a, b in zip([0] + cut, cut + [len(BLOCKS)])]
        return normal(parts)

    def _plan(self, start, goal):
        queue, prev = deque([start]), {start: None}
        while queue:
            s = queue.popleft()
            if s == goal:
                break
            for b, d, t in moves(s):
                if t not in prev:
                    prev[t] = (s, f"move {b} {d}")
                    queue.append(t)
        path, s = [], goal
        while prev[s]:
            s, act = prev[s]
            path.append(act)
        return path[::-1]

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.state, self.goal = self._deal(rng), self._deal(rng)
            self.plan = self._plan(self.state, self.goal)
            if 6 <= len(self.plan) <= 8:
                break
        self.turn = 0
        self.paid = 0.0
        self.best = self._placed()
        return ("A robot arm moves one block at a time; only a block with nothing on it can be moved.\n"
                "\\boxed{move A B} puts A on B, \\boxed{move A table} puts it on the table.\n"
                f"Stacks are written bottom to top.\nNow:  {self._show(self.state)}\nGoal: {self._show(self.goal)}\n"
                f"Turns: {self.max_turns}"), {"plan_length": len(self.plan)}

    def _show(self, state):
        return "   ".join("[" + " ".join(s) + "]" for s in state)

    def _placed(self):
        below = {b: tuple(s[:i]) for s in self.goal for i, b in enumerate(s)}
        return sum(tuple(s[:i]) == below[b] for s in self.state for i, b in enumerate(s))

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*move\s+([A-E])\s+(?:to\s+|onto\s+|on\s+)?([A-E]|table)\s*\}", action, re.IGNORECASE)
        if not m:
            return "Not a command. " + self._show(self.state), 0.0, False, late, {}
        block, dest = m.group(1).upper(), m.group(2)
        dest = "table" if dest.lower() == "table" else dest.upper()
        target = next((t for b, d, t in moves(self.state) if (b, d) == (block, dest)), None)
        if target is None:
            return "Impossible: something is in the way, or it is there already. " + self._show(self.state), 0.0, False, late, {}
        self.state = target
        if self.state == self.goal:
            return "The goal is reached: " + self._show(self.state), 1.0 - self.paid, True, False, {"placed": 5}
        bonus = 0.0
        if self._placed() > self.best:
            self.best = self._placed()
            bonus = 0.05
        self.paid += bonus
        return "Now: " + self._show(self.state), bonus, False, late, {"placed": self._placed()}

    def solution(self):
        return "; ".join(self.plan)

    def hint(self):
        return "Build every goal stack from the bottom; clear away what is in the way onto the table, never onto a block that still has to move."
