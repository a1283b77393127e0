"""Classes with many ordinary special methods."""
import random
import re


class Vector:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other): return Vector(self.x + other.x, self.y + other.y)
    def __sub__(self, other): return Vector(self.x - other.x, self.y - other.y)
    def __mul__(self, k): return Vector(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __neg__(self): return self * -1
    def __eq__(self, other): return isinstance(other, Vector) and (self.x, self.y) == (other.x, other.y)
    def __hash__(self): return hash((self.x, self.y))
    def __lt__(self, other): return (self.x, self.y) < (other.x, other.y)
    def __bool__(self): return bool(self.x or self.y)
    def __iter__(self): return iter((self.x, self.y))
    def __repr__(self): return f"Vector({self.x}, {self.y})"
    def __str__(self): return f"({self.x}, {self.y})"


class Journey:
    def __init__(self):
        self.legs = []

    def __enter__(self): return self
    def __exit__(self, kind, value, trace): return False
    def __len__(self): return len(self.legs)
    def __getitem__(self, i): return self.legs[i]
    def __setitem__(self, i, leg): self.legs[i] = leg
    def __delitem__(self, i): del self.legs[i]
    def __contains__(self, leg): return leg in self.legs
    def __call__(self, leg):
        self.legs.append(leg)
        return self
    def __iadd__(self, leg): return self(leg)
    def __reversed__(self): return reversed(self.legs)


class DroneEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        with Journey() as trip:
            for _ in range(6):
                trip(Vector(rng.randint(-9, 9), rng.randint(-9, 9)))
            trip += Vector(0, 1)
        trip[0] = 2 * trip[0]
        if Vector(0, 0) in trip or len(trip) != 7:
            trip[1] = -trip[1]
        self.end = sum(trip, Vector(0, 0))
        self.turn, self.seen = 0, {self.end}
        legs = ", ".join(str(leg) for leg in trip)
        return f"A drone starts at (0, 0) and flies {legs}. Where does it end? \\boxed{{x, y}}", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*\(?\s*(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})\s*\)?\s*\}", action)
        if m and Vector(int(m[1]), int(m[2])) in self.seen:
            return "Correct", 1.0, True, False, {}
        return "Wrong", 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        x, y = self.end
        return [f"\\boxed{{{x}, {y}}}"]
