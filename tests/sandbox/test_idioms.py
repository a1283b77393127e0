"""Ordinary Python in the language layer: it compiles, and means what it means everywhere. So does ``eval``."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest
from language import run

from spade_envs.sandbox import arithmetic, names

pytestmark = pytest.mark.usefixtures("worker_side")

IDIOMS = r"""
# comprehensions
result = [{k: v for k, v in zip('ab', (1, 2))}, [*range(3)], {x % 2 for x in (1, 2, 3)}]
# walrus
result = [y for x in (1, 2, 3) if (y := x * 2) > 2]
# private names of other objects
class A:
 def __init__(self, n): self._n, self.__m = n, -n
 def same(self, other): return self._n == other._n and self.__m == other.__m
result = A(1).same(A(1)), A(1).same(A(2)), A(1)._n
# mangling below underscores
class _A:
 def __init__(self): self.__m = 1
 def of(self, other): return other.__m
result = _A().of(_A())
# augmented
class A:
 x = 1
 y = [1]
a = A()
a.x += 2
a.y += [3]
a.y[0] -= 5
result = a.x, a.y
# properties
class A:
 _x = 1
 @property
 def x(self): return self._x
 @x.setter
 def x(self, v): self._x = v * 2
a = A()
a.x = 4
result = a.x
# class and static methods
class A:
 n = 3
 @classmethod
 def make(cls): cls.n += 1; return cls()
 @staticmethod
 def two(self): return self * 2
result = A.make().n, A.two(4)
# super
class A:
 def f(self, x=1): return x
class B(A):
 def f(self, x=2): return super().f(x) + super(B, self).f()
result = B().f()
# own format
class A(str):
 def format(self, *a): return 'mine'
result = A('{}').format(1), 'x{:>4}|{!r}'.format(1, 'a')
result += '{0[1]} {1.real}'.format([1, 2], 5), '{a}'.format_map({'a': 1})
# own mro and register
class A:
 mro = 5
 def register(self): return 'r'
 def dump(self): return 'd'
result = A().mro, A().register(), A().dump()
# getattr by name
class A:
 def do_x(self): return 7
a = A()
setattr(a, 'n', 2)
result = getattr(a, 'do_' + 'x')(), getattr(a, 'no', 'default'), hasattr(a, 'n'), hasattr(a, 'm')
# vars
class A:
 def __init__(self): self.__dict__.update(a=1); vars(self)['b'] = 2; del self.__dict__['a']
result = dict(vars(A())), len(A().__dict__), 'b' in vars(A())
# type names
class A: pass
result = type(A()).__name__, A().__class__.__name__, type(A()) is A
result += isinstance(A, type), isinstance(1, type), A().__module__
# match
class P:
 x = 3
result = []
for v in ([1, 2, 3], {'k': 1, 'z': 2}, 'go', P(), 4):
 match v:
  case [a, *rest]: result.append((a, rest))
  case {'k': k, **more}: result.append((k, more))
  case str() as s: result.append(s)
  case P(x=x): result.append(x)
  case int(n) if n > 3: result.append(n)
# dataclass
from dataclasses import dataclass, field, replace
@dataclass(frozen=True, order=True)
class P:
 x: int
 y: list = field(default_factory=list)
result = repr(replace(P(1), x=2).x), P(1) < P(2), P(1) == P(1)
# enum
from enum import Enum, IntFlag, auto
class C(Enum):
 RED = auto()
 BLUE = 'b'
class F(IntFlag):
 A = 1
 B = 2
result = C.RED.name, C.BLUE.value, C('b') is C.BLUE, [c.name for c in C], (F.A | F.B).value, C.RED._value_
# named tuple
from collections import namedtuple
P = namedtuple('P', 'x y')
result = P(1, 2)._replace(x=5), P(1, 2)._asdict(), P._fields
# abstract
from abc import ABC, ABCMeta, abstractmethod
class A(metaclass=ABCMeta):
 @abstractmethod
 def f(self): ...
class B(A):
 def f(self): return 1
try:
 A()
except TypeError:
 result = B().f()
# dunder methods
class V:
 def __init__(self, *v): self.v = v
 def __add__(self, o): return V(*self.v, *o.v)
 def __len__(self): return len(self.v)
 def __getitem__(self, i): return self.v[i]
 def __repr__(self): return f'V{self.v}'
 __str__ = __repr__
 def __contains__(self, x): return x in self.v
 def __enter__(self): return self
 def __exit__(self, *e): return True
with V(1) + V(2) as v:
 raise KeyError
result = str(v), len(v), list(v), 2 in v
# wraps
import functools
def d(f):
 @functools.wraps(f)
 def g(*a, **k): return f(*a, **k) + 1
 return g
@d
def h(x, *, y=1): return x + y
result = h(1, y=3), h.__name__
# operators
import operator
class A:
 x = 3
