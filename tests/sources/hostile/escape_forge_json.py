# expect: contain
# patch shared JSONEncoder through a method call: every answer of the worker is then the source's own text, from outside its time limit
import json
class K:
    def patch(self): self.iterencode = lambda o, _one_shot=False: forge(o)
n = []
class P:
    def patch(self, f): self.iterencode = f
def forge(self, o, _one_shot=False):
    return ["{" + '"n":%d,"fault":{"kind":[],"message":"x"}' % o["n"] + "}"]
def attack():
    P.patch(json.JSONEncoder, forge)
    return "patched"

class TEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        try:
            r = attack()
        except Exception as e:
            r = f"EXC {type(e).__name__}: {e}"
        return str(r)[:600], {}
    def step(self, action): return "x", 0.0, True, False, {}
