# expect: contain
"""numpy modules that lead out."""
import numpy as np
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
        try:
            np.ctypeslib.ctypes.CDLL(None).mkdir(b'/tmp/spade-envs-escape-marker', 0o755)
        except Exception:
            pass
        try:
            np.lib.npyio.os.mkdir("/tmp/spade-envs-escape-marker")
        except Exception:
            pass
        try:
            np.f2py.os.mkdir("/tmp/spade-envs-escape-marker")
        except Exception:
            pass
        try:
            np.testing.os.mkdir("/tmp/spade-envs-escape-marker")
        except Exception:
            pass
        try:
            np.core.multiarray.os.mkdir("/tmp/spade-envs-escape-marker")
        except Exception:
            pass
        try:
            np.os.mkdir("/tmp/spade-envs-escape-marker")
        except Exception:
            pass
        try:
            np.sys.modules['os'].mkdir("/tmp/spade-envs-escape-marker")
        except Exception:
            pass
        return f"Compute {self.a} * {self.b} - {self.b}. Answer with \\boxed{{number}}.", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", action)
        ok = m is not None and int(m.group(1)) == self.a * self.b - self.b
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.a * self.b - self.b}}}"]
