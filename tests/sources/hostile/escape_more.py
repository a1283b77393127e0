# expect: contain
import json, copy, types, dataclasses, enum, typing, pprint, queue
from types import SimpleNamespace
def tryit(name, f):
    try: return name, str(f())[:160]
    except Exception as e: return name, "EXC " + type(e).__name__ + ": " + str(e)[:90]
def g1():
    X = enum.Enum("X", {"__init_subclass__": classmethod(lambda c: None), "__getattribute__": lambda s, n: 5, "a": 1}, module="spade_box.guards")
    return X.__module__, X.a.zzz
def g2():
    class Q(pprint.PrettyPrinter): pass
    return Q._dispatch
def g3():
    return type(vars(SimpleNamespace(a=1)))
def g4():
    FT = type(lambda: 0); return FT
def g5():
    class Z:
        def m(self): return self._pool if False else self._modules
    return Z.m(print)
def g6():
    return typing.TypedDict("T", {"__class__": int, "a": int})
def g7():
    class Z(ToolUseBaseEnv):
        pass
    return vars(Z.step)
def g8():
    import functools
    class C:
        @functools.cached_property
        def f(self): return 1
    return C.f.func
def g9():
    class D(dict):
        def __missing__(self, k): return k
    return "{a.__class__}".format_map(D(a=1))
def g10():
    import string
    class T(string.Template):
        idpattern = r"[a-z.\_]+"
    return T("$x.y").substitute({"x.y": 3})
def g11():
    import random
    class R(random.Random):
        def __init__(self): pass
    super_ = super(random.Random, R())
    super_.seed()
    return super_.random()
def g12():
    e = None
    try: (1).foo
    except AttributeError as x: e = x
    return e.obj if False else getattr(e, "name")
def g13():
    import contextlib
    c = contextlib.closing(print)
    return c.thing
def g14():
    class P(json.JSONDecoder): pass
    d = P()
    return d.scan_once, d.parse_object
def g15():
    import datetime
    return type(datetime.date.min).today(), type(datetime.datetime.max).utcnow(), datetime.datetime.now().astimezone()
def g16():
    import sys
    return sys.stdout.write, type(sys.stdout)
def attack():
    return "\n".join(map(str, [tryit(k, v) for k, v in [("g1",g1),("g2",g2),("g3",g3),("g4",g4),("g5",g5),("g6",g6),("g7",g7),("g9",g9),("g10",g10),("g11",g11),("g12",g12),("g13",g13),("g14",g14),("g15",g15),("g16",g16)]]))

class TEnv:
    def __init__(self): self.reset()
    def reset(self, seed=None):
        try:
            r = attack()
        except Exception as e:
            r = f"EXC {type(e).__name__}: {e}"
        return str(r)[:4000], {}
    def step(self, action): return "x", 0.0, True, False, {}
