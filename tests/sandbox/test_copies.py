"""Episodes from copied states are those of new instances, and what cannot be copied is not."""

from __future__ import annotations

import itertools
import textwrap

import pytest

from spade_envs.admission import validate
from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.players import Scripted
from spade_envs.rollout import play
from spade_envs.sandbox import copies
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.trial import Trial
from spade_envs.types import EnvSource, Episode, FaultKind

THING = "class Thing:\n    def __init__(self, v=None):\n        self.v = [] if v is None else v\n"
DATACLASS = "from dataclasses import dataclass\n@dataclass(frozen=True, slots=True)\nclass Point:\n    v: list\n"
SLOTS = "class Point:\n    __slots__ = ('v',)\n    def __init__(self, v):\n        self.v = v\n"
ENUM = "import enum\nclass Colour(enum.Enum):\n    RED = 1\n"
ANY = "class Any:\n    d = {'q': 1}\n    def __getattr__(self, k):\n        return self.d.get(k, k)\n"
BROKEN = "class Odd:\n    v = 0\n    def __deepcopy__(self, memo):\n        raise ValueError\n"
UNSIZED = "class Odd:\n    v = 0\n    def __sizeof__(self):\n        raise OSError\n"
UNEQUAL = "class Odd:\n    v = 0\n    def __eq__(self, other):\n        raise ValueError\n    __hash__ = None\n"
BUMP = "def bump(self):\n    self.x += 1\n    return self.x\n"
CLOCK = "def clock(self):\n    import time\n    return time.time()\n"
NUMPY = "import numpy as np\n"
OUTER = "v = 0\ndef f():\n    nonlocal v\n    v += 1\n    return v\nself.f = f"
GAPS = "self.v = set(range(0, 800, 8))\nself.v -= set(range(0, 760, 8))"
PAIR = "P = collections.namedtuple('P', 'n')\n"
VALUE = "@property\ndef v(self):\n    return self._v\n@v.setter\ndef v(self, x):\n    self._v = x\n"

