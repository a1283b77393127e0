import heapq
import random
import re


class ShortestRouteEnv:
    """Any cheapest route is accepted, and it has to be written out node by node."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.nodes = "ABCDEFGHIJ"
        while True:
            self.weight = {}
            for i, a in enumerate(self.nodes):
                for b in self.nodes[i + 1:]:
                    if rng.random() < 0.36:
                        self.weight[a, b] = self.weight[b, a] = rng.randint(3, 40)
            found = self._dijkstra("A", "J")
            if found and len(found[1]) >= 5:
                break
        self.cost, self.route = found
        self.turn = 0
        roads = ", ".join(f"{a}{b}:{w}" for (a, b), w in sorted(self.weight.items()) if a < b)
        return (
            f"Roads and their lengths: {roads}.\nFind a shortest route from A to J. Write it as \\boxed{{A-...-J}}, nodes "
            f"in order and joined by hyphens. Attempts: {self.max_turns}."
        ), {}

    def _dijkstra(self, start, goal):
        heap, done = [(0, start, [start])], set()
        while heap:
            cost, node, route = heapq.heappop(heap)
            if node == goal:
                return cost, route
            if node in done:
                continue
            done.add(node)
            for other in self.nodes:
                if (node, other) in self.weight and other not in done:
                    heapq.heappush(heap, (cost + self.weight[node, other], other, route + [other]))
        return None

    def step(self, action):
        self.turn += 1
        over = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{([^{}]*)\}", action)
        stops = [s.strip().upper() for s in match.group(1).split("-")] if match else []
        if len(stops) < 2 or stops[0] != "A" or stops[-1] != "J":
            return "A route starts with A and ends with J: \\boxed{A-...-J}.", 0.0, False, over, {}
        length = 0
        for a, b in zip(stops, stops[1:]):
            if (a, b) not in self.weight:
                return f"There is no road from {a[:5]} to {b[:5]}.", 0.0, False, over, {}
            length += self.weight[a, b]
        if length == self.cost:
            return f"{length} is the shortest possible.", 1.0, True, False, {}
        return f"Your route is {length} long, and there is a shorter one.", 0.0, False, over, {}

    def solution(self):
        return ["\\boxed{" + "-".join(self.route) + "}"]
