"""What a source may import, and the streams behind it: everything belongs to the instance and to the seed."""

from __future__ import annotations

import types
from typing import Any

import pytest
from language import run

from spade_envs.sandbox import facades, names, numpy_facade
from spade_envs.sandbox.namespace import Namespace
from spade_envs.sandbox.streams import EPOCH, OutputLimit, Streams

pytestmark = pytest.mark.usefixtures("worker_side")

OWN = [*names.MODULES, *(name for name in names.SPECIAL_MODULES if "math_verify" not in name)]
FILES = """
load save savez savez_compressed savetxt loadtxt genfromtxt fromfile fromregex memmap DataSource lib ctypeslib
frombuffer from_dlpack f2py testing core distutils ma rec polynomial test info source show_config
""".split()


def space(seed: int = 0) -> Namespace:
    made = Namespace(100)
    made.streams.restart(seed)
    return made


def told(text: str, at: Namespace) -> Any:
    return run(text, at)["told"]


# -- modules ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OWN)
def test_no_module_leads_to_a_real_one(name: str) -> None:
    """Breadth first over modules: each is a facade, of which no real module of the process knows."""
    seen: list[types.ModuleType] = []
    waiting = [space().load(name)]
    while waiting:
        module = waiting.pop()
        assert vars(module).get("__spec__") is None and "__file__" not in vars(module), module
        if module not in seen:
            seen.append(module)
            waiting += [value for value in vars(module).values() if isinstance(value, types.ModuleType)]


@pytest.mark.parametrize("name", [*names.INSTEAD, "sys.path", "builtins", "gc", "numpy.lib", "random.x", ""])
def test_other_modules_do_not_exist(name: str) -> None:
    with pytest.raises(ImportError):
        space().importer(name, fromlist=("x",))


@pytest.mark.parametrize(
    "statement", ["from json import scanner", "from json import encoder, scanner", "from numpy import lib"]
)
def test_a_submodule_that_the_process_has_loaded_is_not_reached(statement: str) -> None:
    """The interpreter's own fall-back for circular imports: it hands out the real module, which leads everywhere."""
    with pytest.raises(ImportError):
        run(statement)


def test_imports_in_every_form() -> None:
    text = """
import collections.abc, numpy.random as r, gymnasium.spaces, spade.core.envs.tool_use_base_env
from collections.abc import Mapping
from gymnasium import spaces
from tool_use_base_env import ToolUseBaseEnv as Base
from spade_envs import ToolUseBaseEnv as Same
import numpy as np
told = [collections.abc.Mapping is Mapping, collections.deque([1]).pop(), r is np.random, gymnasium.spaces is not None,
        Base is Same is ToolUseBaseEnv is spade.core.envs.tool_use_base_env.ToolUseBaseEnv, spaces.Discrete(4).n]
"""
    assert told(text, space()) == [True, 1, True, True, True, 4]
    with pytest.raises(ImportError, match="relative"):
        space().importer("x", level=1)
    with pytest.raises(ImportError, match="relative"):
        space().importer(type("Word", (str,), {})("math"))
    # What C code asks for through the caller's import is an empty module, never the real one.
    assert not hasattr(space().importer("os", fromlist=["path"]), "path")


def test_a_patched_module_stays_with_its_instance() -> None:
    one, two = space(), space()
    assert one.load("json") is one.load("json") is not two.load("json")
    assert one.tool_base() is one.tool_base() is not two.tool_base()
    run("ToolUseBaseEnv.step = 1", one)
    assert run("told = ToolUseBaseEnv.step", two)["told"] != 1


def test_inert_modules_take_anything() -> None:
    text = """
import logging, warnings, traceback, sys
log = logging.getLogger(__name__).getChild('x')
log.setLevel(logging.DEBUG)
log.info('%s', 1)
with warnings.catch_warnings(): warnings.simplefilter('ignore')
sys.setrecursionlimit(10**9)
try: 1 / 0
except ZeroDivisionError: told = traceback.format_exc()
told = [told, traceback.format_exc(), sys.argv, sys.getsizeof([]), 'modules' in dir(sys), '_getframe' in dir(sys)]
"""
    expected = ["ZeroDivisionError: division by zero\n", "NoneType: None\n", [""], 64, False, False]
    assert told(text, space()) == expected


# -- streams ---------------------------------------------------------------------------------------------------

DRAWS = {
    "random": "random.random(), random.randint(1, 10**9), random.sample(range(99), 5), random.Random().random()",
    "reseeded": "random.seed(), random.getrandbits(64), random.seed(3), random.getrandbits(64)",
    "no entropy": "random.SystemRandom().random(), random.Random(None).random()",
    "uuid": "str(uuid.uuid4()), str(uuid.uuid1())",
    "secrets": "secrets.token_hex(8), secrets.randbelow(10**9), secrets.choice(range(10**9)), secrets.token_urlsafe(8)",
    "clock": "time.time(), time.perf_counter(), time.time_ns(), time.localtime(), time.ctime(), time.strftime('%X')",
    "dates": "datetime.datetime.now(), datetime.date.today(), datetime.datetime.utcnow(), datetime.datetime.today()",
    "numpy": "float(np.random.rand()), int(np.random.randint(10**9)), float(np.random.default_rng().random())",
    "numpy objects": "float(np.random.RandomState().rand()), np.random.Generator(np.random.PCG64()).bytes(8)",
    "gym": "float(Env().np_random.random()), float(gymnasium.utils.seeding.np_random()[0].random())",
    "identity": "id(told), id(random), id(told)",
}
IMPORTS = "import uuid, secrets, time, datetime, gymnasium\nfrom gymnasium import Env\nimport numpy as np\ntold = []\n"
CLOCKS = ("clock", "dates", "identity")


