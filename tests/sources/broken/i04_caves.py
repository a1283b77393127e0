# expect: refuse determinism.replay
# defect: the travel log is a mutable class attribute shared by all instances and episodes, and its length is shown
import random
import re


class CaveSurveyEnv:
    """Explore a tree of caves and find the one with the spring."""

    log = []

    def __init__(self, max_turns=30):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        names = ["Amber", "Basalt", "Chalk", "Dolomite", "Echo", "Flint", "Gypsum", "Hollow", "Iron", "Jasper", "Kelp"]
        rng.shuffle(names)
        self.links = {n: [] for n in names}
        for i in range(1, len(names)):
            other = names[rng.randrange(max(0, i - 3), i)]
            self.links[names[i]].append(other)
            self.links[other].append(names[i])
        self.here = names[0]
        self.log.append(self.here)
        ends = [n for n in names[4:] if len(self.links[n]) == 1]
        self.spring = rng.choice(ends)
        self.turn = 0
        return (
            "Somewhere in these caves is a spring, in a cave with a single passage. \\boxed{crawl Name} takes you through "
            "a passage, \\boxed{drink} ends the search, rightly only at the spring; water is heard next to it.\n"
            + self._look() + f"\nTurns: {self.max_turns}."
        ), {}

    def _look(self):
        passages = ", ".join(sorted(self.links[self.here]))
        sound = " You hear water." if self.spring in self.links[self.here] else ""
        wet = " The floor is wet." if self.here == self.spring else ""
        return f"Cave {self.here}. Passages: {passages}.{sound}{wet} Caves entered so far: {len(self.log)}."

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(.*?)\s*\}", action)
        words = m.group(1).split() if m else []
        if words == ["drink"]:
            good = self.here == self.spring
            return ("Cold and clear." if good else "Only dust."), float(good), True, False, {}
        if len(words) == 2 and words[0] == "crawl" and words[1] in self.links[self.here]:
            self.here = words[1]
            self.log.append(self.here)
            return self._look(), 0.0, False, late, {}
        return "No such passage. " + self._look(), 0.0, False, late, {}

    def solution(self):
        before = {self.here: None}
        stack = [self.here]
        while stack:
            cave = stack.pop()
            for other in self.links[cave]:
                if other not in before:
                    before[other] = cave
                    stack.append(other)
        way, cave = [], self.spring
        while cave != self.here:
            way.append(f"\\boxed{{crawl {cave}}}")
            cave = before[cave]
        return way[::-1] + ["\\boxed{drink}"]
