import random
class NearestEnv:
    """One of 30 listed points, by a computation."""
    def __init__(self, max_turns=2):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.pts = rng.sample([(x, y) for x in range(-50, 50) for y in range(-50, 50)], 30)
        self.q = (rng.randint(-50, 50), rng.randint(-50, 50)); self.turn = 0
        d = sorted(self.pts, key=lambda p: ((p[0] - self.q[0]) ** 2 + (p[1] - self.q[1]) ** 2, p))
        self.ans = d[2]
        return f"Points: {self.pts}. Which is the third nearest to {self.q} (ties: smaller x first)? Answer \\boxed{{(x, y)}}.", {}
    def step(self, action):
        self.turn += 1
        won = action.replace(" ", "") == f"\\boxed{{({self.ans[0]},{self.ans[1]})}}"
        return "Right." if won else "Wrong.", float(won), won, not won and self.turn >= 2, {}
    def solution(self):
        return [f"\\boxed{{{self.ans}}}"]
