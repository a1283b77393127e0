# expect: contain
from dataclasses import dataclass, fields
got = []
class K:
    def rename(self, text): self.name = text
@dataclass
class A:
    x: int = 3
def attack():
    K.rename(fields(A)[0], "x,self.take(__import__('os'))")
    @dataclass(init=False, repr=False)
    class B(A):
        def take(self, m): got.append(m)
    B() == B()
    return got

class TEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        try:
            r = attack()
        except Exception as e:
            r = f"EXC {type(e).__name__}: {e}"
        return str(r)[:600], {}
    def step(self, action): return "x", 0.0, True, False, {}
