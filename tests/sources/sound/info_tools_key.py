import random
class WorkshopEnv:
    """Pick the right tool; info carries the tool names."""
    TOOLS = ["hammer", "saw", "drill"]
    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.n = rng.randint(2, 90); self.k = rng.randint(2, 90); self.turns = 0
        return f"A hammer costs {self.n} and a saw {self.k}. What do both cost? Reply \\boxed{{N}}.", {"tools": list(self.TOOLS)}
    def step(self, action):
        self.turns += 1
        ok = action == f"\\boxed{{{self.n + self.k}}}"
        return ("Yes" if ok else "No"), 1.0 if ok else 0.0, ok, (not ok) and self.turns >= self.max_turns, {}
    def solution(self):
        return f"The answer is {self.n + self.k}"
