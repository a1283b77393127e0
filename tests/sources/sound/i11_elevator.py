"""Elevator dispatch with a JSON state dump."""
import json
import random
import re
from dataclasses import asdict, dataclass
from itertools import permutations


@dataclass
class Rider:
    name: str
    source: int
    target: int
    state: str = "waiting"


class ElevatorEnv:
    """Small car (2 riders), 12 floors, a limit on the total number of floors travelled."""

    CAP = 2

    def __init__(self, max_turns=22, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def _shortest(self):
        """Exact search over (floor, states of the riders)."""
        import heapq
        start = (self.floor, ("w",) * len(self.riders))
        heap, best, prev = [(0, start)], {start: 0}, {start: None}
        while heap:
            d, node = heapq.heappop(heap)
            if d > best[node]:
                continue
            floor, states = node
            if all(s == "d" for s in states):
                path = []
                while prev[node]:
                    node, acts = prev[node]
                    path = acts + path
                return d, path
            for i, s in enumerate(states):
                r = self.riders[i]
                if s == "w" and states.count("c") < self.CAP:
                    nxt, new, verb = r.source, "c", "board"
                elif s == "c":
                    nxt, new, verb = r.target, "d", "leave"
                else:
                    continue
                child = (nxt, states[:i] + (new,) + states[i + 1:])
                cost = d + abs(floor - nxt)
                if cost < best.get(child, 10 ** 9):
                    best[child] = cost
                    acts = ([f"go {nxt}"] if nxt != floor else []) + [f"{verb} {r.name}"]
                    prev[child] = (node, acts)
                    heapq.heappush(heap, (cost, child))

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.floor = rng.randint(1, 12)
        names = rng.sample(["Ana", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gil"], 5)
        self.riders = []
        for n in names:
            a, b = rng.sample(range(1, 13), 2)
            self.riders.append(Rider(n, a, b))
        self.budget, self.route = self._shortest()
        self.used = 0
        self.turn = 0
        return ("You operate an elevator (floors 1 to 12, room for two riders). Bring everybody to the target floor within "
                f"{self.budget} floors of travel in all.\n"
                "Commands: \\boxed{go FLOOR}, \\boxed{board NAME}, \\boxed{leave NAME}; a rider leaves only at the target.\n"
                + self._dump()), {"riders": 5}

    def _dump(self):
        return json.dumps({"floor": self.floor, "used": self.used, "limit": self.budget,
                           "riders": [asdict(r) for r in self.riders]}, indent=1)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(go|board|leave)\s+([A-Za-z]+|\d{1,2})\s*\}", action, re.ASCII)
        if not m:
            return json.dumps({"error": "unknown command"}), 0.0, False, late, {}
        verb, arg = m.groups()
        rider = next((r for r in self.riders if r.name == arg), None)
        error = None
        if verb == "go":
            if not arg.isdigit() or not 1 <= int(arg) <= 12:
                error = "no such floor"
            elif self.used + abs(int(arg) - self.floor) > self.budget:
                return json.dumps({"error": "the travel limit is exceeded, the elevator stops"}), 0.0, True, False, {}
            else:
                self.used += abs(int(arg) - self.floor)
                self.floor = int(arg)
        elif rider is None:
            error = "no such rider"
        elif verb == "board":
            if rider.state != "waiting" or rider.source != self.floor:
                error = f"{arg} is not waiting here"
            elif sum(r.state == "riding" for r in self.riders) >= self.CAP:
                error = "the car is full"
            else:
                rider.state = "riding"
        else:
            if rider.state != "riding" or rider.target != self.floor:
                error = f"{arg} cannot leave here"
            else:
                rider.state = "delivered"
        if error:
            return json.dumps({"error": error}), -0.05, False, late, {}
        if all(r.state == "delivered" for r in self.riders):
            return "Everybody has arrived.", 1.0, True, False, {}
        return self._dump(), 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{a}}}" for a in self.route]
