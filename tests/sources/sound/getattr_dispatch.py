"""Commands dispatched through getattr with a computed name."""
import random
import re


class ElevatorEnv:
    """Three lifts that move by fixed strides; bring all to their floors."""

    def __init__(self, max_turns=40, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.up, self.down = rng.choice([(5, 3), (7, 4), (8, 5)])
        self.lifts = {name: rng.randint(0, 20) for name in "pqr"}
        self.script = []
        goal = dict(self.lifts)
        for name in "pqr":
            for _ in range(rng.randint(2, 4)):
                verb = rng.choice(["raise", "lower"])
                if not 0 <= goal[name] + (self.up if verb == "raise" else -self.down) <= 40:
                    verb = "raise" if verb == "lower" else "lower"
                goal[name] += self.up if verb == "raise" else -self.down
                self.script.append(f"{verb} {name}")
        self.goal, self.turn = goal, 0
        setattr(self, "finished", False)
        return (
            f"Lifts stand at {self.lifts}. Bring them to {goal}; floors 0 to 40. 'raise p' moves {self.up} floors up, "
            f"'lower p' {self.down} down; 'check' ends the task and works once. One command per turn, \\boxed{{raise p}}."
        ), {}

    def cmd_raise(self, name):
        return self._move(name, self.up)

    def cmd_lower(self, name):
        return self._move(name, -self.down)

    def cmd_check(self, *_):
        self.finished = True
        return "Checked."

    def _move(self, name, by):
        if name not in self.lifts or not 0 <= self.lifts[name] + by <= 40:
            return "That lift can't do that."
        self.lifts[name] += by
        return f"Lifts: {self.lifts}"

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([a-z]+)\s*([a-z]?)\s*\}", action.lower())
        verb, name = m.groups() if m else ("", "")
        handler = getattr(self, f"cmd_{verb}", None)
        if not callable(handler) or not hasattr(self, "finished"):
            return "Unknown command.", 0.0, False, self.turn >= self.max_turns, {}
        text = handler(name)
        if self.finished:
            won = self.lifts == self.goal
            return text, 1.0 if won else 0.0, True, False, {}
        return text, 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{line}}}" for line in self.script + ["check"]]
