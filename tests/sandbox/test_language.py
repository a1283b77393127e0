"""The language layer by itself, without a worker: what the policy and the guards refuse, and what they let through."""

from __future__ import annotations

import copy
from typing import Any

import numpy
import pytest
from language import compiled, run

from spade_envs.sandbox import guards, names
from spade_envs.sandbox.streams import OutputLimit

pytestmark = pytest.mark.usefixtures("worker_side")


def refused(text: str, line: int, says: str) -> None:
    """The policy gives exactly this line and words like these, and no code."""
    code, problems = compiled(text)
    assert code is None
    assert [(p.kind, p.line) for p in problems if says in p.message] == [("restricted", line)], problems


# -- refused when compiling ------------------------------------------------------------------------------------

ATTRIBUTES = """
tb_frame tb_next tb_lasti tb_lineno f_back f_builtins f_code f_globals f_lasti f_lineno f_locals f_trace co_code
co_consts co_names co_varnames co_cellvars co_freevars co_filename co_positions co_lines gi_frame gi_code gi_yieldfrom
gi_running gi_suspended cr_frame cr_code cr_await cr_origin ag_frame ag_code ag_await func_globals func_code
func_closure func_defaults func_dict im_func im_self im_class mro with_traceback
__globals__ __code__ __closure__ __defaults__ __kwdefaults__ __builtins__ __func__ __self__ __wrapped__ __bases__
__base__ __mro__ __subclasses__ __reduce__ __reduce_ex__ __getstate__ __setstate__ __traceback__
__subclasshook__ __instancecheck__ __prepare__ __loader__ __spec__ __import__ __objclass__ __get__ __del__
""".split()


@pytest.mark.parametrize("attr", ATTRIBUTES)
def test_attributes_that_lead_inside_are_refused_by_name_and_by_string(attr: str) -> None:
    refused(f"def f(x):\n    return x.{attr}", 2, f"the attribute {attr!r} is not allowed")
    with pytest.raises(AttributeError, match="is not allowed"):
        guards.guarded_getattr(lambda: None, attr)
    with pytest.raises(AttributeError, match="is not allowed"):
        guards.guarded_getattr(int, attr, "default")
    assert not guards.guarded_hasattr(lambda: None, attr)


@pytest.mark.parametrize(
    "name",
    "exec compile open breakpoint help globals locals memoryview __import__ __builtins__ __loader__ __spec__ __file__"
    " __build_class__".split(),
)
def test_names_that_are_refused_say_what_to_do(name: str) -> None:
    refused(f"x = 1\ny = {name}", 2, f"{name!r} is not allowed: {names.FORBIDDEN_NAMES[name]}")
    if not name.startswith("__"):  # whoever binds the name means something else
        assert run(f"def {name}():\n    return 7\ny = {name}()")["y"] == 7


BINDINGS = """
NAME = 1
def NAME(): pass
class NAME: pass
def f(NAME): pass
def f(NAME, /): pass
def f(*, NAME): pass
def f(*NAME): pass
def f(**NAME): pass
f = lambda NAME: 1
f = lambda *, NAME: 1
import math as NAME
from math import pi as NAME
for NAME in (): pass
x = [1 for NAME in ()]
if (NAME := 1): pass
with f() as NAME: pass
def f(): global NAME
try: pass; except ValueError as NAME: pass
match 1:; case NAME: pass
match 1:; case [*NAME]: pass
match 1:; case {**NAME}: pass
match 1:; case [1 as NAME]: pass
match 1:; case {1: NAME}: pass
""".strip().splitlines()


@pytest.mark.parametrize("form", BINDINGS)
@pytest.mark.parametrize("name", ["_getattr_", "_write_", "_own_", "__class__"])
def test_hooks_and_dunders_can_be_bound_in_no_way(form: str, name: str) -> None:
    text = form.replace("NAME", name).replace("; except", "\nexcept").replace("; case", "\n case")
    refused(text, text[: text.index(name)].count("\n") + 1, f"the name {name!r} is ")


def test_hooks_cannot_be_read() -> None:
    refused("x = _getattr_", 1, "reserved; rename it")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("\nfrom . import x", 2, "relative imports"),
        ("from math import _x", 1, "private names such as '_x'"),
        ("class M(type): pass\nclass A(metaclass=M): pass", 2, "metaclass 'M'"),
        ("class A(metaclass=x.M): pass", 1, "metaclass 'M'"),
        ("class A(metaclass=f()): pass", 1, "metaclass '?'"),
        ("k = {}\nclass A(**k): pass", 2, "unpacking keywords"),
        ("match x:\n case A(gi_frame=f): pass", 2, "matching on the attribute 'gi_frame'"),
        ("match x:\n case A(__class__=f): pass", 2, "matching on the attribute '__class__'"),
        ("match x:\n case A(obj=f): pass", 2, "matching on the attribute 'obj'"),
        ("x.__class__ = 1", 1, "'__class__' is not allowed"),
        ("x.__dict__ = {}", 1, "'__dict__' is not allowed"),
        ("del x.__doc__, x.__class__", 1, "'__class__' is not allowed"),
        ("x.__init__ = f", 1, "'__init__' is not allowed"),
        ("x.__reduce_ex__ += 1", 1, "'__reduce_ex__' is not allowed"),
        ("def f(g):\n g.gi_frame += 1", 2, "gi_frame"),
        ("async def f(): pass", 1, "AsyncFunctionDef"),
        ("try: pass\nexcept* ValueError: pass", 1, "TryStar"),
        *(
            (f"class A:\n def {name}(self, *a): pass", 2, f"{name!r} is not allowed")
            for name in "__reduce__ __reduce_ex__ __getattribute__ __del__ __instancecheck__ __getstate__"
            " __setstate__ __subclasshook__ __class__ __await__ __prepare__ __mro_entries__ __array__".split()
        ),
        ("def __init__(self): pass", 1, "'__init__' is not allowed"),
    ],
)
def test_constructs_that_are_refused(text: str, line: int, says: str) -> None:
    refused(text, line, says)


