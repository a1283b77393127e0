# expect: refuse feasibility.witness
# defect: the best tour is worked out only once per instance (if self._tour is None), so after the reset of the constructor solution() is stale for every later seed.
import itertools
import random
import re


class IslandFerryEnv:
    """Optimisation: the quickest round of a ferry among islands with one-way currents."""

    ISLANDS = ["Aran", "Brac", "Capri", "Delos", "Elba", "Faro", "Gozo", "Hydra", "Iona", "Jura"]

    def __init__(self, max_turns=5, **kwargs):
        self.max_turns = max_turns
        self._tour = None
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        while True:
            self.home, *self.stops = rng.sample(self.ISLANDS, 6)
            places = [self.home, *self.stops]
            self.time = {(a, b): rng.randint(12, 75) for a in places for b in places if a != b}
            self.first, self.later = rng.sample(self.stops, 2)
            ranked = sorted(self._length(order) for order in self._orders())
            if ranked[0] < ranked[1] and ranked[0] < self._length(self._greedy()):
                break
        self.best = ranked[0]
        if self._tour is None:
            self._tour = min(self._orders(), key=self._length)
        rows = "\n".join(
            f"  from {a}: " + ", ".join(f"{b} {self.time[a, b]}" for b in places if b != a) for a in places
        )
        return (
            f"A ferry starts at {self.home}, calls at {', '.join(self.stops)} once each in any order and comes back to "
            f"{self.home}. Minutes differ with the direction:\n{rows}\n"
            f"The doctor on board must be put down at {self.first} before the ferry reaches {self.later}.\n"
            "Which order of the five calls takes the fewest minutes? "
            f"Answer \\boxed{{name, name, name, name, name}}. {self.max_turns} tries."
        ), {}

    def _orders(self):
        for order in itertools.permutations(self.stops):
            if order.index(self.first) < order.index(self.later):
                yield order

    def _length(self, order):
        way = [self.home, *order, self.home]
        return sum(self.time[leg] for leg in zip(way, way[1:]))

    def _greedy(self):
        here, left, order = self.home, set(self.stops), []
        while left:
            allowed = sorted(p for p in left if p != self.later or self.first not in left)
            here = min(allowed, key=lambda place: self.time[here, place])
            left.remove(here)
            order.append(here)
        return tuple(order)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{([^{}]*)\}", action)
        names = [word.strip().capitalize() for word in match.group(1).split(",")] if match else []
        if sorted(names) != sorted(self.stops):
            return "Name each of the five calls once, separated by commas.", 0.0, False, late, {}
        if names.index(self.first) > names.index(self.later):
            return "The doctor comes too late on that tour.", 0.0, False, late, {}
        minutes = self._length(names)
        if minutes == self.best:
            return f"{minutes} minutes: no tour is quicker.", 1.0, True, False, {}
        return f"That tour takes {minutes} minutes; there is a quicker one.", 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{" + ", ".join(self._tour) + "}"]

    def hint(self):
        return "Look for pairs of islands with a short leg in one direction and build the tour around those."
