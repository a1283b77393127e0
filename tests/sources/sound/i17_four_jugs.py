import random, re
from collections import deque


class FourJugsEnv:
    """Water jugs, no tap: bring four jugs to given contents."""

    def __init__(self, max_turns=None):
        self.fixed = max_turns
        self.max_turns = max_turns or 30
        self.reset()

    def _pour(self, state, i, j):
        k = min(state[i], self.caps[j] - state[j])
        new = list(state)
        new[i] -= k
        new[j] += k
        return tuple(new)

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.caps = tuple(rng.sample(range(5, 20), 4))
            self.state = tuple(rng.randint(0, c) for c in self.caps)
            depth = self._depths()
            far = sorted(s for s, (d, _, _) in depth.items() if 7 <= d <= 10)
            if len(far) >= 5:
                break
        self.goal = rng.choice(far)
        self.path = self._path(depth)
        self.max_turns = self.fixed or len(self.path) + 6
        self.turn = 0
        caps = ", ".join(f"{n} {c}" for n, c in zip("WXYZ", self.caps))
        want = ", ".join(f"{n} {c}" for n, c in zip("WXYZ", self.goal))
        return (f"Four jugs, capacities in litres: {caps}. No tap, no drain.\nWanted contents: {want}.\n"
                "\\boxed{X Y} pours from X into Y until X is empty or Y is full.\n"
                f"Pourings allowed: {self.max_turns}.\n{self._show()}"), {"caps": list(self.caps)}

    def _show(self):
        return " | ".join(f"{n}: {v}/{c}" for n, v, c in zip("WXYZ", self.state, self.caps))

    def _depths(self):
        seen, queue = {self.state: (0, None, "")}, deque([self.state])
        while queue:
            s = queue.popleft()
            for i in range(4):
                for j in range(4):
                    t = self._pour(s, i, j) if i != j else s
                    if t not in seen:
                        seen[t] = (seen[s][0] + 1, s, "WXYZ"[i] + " " + "WXYZ"[j])
                        queue.append(t)
        return seen

    def _path(self, seen):
        out, s = [], self.goal
        while seen[s][1] is not None:
            out.append(seen[s][2])
            s = seen[s][1]
        return out[::-1]

    def step(self, action):
        self.turn += 1
        over = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([WXYZ])\W*([WXYZ])\s*\}", action.upper().replace("\\BOXED", "\\boxed"))
        if not m or m.group(1) == m.group(2):
            return "Name two different jugs.\n" + self._show(), -0.02, False, over, {}
        self.state = self._pour(self.state, *("WXYZ".index(g) for g in m.groups()))
        if self.state == self.goal:
            return "That is what was wanted.\n" + self._show(), 1.0, True, False, {}
        return self._show(), 0.0, False, over, {}

    def solution(self):
        return [f"\\boxed{{{p}}}" for p in self.path]
