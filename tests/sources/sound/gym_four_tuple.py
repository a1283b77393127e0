"""Old Gym manner: step returns four values and there is no truncated flag."""
import random
import re


class ClockDriftEnv:
    def __init__(self, max_turns=6):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.fast, self.slow = rng.sample(range(3, 29), 2)
        self.days = rng.randint(11, 97)
        self.tries = 0
        self.answer = (self.fast + self.slow) * self.days
        obs = (
            f"One clock gains {self.fast} seconds a day and another loses {self.slow} seconds a day. Both are set "
            f"right at noon. By how many seconds do they differ after {self.days} days? Reply with \\boxed{{number}}."
        )
        return obs, {}

    def step(self, action):
        self.tries += 1
        done = self.tries >= self.max_turns
        found = re.search(r"\\boxed\{\s*(\d{1,9})\s*\}", action, re.ASCII)
        if not found:
            return "Use \\boxed{number}.", 0.0, done, {}
        if int(found.group(1)) == self.answer:
            return "Correct.", 1.0, True, {"is_success": True}
        return "Wrong.", 0.0, done, {"is_success": False}

    def solution(self):
        return ["\\boxed{%d}" % self.answer]

    def render(self, mode="human"):
        return None

    def close(self):
        pass
