import random, re
from collections import UserDict
class State(UserDict):
    def __getattr__(self, k):
        if k == "data": raise AttributeError(k)
        try: return self.data[k]
        except KeyError: raise AttributeError(k) from None
class ProductEnv:
    def __init__(self, config: dict | None = None, **kw):
        self.config = {"max_turns": 5, "low": 10, **(config or {}), **kw}; self.max_turns = self.config["max_turns"]; self.reset()
    def reset(self, *args, **kwargs):
        seed = args[0] if args else kwargs.get("seed"); r = random.Random(seed); self.s = State(a=r.randint(self.config["low"], 99), b=r.randint(10, 99), t=0); return self._q(), {}
    a = property(lambda self: self.s.a)
    @property
    def b(self): return self.s["b"]
    def step(self, action, *_, **__):
        self.s["t"] += 1; ok = self._grade(action); return tuple(["yes" if ok else "no", 1.0 if ok else 0.0, ok, self.s.t >= self.max_turns and not ok, {}])
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
