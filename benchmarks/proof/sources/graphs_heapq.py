# heapq (Dijkstra with a twist), itertools, nested helper functions. Answer = a route, checked by cost.
import heapq
import itertools
import random
import re

CITIES = ["Arden", "Belmo", "Corvin", "Dunmere", "Elsk", "Fjall", "Gorse", "Hexley", "Ilmen", "Jarrow"]


class TollRoadEnv:
    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        names = CITIES[:]
        rng.shuffle(names)
        self.roads = {}
        for a, b in zip(names, names[1:]):
            self.roads[frozenset((a, b))] = (rng.randint(20, 60), rng.random() < 0.3)
        pairs = [p for p in itertools.combinations(sorted(names), 2) if frozenset(p) not in self.roads]
        for p in rng.sample(pairs, 12):
            self.roads[frozenset(p)] = (rng.randint(40, 160), rng.random() < 0.5)
        self.src, self.dst = names[0], names[-1]
        self.toll = rng.randint(5, 35)
        rows = sorted((*sorted(k), *v) for k, v in self.roads.items())
        table = "\n".join(f"{a} - {b}: {km} km{', toll' if toll else ''}" for a, b, km, toll in rows)
        return (
            f"Road map (both ways):\n{table}\n\n"
            f"A kilometre costs 1. The first toll road of a journey costs {self.toll} extra, the second {2 * self.toll}, "
            f"the third {3 * self.toll}, and so on.\n"
            f"Find a cheapest journey from {self.src} to {self.dst} that visits no town twice, and its total cost. "
            r"Answer like \boxed{Arden > Belmo > Elsk = 213}. "
            f"Tries: {self.max_turns}."
        ), {}

    def neighbours(self, town):
        for pair in sorted(self.roads, key=sorted):
            if town in pair:
                (other,) = pair - {town}
                yield other, self.roads[pair]

    def best(self):
        # state (town, number of tolls); cost only grows, so a cheapest walk repeats no town
        heap, done = [(0, self.src, 0, (self.src,))], set()
        while heap:
            cost, town, tolls, path = heapq.heappop(heap)
            if town == self.dst:
                return cost, path
            if (town, tolls) in done:
                continue
            done.add((town, tolls))
            for other, (km, toll) in self.neighbours(town):
                if other not in path:
                    extra = self.toll * (tolls + 1) if toll else 0
                    heapq.heappush(heap, (cost + km + extra, other, tolls + bool(toll), path + (other,)))

    def price(self, path):
        total = tolls = 0
        for a, b in zip(path, path[1:]):
            if frozenset((a, b)) not in self.roads:
                return None
            km, toll = self.roads[frozenset((a, b))]
            tolls += toll
            total += km + (self.toll * tolls if toll else 0)
        return total

    def step(self, action):
        self.turn += 1

        def no(why):
            return why, 0.0, False, self.turn >= self.max_turns, {}

        m = re.search(r"\\boxed\{([A-Za-z> ]{1,300})=\s*([0-9]{1,9})\s*\}", action)
        if not m:
            return no(r"Write towns separated by > and the cost after =, as in \boxed{Arden > Belmo = 77}.")
        path = [t.strip().capitalize() for t in m.group(1).split(">")]
        unknown = [t for t in path if t not in CITIES]
        if unknown:
            return no(f"There is no town called {unknown[0][:20]!r}.")
        if path[0] != self.src or path[-1] != self.dst:
            return no("The journey does not begin and end where it should.")
        if len(set(path)) < len(path):
            return no("A town is visited twice.")
        cost = self.price(path)
        if cost is None:
            return no("Two of these towns have no road between them.")
        if cost != int(m.group(2)):
            return no("The cost of that journey is miscalculated.")
        if cost > self.best()[0]:
            return no("The sum is right, but a cheaper journey exists.")
        return "That is as cheap as it gets.", 1.0, True, False, {}

    def solution(self):
        cost, path = self.best()
        return ["\\boxed{%s = %d}" % (" > ".join(path), cost)]

    def hint(self):
        return "Search over pairs of town and number of tolls paid so far, cheapest first."
