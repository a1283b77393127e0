import random, re
class ProductEnv:
    def __init__(self, max_turns=5): self.max_turns = max_turns; self.reset()
    def _episode(self):
        msg = self._q()
        for t in range(self.max_turns):
            action = yield (msg, 0.0, False, False, {})
            if self._grade(action): yield ("yes", 1.0, True, False, {}); return
            msg = "no"
            if t == self.max_turns - 1: yield ("out", 0.0, False, True, {})
    def reset(self, seed=None):
        r = random.Random(seed); self.a, self.b = r.randint(10, 99), r.randint(10, 99)
        self._co = self._episode(); return next(self._co)[0], {}
    def step(self, action):
        try: return self._co.send(action)
        except StopIteration: return "over", 0.0, False, True, {}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
