import random
from collections import Counter, defaultdict, deque, ChainMap, OrderedDict
from itertools import groupby, pairwise, accumulate

class SetsEnv:
    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.turns = 0
        g = defaultdict(set)
        for _ in range(6):
            a, b = r.sample("ABCDEFGHIJKL", 2); g[a].add(b); g[b].add(a)
        self.g = {k: sorted(v) for k, v in sorted(g.items())}
        start = next(iter(self.g)); seen = {start}; q = deque([start])
        while q:
            for n in self.g[q.popleft()]:
                if n not in seen: seen.add(n); q.append(n)
        self.answer = 100 * len(seen) + sum(ord(n) for n in seen) + sum(map(len, self.g.values())); self.start = start
        return f"Graph {self.g}. Nodes reachable from {self.start} (with itself): 100 for each, plus its character code, plus the length of every list above? \\boxed{{N}}", {}
    def step(self, action):
        self.turns += 1
        ok = action.strip() == "\\boxed{" + str(self.answer) + "}"
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turns >= self.max_turns, {}
    def solution(self):
        return "\\boxed{" + str(self.answer) + "}"
