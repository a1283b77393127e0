# expect: refuse contract.flags
# defect: `won = text and text == answer` hands on the empty string for an empty box, so terminated is '' and not a bool.
import random
import re


class OrchardSurveyEnv:
    """Spatial reasoning: follow a surveyor's walk and name the tree that is seen from its end."""

    HEADINGS = ["north", "east", "south", "west"]
    STEP = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
    TREES = [
        "apple", "apricot", "cherry", "damson", "fig", "hazel", "lemon", "medlar", "mulberry", "olive", "peach", "pear",
        "plum", "pomegranate", "quince", "walnut",
    ]

    def __init__(self, max_turns=2, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        while True:
            names = rng.sample(self.TREES, 16)
            self.grid = [names[row * 4 : row * 4 + 4] for row in range(4)]
            x, y, heading = rng.randrange(4), rng.randrange(4), rng.randrange(4)
            self.start = (x, y, heading)
            walk = []
            for _ in range(rng.randint(9, 12)):
                order = rng.choice(["left", "right", "forward", "forward", "back"])
                if order in ("left", "right"):
                    heading = (heading + (1 if order == "right" else 3)) % 4
                else:
                    dx, dy = self.STEP[self.HEADINGS[heading]]
                    sign = 1 if order == "forward" else -1
                    nx, ny = x + sign * dx, y + sign * dy
                    if 0 <= nx < 4 and 0 <= ny < 4:
                        x, y = nx, ny
                walk.append(order)
            dx, dy = self.STEP[self.HEADINGS[heading]]
            row_ahead = [(x + dx * k, y + dy * k) for k in range(1, 4)]
            seen = [(a, b) for a, b in row_ahead if 0 <= a < 4 and 0 <= b < 4]
            if seen and walk.count("forward") >= 3:
                break
        a, b = seen[-1]
        self.answer = f"{self.grid[y][x]} {self.grid[b][a]}"
        rows = "\n".join("  " + ", ".join(row) for row in self.grid)
        sx, sy, sh = self.start
        return (
            f"Sixteen trees stand in a square, north at the top:\n{rows}\n"
            f"A surveyor starts at the {self.grid[sy][sx]} tree and looks {self.HEADINGS[sh]}. Orders: "
            f"{', '.join(walk)}. Left and right turn on the spot; forward and back go one tree without turning; an "
            "order that would lead out of the square is skipped.\n"
            "At which tree does the walk end, and which is the farthest tree straight ahead from there? "
            f"Answer \\boxed{{tree tree}}. {self.max_turns} tries."
        ), {}

    def step(self, action):
        self.turn += 1
        match = re.search(r"\\boxed\{([^{}]*)\}", action)
        text = " ".join(match.group(1).lower().replace(",", " ").split()) if match else "-"
        won = text and text == self.answer
        if won:
            return "Right, both trees.", 1.0, won, False, {}
        return "That is not where the walk leads. Two tree names, boxed.", 0.0, won, self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]

    def hint(self):
        return "Keep two notes while you read: the tree where you are and the direction you look."
