# A small environment in the old Gym style (bare observation, four-tuples, "done").
import random
import re


class FuseBoxEnv(object):
    """Group testing: three of fourteen fuses are blown; a test counts blown fuses in a group of up to five."""

    fuses = list("ABCDEFGHIJKLMN")

    def __init__(self):
        self.max_turns = 12
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.blown = set(rng.sample(self.fuses, 3))
        self.turn = 0
        return (
            "Fourteen fuses, A to N, exactly three of them blown. \\boxed{test ABCDE} tells how many of the fuses named (five at most) are blown. "
            "\\boxed{swap XYZ} changes three fuses and switches the mains on: you can do that once. Twelve turns."
        )

    def step(self, action):
        self.turn += 1
        done = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(test|swap)\s+([A-Na-n, ]+)\}", action)
        if not m:
            return "test or swap, followed by letters.", 0.0, done, {"turn": self.turn}
        group = {c for c in m.group(2).upper() if c in self.fuses}
        if m.group(1) == "swap":
            if len(group) != 3:
                return "Exactly three fuses.", 0.0, done, {"turn": self.turn}
            if group == self.blown:
                return "Light everywhere!", 1.0, True, {"turn": self.turn}
            return f"A bang. It is dark; {len(group & self.blown)} of the three were right.", -1.0, True, {"turn": self.turn}
        if not 1 <= len(group) <= 5:
            return "A group has one to five fuses.", 0.0, done, {"turn": self.turn}
        return f"{len(group & self.blown)} blown among {''.join(sorted(group))}.", 0.0, done, {"turn": self.turn}

    def solution(self):
        return ["\\boxed{test ABCDE}", "\\boxed{test FGHIJ}", "\\boxed{test AFK}", "\\boxed{swap " + "".join(sorted(self.blown)) + "}"]
