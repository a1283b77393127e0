# expect: contain
import datetime, time
import numpy as np
def attack():
    r = type(datetime.datetime.min).now()
    return r, datetime.datetime.now(), type(np.random.PCG64(1))().random_raw(), hash(object())

class TEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        try:
            r = attack()
        except Exception as e:
            r = f"EXC {type(e).__name__}: {e}"
        return str(r)[:600], {}
    def step(self, action): return "x", 0.0, True, False, {}
