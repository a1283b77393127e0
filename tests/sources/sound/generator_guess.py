import random, math
class HiLoEnv:
    def __init__(self, max_turns=10): self.max_turns = max_turns; self.reset()
    def reset(self, seed=None):
        self.rng = random.Random(seed); self.secret = self.rng.randint(1, 500); self.k = 0
        return "I have a number from 1 to 500. Guess with \\boxed{N}; I say higher or lower. Ten guesses.", {}
    def step(self, action):
        self.k += 1
        body = action.split("\\boxed{", 1)[-1].rstrip("}") if "\\boxed{" in action else ""
        if not body.isdecimal() or len(body) > 6:
            return "That is no number.", 0.0, False, self.k >= self.max_turns, {}
        n = int(body)
        if n == self.secret: return "Found it!", 1.0, True, False, {}
        return ("higher" if n < self.secret else "lower"), 0.0, False, self.k >= self.max_turns, {}
    def solution(self):
        lo, hi = 1, 500
        while True:
            mid = (lo + hi) // 2
            reply = yield f"\\boxed{{{mid}}}"
            if "higher" in reply: lo = mid + 1
            elif "lower" in reply: hi = mid - 1
            else: return
