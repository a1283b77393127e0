import math
import random
import re


def cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


class PickPolygonEnv:
    """Lattice points strictly inside a star-shaped polygon."""

    def __init__(self, max_turns=4, vertices=7):
        self.max_turns = max_turns
        self.vertices = vertices
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            points = set()
            while len(points) < self.vertices:
                x, y = rng.randint(-20, 20), rng.randint(-20, 20)
                if x * x + y * y >= 36:
                    points.add((x, y))
            ring = sorted(points, key=lambda p: math.atan2(p[1], p[0]))
            turns = [cross((0, 0), a, b) for a, b in zip(ring, ring[1:] + ring[:1])]
            if min(turns) > 0:
                break
        self.twice = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1]))
        self.border = sum(math.gcd(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in zip(ring, ring[1:] + ring[:1]))
        self.inside = (self.twice - self.border + 2) // 2
        shift = (rng.randint(-30, 30), rng.randint(-30, 30))
        self.ring = [(x + shift[0], y + shift[1]) for x, y in ring]
        self.used = 0
        corners = " -> ".join(f"({x}, {y})" for x, y in self.ring)
        return (f"A simple polygon has the corners (in order)\n{corners} -> back to the start.\n\n"
                "How many points with integer coordinates lie strictly inside it, borders not counted?\n"
                f"Reply \\boxed{{n}}. You get {self.max_turns} attempts; a wrong attempt tells how far off you are, roughly."), {}

    def step(self, action):
        self.used += 1
        over = self.used >= self.max_turns
        m = re.search(r"\\boxed\{\s*(\d{1,7})\s*\}", action, re.ASCII)
        if not m:
            return "Not a whole number.", -0.1, False, over, {}
        off = abs(int(m.group(1)) - self.inside)
        if off == 0:
            return "Correct.", 1.0, True, False, {}
        if int(m.group(1)) == self.inside + self.border:
            text = "You counted the border as well."
        elif off <= 5:
            text = "Off by 5 at most."
        elif off <= 50:
            text = "Off by more than 5, but not by more than 50."
        else:
            text = "Far off."
        # small encouragement for being near, never enough to count as a success
        return text, 0.1 if off <= 5 else 0.0, False, over, {}

    def solution(self):
        return [f"\\boxed{{{self.inside}}}"]

    def hint(self):
        return "Use the shoelace formula for the area, count border points with greatest common divisors, then apply Pick's theorem."
