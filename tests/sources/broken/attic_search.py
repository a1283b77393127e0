# expect: refuse robustness.raises
# defect: \boxed{go PLACE} looks the place up with self.doors[place] and raises KeyError for any word that is no room
import random
import re


class AtticSearchEnv:
    """Find three heirlooms in an old house from clues about where they were moved."""

    PLAN = {
        "hall": ["kitchen", "study", "stairs"], "kitchen": ["hall", "cellar"], "study": ["hall", "library"],
        "stairs": ["hall", "bedroom", "attic"], "cellar": ["kitchen"], "library": ["study"], "bedroom": ["stairs"], "attic": ["stairs"],
    }
    THINGS = ["clock", "brooch", "diary", "flute", "medal", "mirror"]

    def __init__(self, max_turns=26):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.doors = {room: list(next_rooms) for room, next_rooms in self.PLAN.items()}
        self.things = rng.sample(self.THINGS, 3)
        rooms = rng.sample([r for r in self.doors if r != "hall"], 3)
        self.place = dict(zip(self.things, rooms))
        self.found = []
        self.at = "hall"
        return (
            f"Somewhere in this house are a {self.things[0]}, a {self.things[1]} and a {self.things[2]}. Find all three.\n"
            "Commands: \\boxed{go ROOM}, \\boxed{search THING}. Searching for the wrong thing makes dust fly and costs two turns more.\n"
            f"{self._view()} You have {self.max_turns} turns."
        ), {}

    def _view(self):
        return f"You are in the {self.at}. Doors lead to: {', '.join(self.doors[self.at])}."

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*(go|search)\s+([a-z]+)\s*\}", action)
        text = "You think aloud, but nothing happens."
        if m and m.group(1) == "go":
            target = m.group(2)
            if self.at in self.doors[target]:
                self.at = target
                text = self._view()
            else:
                text = "There is no door to that room. " + self._view()
        elif m:
            thing = m.group(2)
            if self.place.get(thing) == self.at and thing not in self.found:
                self.found.append(thing)
                text = f"You find the {thing}!"
                if len(self.found) == 3:
                    return text + " The family is delighted.", 1.0, True, False, {}
            else:
                self.turn += 2
                text = "Dust, and no such thing."
        return text, 0.0, False, self.turn >= self.max_turns, {}

    def _route(self, start, goal):
        paths = [[start]]
        for path in paths:
            if path[-1] == goal:
                return path[1:]
            paths += [path + [n] for n in self.doors[path[-1]] if n not in path]
        return []

    def solution(self):
        plan, at = [], "hall"
        for thing in self.things:
            plan += [f"go {room}" for room in self._route(at, self.place[thing])] + [f"search {thing}"]
            at = self.place[thing]
        return " -> ".join(plan)
