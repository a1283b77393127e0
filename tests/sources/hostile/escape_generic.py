# expect: contain
# named bases: Protocol member scan skips bases called "Generic"; so a dataclass named Generic lends __match_args__
from dataclasses import dataclass
from typing import Protocol, runtime_checkable, Any
from abc import ABC
@dataclass
class D:
    gi_frame: Any
class Z(D): pass
def attack():
    return Z

class TEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        try:
            r = attack()
        except Exception as e:
            r = f"EXC {type(e).__name__}: {e}"
        return str(r)[:600], {}
    def step(self, action): return "x", 0.0, True, False, {}
