# expect: refuse feasibility.witness
# defect: solution() returns a plan stored at the first reset and never renewed, so it is stale after the second
import random
import re


class CableNetworkEnv:
    """Minimum spanning tree weight of a small town network."""

    TOWNS = ["Arden", "Brook", "Calder", "Dunmore", "Elder", "Fenwick", "Garth", "Holm"]

    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self._plan = None
        self.reset()

    def reset(self, seed=None):
        self.rng = random.Random(seed)
        self.towns = self.rng.sample(self.TOWNS, 7)
        self.edges = []
        for i in range(1, 7):
            self.edges.append((self.rng.randint(20, 180), self.towns[self.rng.randrange(i)], self.towns[i]))
        taken = {frozenset(e[1:]) for e in self.edges}
        while len(self.edges) < 13:
            a, b = self.rng.sample(self.towns, 2)
            if frozenset((a, b)) not in taken:
                taken.add(frozenset((a, b)))
                self.edges.append((self.rng.randint(20, 180), a, b))
        self.rng.shuffle(self.edges)
        self.best = self._kruskal()
        if self._plan is None:
            self._plan = [f"\\boxed{{{self.best}}}"]
        self.turns = 0
        lines = [f"  {a} - {b}: {w} km" for w, a, b in self.edges]
        return (
            "Seven towns are to be joined by cable. Possible stretches:\n" + "\n".join(lines) +
            "\nWhat is the smallest total length that connects all towns? Answer \\boxed{length in km}, digits only. "
            f"{self.max_turns} tries."
        ), {}

    def _kruskal(self):
        parent = {t: t for t in self.towns}

        def find(t):
            while parent[t] != t:
                t = parent[t]
            return t

        total = 0
        for w, a, b in sorted(self.edges):
            ra, rb = find(a), find(b)
            if ra != rb:
                parent[ra] = rb
                total += w
        return total

    def step(self, action):
        self.turns += 1
        m = re.search(r"\\boxed\{(.*?)\}", action, re.S)
        guess = m.group(1).strip() if m else ""
        if guess == str(self.best):
            return "Exactly. The network stands.", 1.0, True, False, {}
        over = self.turns >= self.max_turns
        return "No. A shorter or legal network has another length.", 0.0, False, over, {}

    def solution(self):
        return list(self._plan)
