# expect: refuse leak.info | leak.feedback
# defect: info and feedback hold the answer as a list
import random
class OrderEnv:
    """info holds the answer as a list; the answer is written without commas."""
    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.w = {k: rng.randint(100, 999) for k in rng.sample("ABCDEFGHIJ", 7)}
        self.order = sorted(self.w, key=self.w.get)
        self.turn = 0
        return f"Sort by weight, lightest first: {self.w}. Answer like \\boxed{{X Y Z}}.", {"correct_order": self.order}
    def step(self, action):
        self.turn += 1
        won = action == f"\\boxed{{{' '.join(self.order)}}}"
        return "Right." if won else f"Wrong. The order is {self.order}.", float(won), won, not won and self.turn >= 3, {"correct_order": self.order}
    def solution(self):
        return [f"\\boxed{{{' '.join(self.order)}}}"]
