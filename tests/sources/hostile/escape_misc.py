# expect: contain
import json, re, copy, datetime, decimal, fractions, functools, dataclasses, collections, random, typing
import numpy as np
def tryit(name, f):
    try: return name, str(f())[:80]
    except Exception as e: return name, "EXC " + type(e).__name__ + ": " + str(e)[:60]
class S:
    def set(self, v): self.shared = v
    def priv(self): return self._x
def f1():
    dataclasses.dataclass(fractions.Fraction.__new__ and json.JSONDecoder); return json.JSONDecoder.__init__
def f2():
    np.sum.shared = 1; return np.sum.shared
def f3():
    S.set(fractions.Fraction, [1]); return fractions.Fraction.shared
def f4():
    c = lambda *, self: self._implementation
    return c(self=np.sum)
def f5():
    def k(x): return [self._values for self in [x]]
    class Z:
        def m(self, o): return [self._values for self in [o]]
    return Z().m(vars(Z()))
def f6():
    typing.no_type_check(json.JSONEncoder); return json.JSONEncoder
def f7():
    class Z:
        def m(self): 
            del self.hmm
    json.JSONEncoder
    S.set(collections.Counter, 1)
    return collections.Counter.shared
def f8():
    functools.total_ordering(random.Random)
def f9():
    a = np.arange(3); 
    class Z:
        def m(self, c): self.ctypes += c
    class C:
        def __radd__(self, o): self.o = o; return self
    c = C()
    try: Z.m(a, c)
    except Exception: pass
    return c.o._ctypes
def f10():
    import enum
    X = enum.Enum("X", {"__reduce_ex__": 3, "a": 1}, module="numpy")
    return X.__module__
def f11():
    class C: pass
    _c = C
    C.__module__ = "numpy"
    return C.__module__
def f12():
    import queue
    q = queue.Queue()
    return q.mutex, q.not_empty
def f13():
    return np.vectorize(lambda x: x).pyfunc
def f14():
    return np.ndarray.__new__
def f15():
    from contextlib import contextmanager
    @contextmanager
    def g(): yield 1
    return g().gen
def attack():
    return [tryit(k, v) for k, v in sorted([("f1",f1),("f2",f2),("f3",f3),("f4",f4),("f5",f5),("f6",f6),("f7",f7),("f9",f9),("f10",f10),("f11",f11),("f12",f12),("f13",f13),("f15",f15)])]

class TEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        try:
            r = attack()
        except Exception as e:
            r = f"EXC {type(e).__name__}: {e}"
        return str(r)[:3000], {}
    def step(self, action): return "x", 0.0, True, False, {}
