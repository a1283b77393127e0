# expect: refuse leak.info
# defect: the info of reset carries the optimum ("stats": {"best": ...}), which is the answer, to every training loop that shows info.
import heapq
import random
import re


class DepotRouteCostEnv:
    """Cheapest way through a depot graph where a toll grows with every bridge crossed."""

    NODES = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel"]

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        nodes = list(self.NODES)
        order = rng.sample(nodes, len(nodes))
        self.start, self.goal = order[0], order[-1]
        self.edges = {}
        for a, b in zip(order, order[1:]):
            self.edges[frozenset((a, b))] = (rng.randint(31, 89), rng.random() < 0.5)
        while len(self.edges) < 14:
            a, b = rng.sample(nodes, 2)
            if {a, b} != {self.start, self.goal}:
                self.edges.setdefault(frozenset((a, b)), (rng.randint(41, 140), rng.random() < 0.5))
        self.toll = rng.randint(5, 19)
        self.best, self.visited = self._search()
        roads = []
        for pair, (cost, bridge) in self.edges.items():
            a, b = sorted(pair)
            roads.append(f"  {a} - {b}: {cost}" + (" (bridge)" if bridge else ""))
        observation = (
            f"A lorry drives from {self.start} to {self.goal}. Roads work both ways and cost coins:\n"
            + "\n".join(sorted(roads))
            + f"\nThe first bridge on the way costs a toll of {self.toll} on top, the second one {2 * self.toll}, the "
            f"third {3 * self.toll}, and so on.\nWhat is the least total cost? \\boxed{{coins}}, {self.max_turns} tries."
        )
        return observation, {"stats": {"nodes": len(nodes), "expanded": self.visited, "best": self.best}}

    def _search(self):
        heap, done, expanded = [(0, self.start, 0)], set(), 0
        while heap:
            cost, node, bridges = heapq.heappop(heap)
            if (node, bridges) in done:
                continue
            done.add((node, bridges))
            expanded += 1
            if node == self.goal:
                return cost, expanded
            for pair, (price, bridge) in self.edges.items():
                if node in pair:
                    (other,) = pair - {node}
                    crossed = bridges + bridge
                    heapq.heappush(heap, (cost + price + bridge * crossed * self.toll, other, crossed))
        raise ValueError("no way")

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*([0-9]{1,6})\s*(?:coins)?\s*\}", action)
        if not match:
            return "Answer with a number of coins, boxed.", 0.0, False, late, {"turn": self.turn}
        if int(match.group(1)) == self.best:
            return "Nobody gets there cheaper.", 1.0, True, False, {"turn": self.turn}
        return "That is not the least cost.", 0.0, False, late, {"turn": self.turn}

    def solution(self):
        return [f"\\boxed{{{self.best}}}"]

    def hint(self):
        return "Search states of place and number of bridges crossed, not places alone; a detour may save a bridge."
