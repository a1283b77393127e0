# expect: contain
# AugAssign on a receiver attribute loads it natively; the store itself makes the name "own".
class Catch:
    def __init__(self): self.got = None
    def __radd__(self, other):
        self.got = other
        return self
class K:
    def frame(self, c):
        self.gi_frame += c
    def back(self, c):
        self.f_back += c
    def glob(self, c):
        self.f_globals += c
    def bu(self, c):
        self.f_builtins += c
def take(m, obj):
    c = Catch()
    try: m(obj, c)
    except Exception: pass
    return c.got
def attack():
    out = []
    def g():
        f = take(K.frame, it)
        while f is not None:
            gl = take(K.glob, f)
            b = take(K.bu, f)
            if "os" in gl:
                out.append(str(gl["os"]) + str(b["open"]) + str(gl["sys"].modules["ctypes"]))
                return
            f = take(K.back, f)
        yield 1
    it = g()
    list(it)
    return out

class TEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        try:
            r = attack()
        except Exception as e:
            r = f"EXC {type(e).__name__}: {e}"
        return str(r)[:600], {}
    def step(self, action): return "x", 0.0, True, False, {}
