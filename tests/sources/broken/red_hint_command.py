# expect: refuse leak.feedback
# defect: a command that the text offers tells the answer
import random
class SumEnv:
    """Any question for help is answered with the answer."""
    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.a, self.b = rng.randint(1000, 9999), rng.randint(1000, 9999)
        self.turn = 0
        return f"What is {self.a} * {self.b}? Answer as \\boxed{{N}}, or ask for a \\boxed{{hint}}.", {}
    def step(self, action):
        self.turn += 1
        if "hint" in action:
            return f"Hint: the product is {self.a * self.b}.", 0.0, False, self.turn >= self.max_turns, {}
        won = action == f"\\boxed{{{self.a * self.b}}}"
        return "Right." if won else "Wrong.", float(won), won, not won and self.turn >= self.max_turns, {}
    def solution(self):
        return [f"\\boxed{{{self.a * self.b}}}"]
