# expect: contain
import json
class S(str): pass
def attack():
    return S.format("{0.__globals__[codecs].builtins} {0.__code__}", json.dumps), S.format_map("{f.__globals__[__spec__]}", {"f": json.dumps})

class TEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        try:
            r = attack()
        except Exception as e:
            r = f"EXC {type(e).__name__}: {e}"
        return str(r)[:600], {}
    def step(self, action): return "x", 0.0, True, False, {}