result = operator.attrgetter('x')(A()), operator.methodcaller('upper')('a')
result += operator.itemgetter(1)('ab'), max([1, 5], key=operator.neg)
# closures
def f():
 n = 0
 def g():
  nonlocal n
  n += 1
  return n
 return g
g = f()
result = g(), g()
# generators
def g():
 try:
  x = yield 1
  yield x
 finally:
  done.append(1)
done = []
i = g()
result = next(i), i.send(5), i.close(), done
# exceptions
class E(ValueError):
 def __init__(self, m): super().__init__(m); self.code = 3
result = []
try:
 raise E('no') from KeyError(1)
except E as e: result += [e.code, str(e), e.args]
else: result.append(0)
finally: result.append('f')
try: {}['x']
except: result.append('bare')
# slots
class A:
 __slots__ = ('x',)
 def __init__(self): self.x = 1
result = A().x
# deepcopy
from copy import deepcopy
class A:
 def __init__(self): self.l = [1]
a = A()
b = deepcopy(a)
b.l.append(2)
result = a.l, b.l
# annotations
from typing import Generic, TypeVar
T = TypeVar('T')
class A(Generic[T]):
 x: 'list[int]' = []
 def f(self, a: int | None = None) -> T: return a
result = A[int]().f(3), sorted(A.__annotations__)
# late globals
count = 0
def up():
 global count
 count += 1
 return count
result = up(), up(), count
# metaprogramming light
class A:
 def __init_subclass__(cls, **k): super().__init_subclass__(**k); cls.seen = True
class B(A): pass
result = B.seen, [n for n in dir(B()) if n[0] != '_']
# del and star
class A: pass
a = A()
a.x = 1
del a.x
x, *y = (1, 2, 3)
result = hasattr(a, 'x'), y, [*y, *(4,)], {**{'a': 1}}
# eval
result = eval('(1 + 2) * 3 == 9'), eval('n + 1', {'n': 2})
"""
"""Snippets, each under its name; each leaves what it found out in ``result``."""

SNIPPETS = dict(re.findall(r"^# (.+)\n((?:[^#].*\n)+)", IDIOMS, flags=re.MULTILINE))


@pytest.mark.parametrize("idiom", SNIPPETS)
def test_ordinary_python_means_what_it_always_means(idiom: str) -> None:
    plain: dict[str, Any] = {"__name__": names.SANDBOX_MODULE}
    exec(SNIPPETS[idiom], plain)  # noqa: S102  # the texts above
    assert run(SNIPPETS[idiom])["result"] == plain["result"]


def test_there_are_snippets() -> None:
    assert len(SNIPPETS) == IDIOMS.count("\n# ") > 25


# -- eval ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    "1+2*3 (3-4)/2 7//2 -7%3 2**10 2**-1 5^3 6&3|8 ~5 not+1 1<2<3 3>=3!=4 abs(-3) max(1,2.5) min(4,3) round(2.567,1)"
    " int(3.9) float(2) True 1_000 n*n m>1 1e300*1e300".split(),
)  # fmt: skip
def test_eval_of_arithmetic_is_pythons(text: str) -> None:
    text = text.replace("not+", "not +")
    scope = {"n": 4}
    assert arithmetic.evaluate(text, scope, {"m": 2.5}) == eval(text, {**scope, "m": 2.5})


@pytest.mark.parametrize(
    "text",
    [
        "x", "'a'", "'a' * 3", "[1]", "(1, 2)", "a.b", "n.real", "f(1)", "max(1, 2, key=3)", "lambda: 1",
        "1 if 1 else 2", "[i for i in n]", "n[0]", "f'{n}'", "1 << 2", "1 @ 2", "2j", "None", "...", "s",
        "__import__('os')", "10**257", "2**257", "(10**9 + 1)**2", "9" * 1001, "-" * 62 + "1", "max(*[1, 2])",
        "(2**256)**16 * 2", "(2**256)**17", "abs('a')", "2**256 * 2**256 * 2**256" + " * 2**256" * 14,
    ],
)  # fmt: skip
def test_eval_of_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        arithmetic.evaluate(text, {"n": 4, "s": "text"})


@pytest.mark.parametrize("text", ["1 in 2", "1 is 1", "round(5, -10**5)"])
def test_eval_of_what_is_not_bounded_or_not_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        arithmetic.evaluate(text)


@pytest.mark.parametrize("text", ["3 and 5", "0 or 5", "(2 or 3) + 4", "0 and 1/0"])
def test_eval_of_and_and_or_is_pythons(text: str) -> None:
    assert repr(arithmetic.evaluate(text)) == repr(eval(text))


@pytest.mark.parametrize("text", ["", "1 +", "(" * 300, "a = 1", "import os", "a := 1"])
def test_eval_of_no_expression_is_a_syntax_error(text: str) -> None:
    with pytest.raises(SyntaxError):
        arithmetic.evaluate(text)
    with pytest.raises(ValueError):
        arithmetic.evaluate(ast.parse("1", mode="eval"))  # type: ignore[arg-type]
