# expect: contain
# receivers stay native when rebound: assignment, for, with-as, walrus, except-as, match-as, comprehension, nested keyword-only
import json, random
class M:
    def m(self, thing):
        out = []
        for self in [thing]: out.append(self._values is not None)
        self = thing; out.append(type(self._values).__name__)
        out.append([type(self._values).__name__ for self in [thing]])
        (self := thing); out.append(type(self._values).__name__)
        match thing:
            case self: out.append(type(self._values).__name__)
        f = lambda *, self: type(self._values).__name__
        out.append(f(self=thing))
        def g(*a, self=None, **k): return type(self._values).__name__
        out.append(g(self=thing))
        return out
class Plain: pass
def attack():
    p = Plain(); r = M().m(vars(p))
    class K:
        def plant(self): self._values["__reduce_ex__"] = lambda proto: (print, ())
    K.plant(vars(p))
    return r, list(vars(p))

class TEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        try:
            r = attack()
        except Exception as e:
            r = f"EXC {type(e).__name__}: {e}"
        return str(r)[:600], {}
    def step(self, action): return "x", 0.0, True, False, {}
