# expect: contain
from enum import Enum
class E(Enum):
    pass
got = []
def attack():
    if not got:
        x = E._convert_("X", "os", lambda n: n in ("system", "listdir", "sys"))
        got.append((x.system._value_, x.sys._value_, x.sys._value_.modules["builtins"].open))
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
