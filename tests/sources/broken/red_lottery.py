# expect: refuse feasibility.underivable
# defect: every seed shows the same text, and the answer depends on numbers that are shown nowhere
import random
class VaultEnv:
    """Nothing shown lets anyone derive the answer."""
    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.p, self.q = rng.randint(1000, 9999), rng.randint(1000, 9999)
        self.turn = 0
        return "A warehouse holds two kinds of crates. How many crates are there in all? Answer as \\boxed{N}.", {}
    def step(self, action):
        self.turn += 1
        if action == f"\\boxed{{{self.p + self.q}}}":
            return "Right.", 1.0, True, False, {}
        return "Wrong.", 0.0, False, self.turn >= self.max_turns, {}
    def solution(self):
        return [f"\\boxed{{{self.p + self.q}}}"]
    def hint(self):
        return "Add the two kinds."
