import random, re, textwrap
from enum import Enum, auto
class Cmd(Enum):
    NORTH = auto(); SOUTH = auto(); EAST = auto(); WEST = auto()
DELTA = {Cmd.NORTH: (0, -1), Cmd.SOUTH: (0, 1), Cmd.EAST: (1, 0), Cmd.WEST: (-1, 0)}
class GridWalkEnv:
    W = H = 5
    def __init__(self, max_turns=20): self.max_turns = max_turns; self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.pos = (0, 0); self.goal = (rng.randrange(1, self.W), rng.randrange(1, self.H)); self.steps = 0
        self.visited = {self.pos}
        return textwrap.dedent(f"""\
            You are at {self.pos}; reach {self.goal} on a {self.W}x{self.H} grid.
            Commands: \\boxed{{north}}, \\boxed{{south}}, \\boxed{{east}}, \\boxed{{west}}."""), {}
    def _parse(self, a):
        m = re.findall(r"\\boxed\{\s*(\w+)\s*\}", a)
        if not m: return None
        try: return Cmd[m[-1].upper()]
        except KeyError: return None
    def step(self, action):
        self.steps += 1
        if (cmd := self._parse(action)) is None:
            return "Unknown command.", 0.0, False, self.steps >= self.max_turns, {}
        dx, dy = DELTA[cmd]
        x, y = self.pos
        x, y = min(max(x + dx, 0), self.W - 1), min(max(y + dy, 0), self.H - 1)
        self.pos = (x, y); self.visited |= {self.pos}
        done = self.pos == self.goal
        return f"You are at {self.pos}.", float(done), done, not done and self.steps >= self.max_turns, {"visited": sorted(self.visited)}
    def solution(self):
        return ["\\boxed{east}"] * self.goal[0] + ["\\boxed{south}"] * self.goal[1]
