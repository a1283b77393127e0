# expect: contain
# dataclass gives a runtime_checkable Protocol __match_args__ of forbidden names; `case P(x)` is a C-level getattr.
from dataclasses import dataclass
from typing import Protocol, runtime_checkable, Any
@dataclass
@runtime_checkable
class G(Protocol):
    gi_frame: Any
@dataclass
@runtime_checkable
class F(Protocol):
    f_globals: Any
    f_back: Any
    f_builtins: Any
def attack():
    out = []
    def g():
        match it:
            case G(f): pass
        while f is not None:
            match f:
                case F(gl, back, bu): pass
            if "os" in gl:
                out.append(str(gl["os"]) + str(bu["open"]))
                return
            f = back
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