# What reset sets, what step shows, what stands before the class and in it; and whether states can be copied.
STATES: dict[str, tuple[str, str, str, str, bool]] = {
    "list": ("self.v = [1]", "self.v.append(action) or self.v", "", "", True),
    "random.Random": ("pass", "self.rng.random()", "", "", True),
    "shared random.Random": ("self.q = self.rng", "(self.q.random(), self.rng.random())", "", "", True),
    "module's random": ("random.random()", "random.random()", "", "", True),
    "module's function": ("self.f = random.random", "self.f()", "", "", True),
    "module's method": ("self.f = random.randint", "self.f(1, 10**9)", "", "", True),
    "module's seeding": ("self.f = random.seed", "(self.f(self.n), random.random())", "", "", True),
    "count": ("self.v = itertools.count(seed)", "next(self.v)", "", "", True),
    "cycle": ("self.v = itertools.cycle('ab')", "next(self.v)", "", "", False),
    "iterator": ("self.v = iter([1] * 9)", "next(self.v)", "", "", False),
    "generator": ("self.v = (n for n in range(99))", "next(self.v)", "", "", False),
    "map of a generator": ("self.v = map(str, (n for n in range(99)))", "next(self.v)", "", "", False),
    "bound method": ("self.f = self.bump", "(self.f(), self.x)", "", BUMP, True),
    "closure over self": ("self.f = lambda: self.bump()", "(self.f(), self.x)", "", BUMP, False),
    "closure over state": ("v = self.v = []\nself.f = lambda: v.append(1)", "self.f() or self.v", "", "", False),
    "default of a function": ("self.v = []\nself.f = lambda v=self.v: v.append(1)", "self.f(), self.v", "", "", False),
    "functions of the module": ("self.f = [f, g]", "self.f[0]()", "def f():\n    return 1\ng = f\n", "", True),
    "global sentinel": ("self.v = [NO]", "self.v[0] is NO", "NO = object()\n", "", False),
    "own global": ("self.v = ONE", "self.v is ONE", THING + "ONE = Thing()\n", "", False),
    "own global in a list": ("self.v = ALL[0]", "self.v is ALL[0]", THING + "ALL = [Thing()]\n", "", False),
    "registry of instances": ("ALL[0] = self", "ALL[0] is self", "ALL = {}\n", "", False),
    "own object": ("self.v = Thing()", "self.v.v.append(action) or self.v.v", THING, "", True),
    "keys by identity": ("self.v = Thing()\nself.d = {self.v: 3}", "self.d[self.v]", THING, "", True),
    "frozen, slots": ("self.v = Point([1])", "self.v.v.append(action) or self.v", DATACLASS, "", True),
    "slots": ("self.v = Point([1])", "self.v.v.append(action) or self.v.v", SLOTS, "", True),
    "enum": ("self.v = Colour.RED", "self.v is Colour.RED", ENUM, "", True),
    "__getattr__": ("self.v = Any()", "(self.v.q, self.v.z)", ANY, "", True),
    "property": ("self.v = []", "self.v.append(1) or self.v", "", VALUE, True),
    "recursive": ("self.v = []\nself.v.append(self.v)", "self.v.append(1) or len(self.v[0])", "", "", True),
    "deep": ("self.v = []\nfor _ in range(5000):\n    self.v = [self.v]", "len(self.v)", "", "", False),
    "many objects": ("self.v = [[n] for n in range(20_001)]", "self.v.pop()", "", "", False),
    "large": ("self.v = [0] * 300_000", "len(self.v)", "", "", False),
    "namedtuple": ("self.v = P([1])", "self.v.n.append(1) or self.v", PAIR, "", True),
    "collections": ("self.v = collections.ChainMap({}, collections.Counter('a'))", "self.v", "", "", True),
    "default of a dict": ("self.v = collections.defaultdict(lambda: self.n)", "self.v[action]", "", "", False),
    "decimal precision": ("decimal.getcontext().prec = 3 + seed", "decimal.Decimal(1) / 7", "", "", True),
    "decimal context": ("self.v = decimal.Context(prec=4)", "self.v.divide(1, 7), self.v.flags", "", "", False),
    "numpy": ("self.v = np.random.default_rng(seed)", "self.v.random(), np.zeros(3)", NUMPY, "", True),
    "numpy's own": ("np.random.seed(seed)", "np.random.rand()", NUMPY, "", True),
    "bound to its own": ("self.f = self.rng.random", "self.f()", "", "", False),
    "bound to a list": ("self.v = []\nself.f = self.v.append", "self.f(action) or self.v", "", "", False),
    "bound to a text": ("self.f = ', '.join", "self.f('ab')", "", "", True),
    "outer variable": (OUTER, "self.f()", "", "", False),
    "kept on a function": ("self.f = f\nf.n = 0", "setattr(f, 'n', f.n + 1) or f.n", "def f():\n    1\n", "", False),
    "sentinel of the class": ("self.v = self.NO", "self.v is self.NO", "", "NO = object()\n", False),
    "list of the class": ("self.v = self.ALL", "self.v is self.ALL", "", "ALL = []\n", False),
    "global list": ("self.v = ALL[0]", "self.v is ALL[0]", "ALL = [{}]\n", "", False),
    "number of an object": ("self.a = []\nself.v = {id(self.a): 5}", "self.v[id(self.a)]", "", "", False),
    "order of a set": (GAPS, "list(self.v)", "", "", False),
    "copies of its own": ("self.v = Odd()", "self.v.v", BROKEN.replace("raise ValueError", "return self"), "", False),
    "__deepcopy__ raises": ("self.v = Odd()", "self.v.v", BROKEN, "", False),
    "__sizeof__ raises": ("self.v = Odd()", "self.v.v", UNSIZED, "", False),
    "__eq__ raises": ("self.v = Odd()", "self.v.v", UNEQUAL, "", True),
    "clock": ("import time\nself.v = time.time()", "self.clock() - self.v", "", CLOCK, True),
}  # fmt: skip


