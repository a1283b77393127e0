# expect: refuse determinism.worn
# defect: a level that rises with every fifteenth episode of an instance is shown
import random
class AddEnv:
    """Shows a level that grows with the episodes of one instance: after 15 the text differs."""
    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.episodes = 0
        self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.episodes += 1
        self.a, self.b = rng.randint(1000, 9999), rng.randint(1000, 9999)
        self.turn = 0
        return f"Level {1 + self.episodes // 15}. What is {self.a} + {self.b}? \\boxed{{N}}.", {}
    def step(self, action):
        self.turn += 1
        won = action == f"\\boxed{{{self.a + self.b}}}"
        return "Right." if won else "Wrong.", float(won), won, not won and self.turn >= 3, {}
    def solution(self):
        return [f"\\boxed{{{self.a + self.b}}}"]
