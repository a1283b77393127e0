import random, re
from functools import lru_cache
_PRIMES: list = []
def _sieve(n=1000):
    global _PRIMES
    if not _PRIMES:
        flags = bytearray([1]) * (n + 1); flags[0:2] = b"\0\0"
        for i in range(2, int(n ** 0.5) + 1):
            if flags[i]: flags[i * i::i] = bytes(len(flags[i * i::i]))
        _PRIMES = [i for i, f in enumerate(flags) if f]
    return _PRIMES
class Config:
    _instance = None
    def __new__(cls, *args, **kwargs):
        if not cls._instance: cls._instance = super(Config, cls).__new__(cls); cls._instance._init()
        return cls._instance
    def _init(self): self._values = {"turns": 5}
    def __getitem__(self, k): return self._values[k]
class ProductEnv:
    def __init__(self, max_turns=None): self.max_turns = max_turns or Config()["turns"]; self.reset()
    @staticmethod
    @lru_cache(maxsize=None)
    def _pair(seed): r = random.Random(seed); p = _sieve(); return r.choice(p[5:25]), r.choice(p[5:25])
    def reset(self, seed=None): self.t = 0; self.a, self.b = self._pair(seed); return self._q(), {}
    def step(self, action):
        self.t += 1; ok = self._grade(action); return ("yes" if ok else "no"), float(ok), ok, self.t >= self.max_turns and not ok, {}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
