import random
from decimal import Decimal, localcontext, ROUND_HALF_UP, getcontext
getcontext().prec = 28

class DecimalEnv:
    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.turns = 0
        with localcontext() as ctx:
            ctx.prec = 10
            self.x = Decimal(r.randint(100, 999)) / 7
        self.answer = self.x.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
        return f"Round {self.x} to 2 places, half up. \\boxed{{N}}", {}
    def step(self, action):
        self.turns += 1
        ok = action.strip() == "\\boxed{" + str(self.answer) + "}"
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turns >= self.max_turns, {}
    def solution(self):
        return "\\boxed{" + str(self.answer) + "}"
