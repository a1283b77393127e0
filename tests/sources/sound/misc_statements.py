"""for-else, while-else, del, starred unpacking, chained comparison, conditional imports, sentinel objects, slices."""
import random
import re
from collections import ChainMap, OrderedDict, namedtuple

_MISSING = object()
Stop = namedtuple("Stop", "name minute", defaults=(0,))


class TimetableEnv:
    def __init__(self, max_turns=4, *args, **kwargs):
        import itertools as it
        self.it = it
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        names = rng.sample(["Quay", "Mill", "Dome", "Fort", "Zoo", "Spa"], 5)
        minute, stops = rng.randint(0, 29), []
        for name in names:
            stops.append(Stop(name, minute))
            minute += rng.randint(3, 14)
        first, *middle, last = stops
        every = rng.randint(16, 34)
        wanted, after = rng.choice(middle), rng.randint(120, 400)
        for n in self.it.count():
            if wanted.minute + n * every >= after:
                break
        else:
            n = 0
        arrival = last.minute + n * every
        while not 0 <= n < 10**6:
            n -= 1
        else:
            self.answer = arrival
        table = OrderedDict((s.name, s.minute) for s in stops)
        extra = ChainMap({"every": every}, table)
        del stops[:]
        if extra.get("nowhere", _MISSING) is not _MISSING or stops:
            raise RuntimeError("unreachable")
        self.turn = 0
        text = ", ".join(f"{k} {v}" for k, v in table.items())
        return (
            f"The first tram calls at (minute of the day): {text}. A tram follows every {extra['every']} minutes. You reach "
            f"{wanted.name} at minute {after} and take the next tram to {last.name}. When do you arrive there? \\boxed{{minute}}"
        ), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,5})\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