def source(name: str, reset: str = "") -> str:
    first, shown, head, more, _ = STATES[name]
    body = f"random.seed(seed)\nself.n, self.x, self.rng = 0, 0, random.Random(seed)\n{first}\n{reset}"
    return (
        f"import collections, decimal, itertools, random\n{head}class TryEnv:\n    max_turns, resets = 9, 0\n"
        f"{textwrap.indent(more, '    ')}"
        f"    def reset(self, seed=None):\n{textwrap.indent(body, ' ' * 8)}\n        return 'go', {{'seen': self.n}}\n"
        f"    def step(self, action):\n        self.n += 1\n        shown = {shown}\n"
        "        return f'{self.n} {shown} {random.random()}', 0.0, False, self.n >= 6, {}\n"
    )


def told(env: SpadeEnv, seed: int) -> Episode:
    return play(env, Scripted(["a", "b", "c"]), seed, together=32)


@pytest.mark.parametrize("name", STATES)
def test_an_episode_from_a_copy_is_that_of_a_new_instance(name: str) -> None:
    pool = WorkerPool()
    taken = EnvSource(source(name))
    again = SpadeEnv(taken, EnvSettings(again=True), pool=pool)
    found = [told(again, seed) for seed in (1, 2, 1, 2, 2, 1)]
    assert again.boxed is not None and again.boxed.worker.dead is None
    fresh = {seed: told(SpadeEnv(taken, EnvSettings(), pool=pool), seed) for seed in (1, 2)}
    pool.close()
    assert fresh[1].error is None and fresh[1].observation == "go" and len(fresh[1].turns) == 3
    assert found == [fresh[seed] for seed in (1, 2, 1, 2, 2, 1)]


@pytest.mark.parametrize("name", STATES)
def test_a_state_is_copied_where_it_can_be(name: str) -> None:
    pool = WorkerPool()
    counted = EnvSource(source(name, "TryEnv.resets += 1\nself.n = TryEnv.resets * 10"))
    again = SpadeEnv(counted, EnvSettings(again=True), pool=pool)
    shown = [told(again, 1).turns[0].observation.split()[0] for _ in range(3)]
    pool.close()
    assert shown == (["11", "11", "11"] if STATES[name][-1] else ["11", "21", "31"])


def test_only_so_many_states_are_kept() -> None:
    pool = WorkerPool()
    counted = EnvSource(source("list", "TryEnv.resets += 1\nself.n = TryEnv.resets"))
    again = SpadeEnv(counted, EnvSettings(again=True), pool=pool)
    seeds = [*range(copies.MOST_STATES + 2)] * 2
    seen = [again.reset(seed=seed)[1]["seen"] for seed in seeds]
    pool.close()
    kept = range(1, copies.MOST_STATES + 1)
    assert seen == [*range(1, copies.MOST_STATES + 3), *kept, copies.MOST_STATES + 3, copies.MOST_STATES + 4]


def test_a_fault_of_the_source_stays_one() -> None:
    pool = WorkerPool()
    text = source("list").replace("self.n += 1", "1 / 0")
    again = SpadeEnv(EnvSource(text), EnvSettings(again=True), pool=pool)
    faults = [told(again, 1).error for _ in range(3)]
    pool.close()
    assert [fault.kind for fault in faults if fault is not None] == [FaultKind.RAISED] * 3


@pytest.mark.parametrize("name", ["global sentinel", "generator", "closure over state", "own object"])
def test_a_check_finds_the_same_with_copies(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    won = "        if action == '\\\\boxed{' + str(self.x) + '}':\n            return 'yes', 1.0, True, False, {}\n"
    text = source(name, "self.x = seed % 9000 + 1000").replace(
        "'go'", "f'Double {self.x / 2}. Say \\\\boxed{{number}}.'"
    )
    text = (
        text.replace("        shown =", won + "        shown =")
        + "    def solution(self):\n        return [f'\\\\boxed{{{self.x}}}']\n"
    )
    asked = itertools.count()
    rushed = Trial.rushed
    monkeypatch.setattr(Trial, "rushed", lambda *given: (next(asked), rushed(*given))[1])
    copied = validate(text)
    assert next(asked) > 1, "it is asked for"
    monkeypatch.setattr(Trial, "rushed", Trial.quick)
    plain = validate(text)
    assert (copied.verdict, copied.findings) == (plain.verdict, plain.findings)
