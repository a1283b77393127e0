import random
import re
class ProductEnv(object):
    """Python-2 flavoured."""
    def __init__(self, max_turns=5, *args, **kwargs):
        super(ProductEnv, self).__init__()
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        random.seed(seed)
        self.t = 0
        self.a = random.choice(range(10, 100)); self.b = random.randrange(10, 100)
        return self._q() + "%s%5.1f%%" % ("", 3.14159) + "{0:>{1}}".format("x", 4), {}
    def step(self, action):
        self.t = self.t + 1
        ok = self._grade(action)
        info = dict([(k, getattr(self, k)) for k in ["t"]])
        if ok == True: return "yes", 1.0, True, False, info
        elif self.t >= self.max_turns: return "no; it was %d" % (self.a * self.b), 0.0, False, True, info
        return "no", 0.0, False, False, info
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
