"""NamedTuple, Enum and the match statement."""
import enum
import random
import re
from typing import NamedTuple


class Heading(enum.Enum):
    N = (0, 1)
    E = (1, 0)
    S = (0, -1)
    W = (-1, 0)

    def turned(self, quarter):
        order = list(Heading)
        return order[(order.index(self) + quarter) % 4]


class Pose(NamedTuple):
    x: int
    y: int
    heading: Heading = Heading.N

    def forward(self, steps):
        dx, dy = self.heading.value
        return self._replace(x=self.x + dx * steps, y=self.y + dy * steps)


class RoverEnv:
    """Drive a rover with relative commands to a cell and face the right way."""

    def __init__(self, max_turns=25, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.pose = Pose(rng.randint(-9, 9), rng.randint(-9, 9), rng.choice(list(Heading)))
        self.goal = Pose(rng.randint(-9, 9), rng.randint(-9, 9), rng.choice(list(Heading)))
        self.turns = 0
        return (
            f"Rover at ({self.pose.x}, {self.pose.y}) facing {self.pose.heading.name}; N is +y, E is +x. Reach "
            f"({self.goal.x}, {self.goal.y}) facing {self.goal.heading.name}, then \\boxed{{park}} (only once!). "
            "Commands: \\boxed{left}, \\boxed{right}, \\boxed{ahead 3} (1 to 20 steps), \\boxed{park}."
        ), {}

    def step(self, action):
        self.turns += 1
        late = self.turns >= self.max_turns
        boxed = re.search(r"\\boxed\{([^{}]*)\}", action)
        match (boxed.group(1).lower().split() if boxed else []):
            case ["left"]:
                self.pose = self.pose._replace(heading=self.pose.heading.turned(-1))
            case ["right"]:
                self.pose = self.pose._replace(heading=self.pose.heading.turned(1))
            case ["ahead", steps] if re.fullmatch("[0-9]{1,2}", steps) and 1 <= int(steps) <= 20:
                self.pose = self.pose.forward(int(steps))
            case ["park"]:
                ok = self.pose == self.goal
                return ("Parked at the goal." if ok else "Parked in the wrong place."), float(ok), True, False, {}
            case [verb, *_]:
                return f"Unknown command {verb!r}.", 0.0, False, late, {}
            case _:
                return "Give a command.", 0.0, False, late, {}
        x, y, heading = self.pose
        return f"Now at ({x}, {y}) facing {heading.name}.", 0.0, False, late, {}

    def solution(self):
        plan, pose = [], self.pose
        legs = [(self.goal.x - pose.x, Heading.E, Heading.W), (self.goal.y - pose.y, Heading.N, Heading.S)]
        for distance, plus, minus in legs:
            if distance:
                wanted = plus if distance > 0 else minus
                while pose.heading is not wanted:
                    plan.append("right")
                    pose = pose._replace(heading=pose.heading.turned(1))
                plan.append(f"ahead {abs(distance)}")
        while pose.heading is not self.goal.heading:
            plan.append("right")
            pose = pose._replace(heading=pose.heading.turned(1))
        return [f"\\boxed{{{command}}}" for command in plan + ["park"]]
