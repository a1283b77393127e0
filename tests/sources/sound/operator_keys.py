"""operator.attrgetter and itemgetter as sort keys, map and reduce."""
import functools
import operator
import random
import re
from operator import attrgetter, itemgetter


class Runner:
    def __init__(self, name, time, age):
        self.name, self.time, self.age = name, time, age


class RaceEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        runners = [Runner(n, rng.randint(50, 58), rng.randint(18, 23)) for n in ["Abe", "Bea", "Cy", "Di", "Ed", "Flo", "Gus"]]
        rng.shuffle(runners)
        table = sorted(runners, key=attrgetter("time", "age", "name"))
        points = dict(zip(map(attrgetter("name"), table), (10, 8, 6, 4, 3, 2, 1)))
        weighted = sorted(points.items(), key=itemgetter(0))
        self.order = "".join(name[0] for name, _ in sorted(weighted, key=itemgetter(1), reverse=True))
        self.checksum = functools.reduce(operator.add, (operator.mul(i + 1, p) for i, (_, p) in enumerate(weighted)))
        self.turn = 0
        rows = "\n".join(f"{r.name}, age {r.age}, {r.time} s" for r in runners)
        return (
            f"{rows}\nRank by time, then age, then name; rank 1 to 7 earn 10, 8, 6, 4, 3, 2, 1 points. Give the initials in "
            "ranking order, a dash, and the sum of (alphabetical position * points): \\boxed{ABCDEFG-123}"
        ), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([A-G]{7})\s*-\s*([0-9]{1,4})\s*\}", action)
        ok = bool(m) and (m.group(1), int(m.group(2))) == (self.order, self.checksum)
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.order}-{self.checksum}}}"]