# -- refused when running --------------------------------------------------------------------------------------

HEAD = """
import abc, decimal, enum, types
from collections import Counter, namedtuple
class Own:
    def __init__(self): self.x = 1
class Word(str): pass
class Base(abc.ABC): pass
def f(): pass
def generator(): yield
def assign(obj): obj.x = 1
"""


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("getattr(generator(), 'gi_' + 'frame')", AttributeError, "gi_frame"),
        ("getattr(f, '__glob' + 'als__')", AttributeError, "__globals__"),
        ("getattr(Own, 'm' + 'ro')", AttributeError, "mro"),
        ("getattr(1, Word('__class__'))", TypeError, "must be a string"),
        ("getattr(Counter(), '_keep_' + 'positive')", AttributeError, "private"),
        ("getattr(Own(), '__class' + '_getitem__')", AttributeError, "not allowed"),
        ("Counter()._keep_positive", AttributeError, "private"),
        ("'{0.gi_frame}'.format(generator())", AttributeError, "gi_frame"),
        ("'{0.__class__.__mro__}'.format(1)", AttributeError, "__mro__"),
        ("'{0[0].gi_frame}'.format([generator()])", AttributeError, "gi_frame"),
        ("'{a.gi_frame}'.format_map({'a': generator()})", AttributeError, "gi_frame"),
        ("str.format('{0.gi_frame}', generator())", AttributeError, "gi_frame"),
        ("Word('{0.gi_frame}').format(generator())", AttributeError, "gi_frame"),
        ("getattr('{0.gi_frame}', 'for' + 'mat')(generator())", AttributeError, "gi_frame"),
        ("list(map('{0.gi_frame}'.format, [generator()]))", AttributeError, "gi_frame"),
        ("assign(math)", TypeError, "module"),
        ("assign(abc.ABC)", TypeError, "cannot be changed"),
        ("assign(enum.Enum)", TypeError, "cannot be changed"),
        ("assign(len)", TypeError, "cannot be changed"),
        ("setattr(json, 'dumps', f)", TypeError, "module"),
        ("delattr(math, 'pi')", TypeError, "module"),
        ("setattr(Own(), '__cla' + 'ss__', Own)", AttributeError, "cannot be changed"),
        ("setattr(Own, '__reduce_' + 'ex__', f)", AttributeError, "cannot be changed"),
        ("setattr(Own(), Word('x'), 1)", TypeError, "must be a string"),
        ("delattr(Own(), '__di' + 'ct__')", AttributeError, "cannot be changed"),
        ("object.__setattr__(Own(), '__cla' + 'ss__', Own)", AttributeError, "cannot be changed"),
        ("object.__setattr__(math, 'pi', 3)", TypeError, "module"),
        ("Own().__setattr__('__cla' + 'ss__', Own)", AttributeError, "cannot be changed"),
        ("Own().__getattribute__('__reduce__')", AttributeError, "not allowed"),
        ("vars(Own())['__reduce_' + 'ex__'] = f", AttributeError, "cannot be changed"),
        ("Own().__dict__.update({'__deepcopy__': f})", AttributeError, "cannot be changed"),
        ("vars(math)", TypeError, "own objects"),
        ("vars()", TypeError, "own objects"),
        ("int.__dict__", AttributeError, "own objects"),
        ("type('A', (), {})", TypeError, "one argument"),
        ("type(type(1))('A', (), {})", TypeError, "one argument"),
        ("Base.register(int)", AttributeError, "virtual subclasses"),
        ("getattr(Base, 'reg' + 'ister')", AttributeError, "virtual subclasses"),
        ("input()", EOFError, "no input"),
        ("eval('__import__(\"math\")')", ValueError, "arithmetic"),
        ("class A:\n def f(self): self._x = 1\nA.f(math)", TypeError, "no object of this source"),
        ("class A:\n def f(self):\n  self = math\n  self.pi = 3\nA().f()", TypeError, "module"),
        ("super = lambda: math\nclass A:\n def f(self): super().pi = 3\nA().f()", TypeError, "module"),
        ("class A:\n def __getattr__(self, n): return f\nA().__len__", AttributeError, "__len__"),
        ("class C(Counter):\n def f(self, o): return o._keep_positive()\nC().f(C())", AttributeError, "private"),
        ("class C(Counter):\n def f(self): return self._keep_positive()\nC().f()", AttributeError, "private"),
        (
            "class D: _keep_positive = 1\nclass C(Counter):\n def f(self): return self._keep_positive()\nC().f()",
            AttributeError,
            "private",
        ),
        ("hash(object())", TypeError, "by address"),
        ("hash(Own())", TypeError, "by address"),
        ("types.SimpleNamespace(**{'__deep' + 'copy__': f})", AttributeError, "cannot be changed"),
        ("setattr(types.SimpleNamespace(), '__deep' + 'copy__', f)", AttributeError, "cannot be changed"),
        ("import dataclasses\ndataclasses.dataclass(Counter)", TypeError, "only classes of this source"),
        ("import functools\nfunctools.total_ordering(Counter)", TypeError, "only classes of this source"),
        ("enum.Enum('X', {'__reduce_' + 'ex__': 1})", TypeError, "cannot be members"),
        ("import operator\noperator.attrgetter('gi_frame')(generator())", AttributeError, "gi_frame"),
        ("import operator\noperator.methodcaller('__reduce__')(1)", AttributeError, "__reduce__"),
        ("vars(Own)['__init__']", KeyError, "__init__"),
        ("import os", ImportError, "'os' is not available"),
        ("import json.scanner", ImportError, "'json.scanner' is not available"),
        ("from math import nothing", ImportError, "nothing"),
    ],
)
def test_what_only_running_shows_is_refused(text: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        run(f"{HEAD}\n{text}")


def test_an_error_does_not_lead_to_its_object() -> None:
    text = "try:\n    (1).nothing\nexcept AttributeError as error:\n    found = error.obj"
    with pytest.raises(AttributeError, match="'obj' of an exception"):
        run(text)
    assert run("class A:\n    obj = 3\nfound = A().obj")["found"] == 3


@pytest.mark.parametrize(
    "clause", ["", " BaseException", " (ValueError, BaseException)", " KeyboardInterrupt", " SystemExit"]
)
def test_no_except_clause_catches_the_boxs_own_signals(clause: str) -> None:
    def signal() -> None:
        raise OutputLimit

    with pytest.raises(OutputLimit):
        run(f"try:\n    signal()\nexcept{clause}:\n    pass", signal=signal)


@pytest.mark.parametrize("leave", ["exit()", "quit()", "sys.exit(1)", "raise SystemExit(1)", "raise KeyboardInterrupt"])
def test_leaving_is_an_ordinary_exception(leave: str) -> None:
    assert run(f"import sys\ntry:\n    {leave}\nexcept Exception:\n    stayed = True")["stayed"]
    with pytest.raises(Exception):  # noqa: B017
        run(f"import sys\n{leave}")


@pytest.mark.parametrize(
    "target", ["np.arange(3).tofile", "np.arange(3).ctypes", "Word('{0.gi_frame}').format", "Base.register"]
)
def test_an_augmented_assignment_loads_no_guarded_attribute(target: str) -> None:
    """``x.tofile += y`` would hand ``x.tofile`` to ``y.__radd__``, unguarded."""
    taker = "class Taker:\n def __radd__(self, other): got.append(other)\ngot = []"
    got = run(f"{HEAD}\n{taker}\ntry:\n    {target} += Taker()\nexcept Exception: pass")["got"]
    assert not [one for one in got if "built-in" in repr(one) or "bound method ABCMeta" in repr(one)]


def test_an_augmented_assignment_of_such_a_name_works_on_own_objects() -> None:
    assert run("class A: pass\na = A(); a.obj = b = [1]; a.obj += [2]; a.format = 1; a.format *= 3; t = a.format")[
        "b"
    ] == [1, 2]


class Rebuilt:
    """Says how ``copy`` is to rebuild it."""

    def __init__(self, *how: Any) -> None:
        self.how = how

    def __reduce_ex__(self, protocol: int) -> Any:
        return self.how


def test_copying_writes_no_dunder_names_and_calls_no_function_of_the_source() -> None:
    own = run("def make(): return 1")["make"]
    for how in ((dict, (), {"__class__": 1}), (dict, (), (None, {"__dict__": 1})), (dict, (), {1: 1}), (own, ())):
        with pytest.raises(TypeError, match=r"copied here|copying through"):
            copy.copy(Rebuilt(*how))
    assert copy.copy(Rebuilt(dict, ((("a", 1),),))) == {"a": 1}


def test_a_class_that_calls_itself_numpys_is_no_array() -> None:
    for name in ("ndarray", "float64", "mine"):
        with pytest.raises(TypeError, match="cannot be changed"):
            guards.guarded_write(type(name, (), {"__module__": "numpy"})())
    array = numpy.zeros(3)
    assert guards.guarded_write(array) is array


def test_listing_shows_no_dunder_names() -> None:
    assert not [name for name in guards.safe_dir([]) if name.startswith("__")]
