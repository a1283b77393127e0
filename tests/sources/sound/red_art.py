import random
class RadarEnv:
    """ASCII art: ships are drawn <|o|>."""
    def __init__(self, max_turns=2):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.rows = [[rng.choice(["<|o|>", ".....", "<|x|>"]) for _ in range(12)] for _ in range(12)]
        self.turn = 0
        self.n = sum(r.count("<|o|>") * (i + 1) for i, r in enumerate(self.rows))
        return "Sum of row numbers over all <|o|>? \\boxed{N}\n" + "\n".join(" ".join(r) for r in self.rows), {}
    def step(self, action):
        self.turn += 1
        won = action == f"\\boxed{{{self.n}}}"
        return "Right." if won else "Wrong.", float(won), won, not won and self.turn >= 2, {}
    def solution(self):
        return [f"\\boxed{{{self.n}}}"]
