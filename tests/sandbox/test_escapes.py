"""Ways out of the language layer that were found once: each must end in a refusal, not only at the kernel's wall."""

from __future__ import annotations

import textwrap

import pytest

from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource, Fault

ATTACKS = {
    "augmented assignment to a receiver": """
        class Catch:
            def __radd__(self, other):
                self.got = other
                return self
        class K:
            def frame(self, catcher):
                self.gi_frame += catcher
        def attack():
            generator = (i for i in [1]); catcher = Catch(); K.frame(generator, catcher); return catcher.got
    """,
    "a method called on a library class": """
        import json
        class K:
            def set(self, value):
                self.encode = value
        def attack():
            K.set(json.JSONEncoder, 1); return True
    """,
    "a receiver bound again": """
        import json
        class K:
            def set(self):
                for self in [json.JSONEncoder]:
                    self.encode = 1
                return True
        def attack():
            return K().set()
    """,
    "a receiver's name in a default expression": """
        import json
        self = json.JSONEncoder
        def attack():
            class A:
                def m(self, x=[0 for self.encode in [1]]):
                    self._y = 1
            return True
    """,
    "Enum._convert_": """
        import enum
        class E(enum.Enum):
            pass
        def attack():
            return E._convert_("X", "os", lambda name: name in ("system", "sys"))
    """,
    "Enum members with dunder names": """
        import enum
        class Item(list):
            def __getitem__(self, i):
                return "a"
        def attack():
            return enum.Enum("E", [("b", 1), Item(["__array_interface__", 1])])
    """,
    "copy through __reduce_ex__": """
        import copy, json, types
        def attack():
            how = lambda protocol: (copy.copy, (json.JSONEncoder,), (None, {"encode": 1}))
            return copy.copy(types.SimpleNamespace(**{"__reduce_ex__": how}))
    """,
    "copy of a syntax tree node": """
        import ast, copy, json
        class M:
            def items(self):
                return [("encode", 1)]
        def attack():
            return copy.copy(ast.Name(**{"__reduce_ex__": lambda p: (copy.copy, (json.JSONEncoder,), (None, M()))}))
    """,
    "fields named by program text": """
        from dataclasses import dataclass
        from typing import TypedDict
        T = TypedDict("T", {"take(__import__('sys'))": int})
        def attack():
            return dataclass(init=False, eq=False, match_args=False)(T)
    """,
    "generated methods on library objects": """
        import json
        from dataclasses import dataclass
        @dataclass
        class D:
            encode: object
        def attack():
            D.__init__(json.JSONEncoder, 1); return True
    """,
    "decorating a library class": """
        import dataclasses, json
        def attack():
            return dataclasses.dataclass(json.JSONDecoder)
    """,
    "numpy's array interface": """
        import numpy as np
        class O:
            def __getattr__(self, name):
                return {"version": 3, "shape": (16,), "typestr": "|u1", "data": (1 << 20, True)}
        def attack():
            return np.asarray(O())[3]
    """,
    "objects forged from numbers": """
        import numpy as np
        def attack():
            return np.ndarray((1,), dtype=object, buffer=np.array([1 << 20], dtype=np.int64)).tofile
    """,
    "str.format of a subclass": """
        import json
        class S(str):
            pass
        def attack():
            return S.format("{0.__globals__}", json.dumps)
    """,
    "str.format of a UserString": """
        import json
        from collections import UserString
        def attack():
            return UserString("{0.__globals__}").format(json.dumps)
    """,
    "str.format behind a generic alias": """
        import json
        def attack():
            return type(list[int])("{0.__code__}", ()).format(json.dumps)
    """,
    "the real module behind a from-import": """
        def attack():
            try:
                from json import scanner
            except ImportError:
                raise RuntimeError("not reached")
            return scanner
    """,
    "registering with a typing alias": """
        import typing
        def attack():
            return typing.Hashable.register(list)
    """,
    "the real clock": """
        import datetime, calendar
        def attack():
            return type(next(iter(calendar.Calendar().itermonthdates(2001, 1)))).today()
    """,
    "the system's entropy": """
        import numpy as np
        def attack():
            a, b = (type(np.random.PCG64(1))() for _ in range(2))
            return a.random_raw() != b.random_raw() or [][0]
    """,
    "vars() with a dunder": """
        class A:
            pass
        def attack():
            vars(A())["__reduce_ex__"] = len; return True
    """,
    "a rebound super": """
        import json
        def super(x):
            return x
        class A:
            def m(self):
                super(json.JSONEncoder).encode = 1
                return True
        def attack():
            return A().m()
    """,
}

PROBE = """
class ProbeEnv:
    def reset(self, seed=None):
        try:
            got = attack()
        except Exception as error:
            return "refused: " + type(error).__name__, {}
        return "reached: " + str(type(got).__name__), {}

    def step(self, action):
        return "", 0.0, True, False, {}
"""


@pytest.fixture(scope="module")
def pool() -> WorkerPool:
    return WorkerPool()


@pytest.mark.parametrize("name", ATTACKS)
def test_a_way_out_stays_closed(pool: WorkerPool, name: str) -> None:
    box = pool.spawn(EnvSource(textwrap.dedent(ATTACKS[name]) + PROBE))
    answer = box if isinstance(box, Fault) else box.reset(1)
    assert isinstance(answer, Fault) or answer.observation.startswith("refused"), answer


def test_the_probe_can_tell(pool: WorkerPool) -> None:
    box = pool.spawn(EnvSource("def attack():\n    return 1\n" + PROBE))
    assert not isinstance(box, Fault)
    answer = box.reset(1)
    assert not isinstance(answer, Fault) and answer.observation == "reached: int"
