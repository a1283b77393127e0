import random
import re


class TurtleCoordinatesEnv:
    """Dead reckoning. One try: a wrong point ends the episode with a reward of -1."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        x, y, heading = rng.randint(-9, 9), rng.randint(-9, 9), rng.randrange(4)
        names = ["north", "east", "south", "west"]
        vectors = [(0, 1), (1, 0), (0, -1), (-1, 0)]
        self.start = (x, y)
        lines = [f"The turtle starts at ({x}, {y}), facing {names[heading]}."]
        for number in range(1, 15):
            kind = rng.choice(["walk", "walk", "left", "right", "back", "mirror"])
            if kind == "walk":
                d = rng.randint(2, 9)
                x, y = x + d * vectors[heading][0], y + d * vectors[heading][1]
                lines.append(f"{number}. It walks {d} steps ahead.")
            elif kind == "back":
                d = rng.randint(2, 9)
                x, y = x - d * vectors[heading][0], y - d * vectors[heading][1]
                lines.append(f"{number}. It walks {d} steps backwards.")
            elif kind == "mirror":
                x = -x
                lines.append(f"{number}. It is carried to the mirror image of its place across the north-south axis; its heading stays.")
            else:
                heading = (heading + (1 if kind == "right" else -1)) % 4
                lines.append(f"{number}. It turns {kind} by a quarter.")
        self.end = (x, y)
        self.bad_format = 0
        lines.append("Where is it now? East is +x, north is +y. Answer \\boxed{(x, y)}. A wrong point ends the exercise.")
        return "\n".join(lines), {}

    def step(self, action):
        m = re.search(r"\\boxed\{\s*\(?\s*(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})\s*\)?\s*\}", action)
        if not m:
            self.bad_format += 1
            return "Two whole numbers are needed, like \\boxed{(3, -4)}.", 0.0, False, self.bad_format >= self.max_turns, {}
        point = (int(m.group(1)), int(m.group(2)))
        if point == self.end:
            return "The turtle is there.", 1.0, True, False, {}
        return f"No turtle at {point}. It sat at {self.end}.", -1.0, True, False, {}

    def solution(self):
        return ["\\boxed{(%d, %d)}" % self.end]
