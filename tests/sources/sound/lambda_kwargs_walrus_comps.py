import random
import re as regex
pick = lambda rng, *xs, k=1, **kw: rng.sample(xs, k) if k > 1 else rng.choice(xs)
def memo(f, cache={}):
    def inner(*a):
        if a not in cache: cache[a] = f(*a)
        return cache[a]
    inner.calls = 0
    inner.__name__ = f.__name__
    return inner
@memo
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
class SeqEnv(object):
    PATTERN = regex.compile(r"\\boxed\{\s*(?P<n>-?\d+)\s*\}")
    @staticmethod
    def _num(t): return int(m["n"][:12]) if (m := SeqEnv.PATTERN.search(t)) else None
    def __init__(self, max_turns=3): self.max_turns = max_turns; self.rng = random; self.reset()
    def reset(self, seed=None):
        if seed is not None: random.seed(seed)
        self.n = random.randrange(5, 30); self.k = 0; self._log: list = []
        return f"What is the {self.n}th Fibonacci number (F(0)=0, F(1)=1)? \\boxed{{N}}", dict(n=self.n)
    def step(self, action):
        self.k += 1; self._log.append(action[:10])
        got = self._num(action)
        win = got == fib(self.n)
        return {True: "Yes", False: "No"}[win], 1.0 * win, win, (self.k >= self.max_turns) and not win, {"log": self._log}
    def solution(self): return f"The answer: {fib(self.n)}"
