# enum.Enum members, hidden permutations to be explored, loss by a wrong commitment; partial rewards of 0.2
import random
import re
from enum import Enum


class Colour(Enum):
    RED = "red"
    AMBER = "amber"
    GREEN = "green"
    BLUE = "blue"
    VIOLET = "violet"
    WHITE = "white"

    def __str__(self):
        return self.value


class Verb(Enum):
    ADD = "add"
    SEAL = "seal"


class AlchemistEnv:
    """Every reagent permutes the colours of the brew in a way that has to be found out."""

    REAGENTS = ("salt", "vinegar", "sulphur", "amalgam")

    def __init__(self, max_turns=60):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        colours = list(Colour)
        while True:
            self.effect = {}
            for r in self.REAGENTS:
                image = colours[:]
                rng.shuffle(image)
                self.effect[r] = dict(zip(colours, image))
            self.brew = rng.choice(colours)
            if all(self._way(self.brew, c) is not None for c in colours):
                break
        self.order = [rng.choice(colours)]
        while len(self.order) < 5:
            self.order.append(rng.choice([c for c in colours if c is not self.order[-1]]))
        if self.order[0] is self.brew:
            self.order.reverse()
        self.sealed, self.turn = 0, 0
        return (
            f"The brew in the kettle is {self.brew}. On the shelf: {', '.join(self.REAGENTS)}. Each reagent always turns a "
            "given colour into the same other (or the same) colour. Seal five flasks, in this order of colours: "
            f"{', '.join(map(str, self.order))}. \\boxed{{add salt}} adds a reagent, \\boxed{{seal}} fills and seals the next "
            "flask with the brew as it is (the rest keeps its colour). One wrong flask ruins the whole order. "
            f"{self.max_turns} turns."
        ), {}

    def _way(self, start, goal):
        ways, frontier = {start: []}, [start]
        for colour in frontier:
            for r in self.REAGENTS:
                then = self.effect[r][colour]
                if then not in ways:
                    ways[then] = ways[colour] + [r]
                    frontier.append(then)
        return ways.get(goal)

    @staticmethod
    def _parse(action):
        m = re.search(r"\\boxed\{\s*([a-z]+)(?:\s+([a-z]+))?\s*\}", action.lower())
        if not m:
            return None, None
        try:
            return Verb(m.group(1)), m.group(2)
        except ValueError:
            return None, None

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        verb, what = self._parse(action)
        if verb is Verb.ADD and what in self.effect:
            self.brew = self.effect[what][self.brew]
            return f"It hisses. The brew is {self.brew}.", 0.0, False, late, {}
        if verb is Verb.SEAL and what is None:
            if self.brew is not self.order[self.sealed]:
                return f"A {self.brew} flask at this place is worthless. The order is cancelled.", 0.0, True, False, {}
            self.sealed += 1
            if self.sealed == len(self.order):
                return "The fifth flask! The apothecary pays.", 0.2, True, False, {"sealed": 5}
            return (
                f"Flask {self.sealed} is sealed. The brew is still {self.brew}.",
                0.2,
                False,
                late,
                {"sealed": self.sealed},
            )
        return (
            f"Nothing happens. Use \\boxed{{add REAGENT}} or \\boxed{{seal}}; the brew is {self.brew}.",
            0.0,
            False,
            late,
            {"sealed": self.sealed},
        )

    def solution(self):
        out, colour = [], self.brew
        for goal in self.order:
            out += [f"\\boxed{{add {r}}}" for r in self._way(colour, goal)] + ["\\boxed{seal}"]
            colour = goal
        return out

    def hint(self):
        return "Note every observed change (colour, reagent, result) and search a chain in your notes before you seal."
