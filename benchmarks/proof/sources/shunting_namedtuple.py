# namedtuple with _replace as immutable state, partial rewards; railway yard
import random
import re
from collections import namedtuple

Yard = namedtuple("Yard", "arrival left right departed")


class ShuntingEnv:
    CARS = 7

    def __init__(self, max_turns=75):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.paid = 0.0
        names = rng.sample("ABCDEFGHKLMNPRSTUVWXYZ", self.CARS)
        self.order = tuple(rng.sample(names, self.CARS))
        self.yard = Yard(tuple(names), (), (), ())
        return (
            "A yard has the tracks arrival, left and right, each open at one end only (the right end of the list), and the "
            f"departure track, which no car leaves again. The cars must depart in the order {' '.join(self.order)}; one car out "
            "of order and the train is lost. \\boxed{arrival left} moves the last car of arrival onto left, "
            f"\\boxed{{left depart}} sends one off. {self.max_turns} moves.\n" + self._view()
        ), {}

    def _view(self):
        y = self.yard
        return "; ".join(f"{n}: {' '.join(t) or '-'}" for n, t in zip(y._fields, y)) + "."

    @staticmethod
    def _moved(yard, source, target):
        track = getattr(yard, source)
        field = "departed" if target == "depart" else target
        return yard._replace(**{source: track[:-1], field: getattr(yard, field) + (track[-1],)})

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(arrival|left|right)\s+(arrival|left|right|depart)\s*\}", action)
        if not m or m.group(1) == m.group(2):
            return (
                "Moves look like \\boxed{arrival left} or \\boxed{left depart}. " + self._view(),
                0.0,
                False,
                late,
                {},
            )
        source, target = m.groups()
        if not getattr(self.yard, source):
            return f"There is no car on {source}. " + self._view(), 0.0, False, late, {}
        self.yard = self._moved(self.yard, source, target)
        n = len(self.yard.departed)
        if target != "depart":
            return self._view(), 0.0, False, late, {"departed": n}
        if self.yard.departed != self.order[:n]:
            return "A car has left out of order.", 0.0, True, False, {"departed": n}
        if n == self.CARS:
            return "The train is complete.", 1.0 - self.paid, True, False, {"departed": n}
        self.paid += 0.125
        return self._view(), 0.125, False, late, {"departed": n}

    def solution(self):
        yard, out = self.yard, []

        def go(source, target):
            nonlocal yard
            yard = self._moved(yard, source, target)
            out.append(f"\\boxed{{{source} {target}}}")

        for car in self.order:
            source = next(t for t in ("arrival", "left", "right") if car in getattr(yard, t))
            other = "left" if source != "left" else "right"
            while getattr(yard, source)[-1] != car:
                go(source, other)
            go(source, "depart")
        return out

    def hint(self):
        return "Look at which track buries the car needed next, and put the cars above it onto the track where they are needed last."
