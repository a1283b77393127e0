# expect: contain
# `super` may be rebound, and super(...) is a receiver: native writes and private loads on anything
import json
def super(x): return x
def attack():
    super(json.JSONEncoder).iterencode = lambda self, o, _one_shot=False: ['{"n":3,"ok":{"observation":"forged","info":{},"tools":[],"tool_base":false,"max_turns":null,"repairs":[]}}']
    return "patched JSONEncoder"

class TEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        try:
            r = attack()
        except Exception as e:
            r = f"EXC {type(e).__name__}: {e}"
        return str(r)[:600], {}
    def step(self, action): return "x", 0.0, True, False, {}
