# expect: refuse robustness.raises
# defect: UNDO pops the current state and then looks at the last one left; at the start of an episode there is none, and it raises IndexError.
import random
import re

COLOURS = ["red", "teal", "gold"]


class StencilRobotEnv:
    """Pattern reproduction with a robot arm whose stamps overlap."""

    def __init__(self, max_turns: int = 20, **kwargs):
        self.max_turns = max_turns
        self.reset()

    # five cells in a ring; a stamp colours three neighbouring cells
    def _stamped(self, cells, at, colour):
        after = list(cells)
        for offset in self.pattern:
            after[(at + offset) % len(cells)] = colour
        return tuple(after)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.pattern = rng.choice([(0, 1, 3), (0, 2, 3), (0, 1, 4), (0, 2, 5)])
        self.size = 8
        while True:
            cells, plan = ("-",) * self.size, []
            for _ in range(rng.randint(5, 6)):
                at, colour = rng.randrange(self.size), rng.choice(COLOURS)
                cells = self._stamped(cells, at, colour)
                plan.append((at, colour))
            if len({at for at, _ in plan}) == len(plan) and len(set(cells)) == 3 and "-" not in cells:
                break
        self.goal, self.plan = cells, plan
        self.history = [("-",) * self.size]
        return (
            f"A robot stamps a ring of {self.size} cells, numbered 0 to {self.size - 1}, all blank (-) at first. A stamp "
            "at a cell colours three cells of the ring in one colour: always the same shape, which you have to find "
            "out. Later stamps cover earlier ones.\n"
            f"Wanted: {' '.join(self.goal)}\n"
            f"Commands: \\boxed{{STAMP cell colour}} with colours {', '.join(COLOURS)}; \\boxed{{UNDO}} takes the last "
            "stamp back; \\boxed{DELIVER} hands the ring in, once. "
            f"You have {self.max_turns} turns.\nNow: {' '.join(self.history[-1])}"
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*([A-Za-z]+)\s*([0-9])?\s*([a-z]*)\s*\}", action)
        if match is None:
            return "No command found. For example \\boxed{STAMP 3 teal}.", 0.0, False, late, {}
        verb, cell, colour = match.group(1).upper(), match.group(2), match.group(3)
        if verb == "DELIVER":
            if self.history[-1] == self.goal:
                return "Accepted.", 1.0, True, False, {}
            return "Rejected: the ring is not as wanted.", 0.0, True, False, {}
        if verb == "UNDO":
            self.history.pop()
            return f"Taken back. Now: {' '.join(self.history[-1])}", 0.0, False, late, {}
        if verb == "STAMP" and cell is not None and int(cell) < self.size and colour in COLOURS:
            self.history.append(self._stamped(self.history[-1], int(cell), colour))
            return f"Stamped. Now: {' '.join(self.history[-1])}", 0.0, False, late, {}
        return "That is no command. STAMP cell colour, UNDO or DELIVER.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{STAMP {at} {colour}}}" for at, colour in self.plan] + ["\\boxed{DELIVER}"]

    def hint(self):
        return "One stamp shows the shape. Then work backwards: the last stamp shows all three of its cells in one colour."