@pytest.mark.parametrize("kind", DRAWS)
def test_what_is_drawn_depends_on_the_seed_alone(kind: str) -> None:
    text = f"{IMPORTS}def draw(): return [{DRAWS[kind]}]"
    one, two = space(5), space(5)
    draw, other = run(text, one)["draw"], run(text, two)["draw"]
    first = draw()
    assert draw() != first or kind == "identity"  # the stream goes on ...
    assert other() == first  # ... in each instance by itself ...
    one.streams.restart(5)
    assert draw() == first  # ... and begins again with the episode.
    one.streams.restart(6)
    assert (draw() == first) == (kind in CLOCKS)


def test_what_is_seeded_is_the_real_generator() -> None:
    import random

    text = """
import copy, numpy as np
one = random.Random(7)
one.random()
twin = copy.deepcopy(one)
random.seed(9)
told = [twin.random() == one.random(), twin is not one, random.Random('a').random(), random.random(),
        int(np.random.default_rng(3).integers(10**9)), isinstance(one, random.Random)]
"""
    real = random.Random(9).random()
    same, apart, text_seeded, drawn, _, kind = told(text, space())
    assert (same, apart, text_seeded, drawn, kind) == (True, True, random.Random("a").random(), real, True)
    with pytest.raises(TypeError):
        run("random.Random(7).x = random.nothing = 1", space())


def test_the_clock_moves_when_it_is_read_or_slept() -> None:
    text = """
import time, datetime
a = time.time()
time.sleep(100)
time.sleep(-5)
b = time.time()
told = [a, b - a, datetime.datetime.now().year, isinstance(datetime.datetime.now() + datetime.timedelta(1),
        datetime.datetime), datetime.date.today() - datetime.date(2026, 1, 1), type(datetime.datetime.min) is
        datetime.datetime, datetime.datetime.max.now().year, time.gmtime(0).tm_year, time.timezone]
"""
    start, slept, year, known, days, own, later, epoch, zone = told(text, space())
    assert start == pytest.approx(EPOCH, abs=1) and slept == pytest.approx(100, abs=0.1)
    assert (year, known, days.days, own, later, epoch, zone) == (2026, True, 0, True, 2026, 1970, 0)


def test_printing_is_counted_and_limited_only_while_loading() -> None:
    streams = Streams(output_limit=10)
    streams.print("x" * 8, end="")
    with pytest.raises(OutputLimit):
        streams.print("yyy")
    streams.restart(1)
    streams.print("1234", "6789", sep="5", end="")
    streams.strict_output = False
    streams.print("z" * 100)
    assert streams.write("abc") == 3
    got: list[str] = []
    streams.print(1, 2, sep=None, end=None, file=types.SimpleNamespace(write=got.append))
    assert got == ["1 2\n"]


def test_identities_are_small_numbers_that_stay() -> None:
    streams = Streams(1)
    kept = [object() for _ in range(5000)]
    assert [streams.identity(one) for one in kept[:3]] == [1, 2, 3] == [streams.identity(one) for one in kept[:3]]
    assert {streams.identity(one) for one in kept} == set(range(1, 5001))
    streams.restart(1)
    assert streams.identity(kept[9]) == 10


# -- gymnasium and numpy ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gym", "gymnasium"])
def test_the_gym_facade_is_a_base_class_and_declarations(name: str) -> None:
    text = f"""
import {name} as gym
from {name} import Env, spaces
from {name}.spaces import Dict, Text
from {name}.envs.registration import register
register('x', entry_point='y')
class My(gym.Env[str, int]):
    action_space = spaces.Box(low=0, high=1, shape=(2,))
    def __init__(self): self.observation_space = Dict(a=Text(9))
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return str(self.np_random.integers(10**9)), {{}}
one, two = My(), My()
told = [one.reset(seed=4) == two.reset(seed=4) != one.reset(seed=5), one.unwrapped is one, one.render(), one.close(),
        'anything' in one.action_space, one.action_space.high, isinstance(one, Env)]
"""
    at = space()
    assert told(text, at) == [True, True, None, None, True, 1, True]
    with pytest.raises(NotImplementedError, match="declarations"):
        run("one.action_space.sample()", at)
    with pytest.raises(NotImplementedError, match="step"):
        run("one.step(1)", at)


@pytest.mark.parametrize("name", FILES)
def test_numpy_has_no_files(name: str) -> None:
    assert not hasattr(space().load("numpy"), name)


@pytest.mark.parametrize("name", ["tofile", "dump", "dumps", "ctypes"])
def test_arrays_have_no_files(name: str) -> None:
    with pytest.raises(AttributeError, match="no files"):
        run(f"np.arange(3).{name}", space())
    with pytest.raises(AttributeError, match="no files"):
        run(f"getattr(np.float64(3), '{name}')", space())


def test_numpy_computes() -> None:
    text = (
        "a = np.arange(6).reshape(2, 3)\na[0, 1] += 5\na.shape = (3, 2)\ntold = [int(a.sum()), np.linalg.norm([3, 4])]"
    )
    assert told(text, space()) == [20, 5.0]
    assert not [name for name in vars(space().load("numpy")) if name.startswith("_") and not name.startswith("__")]


def test_numpy_missing_is_an_import_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numpy_facade, "available", lambda: False)
    with pytest.raises(ImportError, match="numpy is not available"):
        facades.build("numpy", Streams(1))
