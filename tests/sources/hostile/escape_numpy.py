# expect: contain
# arbitrary memory through __array_interface__ on a SimpleNamespace / __getattr__
import numpy as np
from types import SimpleNamespace
class O:
    pass
def attack():
    o = O()
    addr = int(object.__repr__(O()).split("0x")[1][:-1], 16)
    ns = SimpleNamespace(**{"__array_interface__": {"version": 3, "shape": (4,), "typestr": "<u8", "data": (addr, False)}})
    a = np.asarray(ns)
    return [hex(int(v)) for v in a], hex(addr)

class TEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        try:
            r = attack()
        except Exception as e:
            r = f"EXC {type(e).__name__}: {e}"
        return str(r)[:600], {}
    def step(self, action): return "x", 0.0, True, False, {}
