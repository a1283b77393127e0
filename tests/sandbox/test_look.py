"""A look into an instance: what it tells of state, criteria and tools, and that it changes nothing."""

from __future__ import annotations

import copy
import dataclasses
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from language import compiled

from spade_envs.sandbox.boxed import BoxedEnv
from spade_envs.sandbox.checked import Look, ResetAnswer, ToolParameters, read_look
from spade_envs.sandbox.host import BoxOptions
from spade_envs.sandbox.instance import Instance
from spade_envs.sandbox.look import MOST_CRITERIA, MOST_SCALARS, MOST_TOOLS, look
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource, Fault, FaultKind, Limits

pytestmark = pytest.mark.usefixtures("worker_side")
STEP = "def step(self, action):\n    return 'ok', 0.0, False, False, {}\n"


def text_of(reset: str, more: str = "", head: str = "class TryEnv(ToolUseBaseEnv):") -> str:
    body = f"def reset(self, seed=None):\n{textwrap.indent(reset, '    ')}\n    return 'go', {{}}\n{more}\n"
    return f"{head}\n{textwrap.indent(body, '    ')}"


def made(reset: str, more: str = "", head: str = "class TryEnv(ToolUseBaseEnv):") -> Instance:
    """An instance, reset, of a class with these bodies."""
    code, problems = compiled(text_of(reset, more, head))
    assert code is not None, problems
    instance = Instance(code, {"output_bytes": 1000, "observation_bytes": 10_000, "language": True})
    instance.reset(3)
    return instance


# -- state -----------------------------------------------------------------------------------------------------


def test_scalars_are_found_deep_inside() -> None:
    instance = made(
        "self.secret = 'ORD-1'\nself.deep = [{'a': ({'b': [4.5, 'five']},)}]\nself.thing = Thing()\nself.no = None",
        head="class Thing:\n    def __init__(self): self.inner = {'key': 77}\n\nclass TryEnv(ToolUseBaseEnv):",
    )
    scalars = look(instance)["scalars"]
    assert {"ORD-1", "a", "b", "4.5", "five", "key", "77", "secret"} <= set(scalars)
    assert all(type(text) is str for text in scalars) and len(scalars) == len(set(scalars))
    assert not {"None", "go"} & set(scalars)


def test_scalars_are_bounded_and_can_be_sent() -> None:
    scalars = look(made("self.many = [[i * 60 + j for j in range(60)] for i in range(60)]"))["scalars"]
    assert len(scalars) == MOST_SCALARS
    scalars = look(made("self.odd = ['\\ud800', 'x' * 61, 10 ** 60, 10 ** 200, 10 ** 5000]"))["scalars"]
    assert "?" in scalars and "x" * 61 not in scalars
    assert f"1{'0' * 60}" in scalars and not any(len(text) > 100 for text in scalars)
    "".join(scalars).encode("utf-8")


def digest(state: str) -> str:
    found: str = look(made(f"self._state = {state}"))["digest"]
    return found


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ("{'a': [1, {'b': None}]}", "dict(a=[1, dict(b=None)])"),
        ("{'x', 'y', 'zed'}", "set(reversed(['x', 'y', 'zed']))"),
        ("{8, 0}", "{0, 8}"),
        ("{'s': frozenset([8, 0])}", "{'s': frozenset([0, 8])}"),
        ("{}", "dict()"),
        ("[0.1 + 0.2]", "[0.30000000000000004]"),
    ],
)
def test_equal_states_have_one_digest(one: str, same: str) -> None:
    assert digest(one) == digest(same)


def test_other_states_have_others() -> None:
    states = ["None", "{}", "[]", "{'a': 1}", "{'a': 2}", "{'b': 1}", "{'a': '1'}", "{'a': 1, 'b': 1}", "{'a': [1]}",
              "{'a': [1, 2]}", "{'a': [2, 1]}", "{'a': {'b': {'c': {'d': 1}}}}", "{'a': {'b': {'c': {'d': 2}}}}",
              "{'a': {1, 2}}", "{'a': {1, 3}}", "'a'", "{'a': True}", "{'a': '[1]'}", "['a', 'b']", "['a, b']",
              "{'a': [(1, 'x')]}", "{'a': [(1, 'y')]}"]  # fmt: skip
    assert len({digest(state) for state in states}) == len(states)


def test_the_digest_follows_the_state_of_own_objects() -> None:
    instance = made(
        "self._state = {'door': Door()}",
        head="class Door:\n    def __init__(self): self.open = False\n\nclass TryEnv(ToolUseBaseEnv):",
    )
    before = look(instance)["digest"]
    assert look(instance)["digest"] == before
    instance.env._state["door"].open = True
    assert look(instance)["digest"] != before


def test_a_state_that_never_ends_is_cut() -> None:
    instance = made("self._state = {}\nself._state['me'] = [self._state]\nself.env = self")
    assert len(look(instance)["digest"]) == 64 and "me" in look(instance)["scalars"]


@pytest.mark.parametrize(
    ("value", "pointer"), [("0", 0), ("3", 3), ("-1", None), ("10_000", None), ("'1'", None), ("True", None)]
)
def test_the_pointer_is_a_small_number_or_nothing(value: str, pointer: int | None) -> None:
    assert look(made(f"self._current_msg = {value}"))["pointer"] == pointer


def test_an_environment_of_another_kind_has_neither_criteria_nor_tools() -> None:
    found = look(made("self.n = 5\nself._tools = {'f': {}}", STEP, head="class TryEnv:"))
    assert (found["criteria"], found["tools"], found["pointer"]) == ([], {}, None) and "5" in found["scalars"]


# -- criteria --------------------------------------------------------------------------------------------------

MORE = """
def method(self, state):
    return state['n'] == 1
def bare(self):
    return self._state['n'] == 1
def two(self, state, other):
    return True
@staticmethod
def fixed(state):
    return state['n'] == 1
def maker(self, wanted):
    def met(state):
        return state['n'] == wanted
    return met
"""
HEAD = "class Asker:\n    def __call__(self, state): return state['n'] == 1\n\nclass TryEnv(ToolUseBaseEnv):"


@pytest.mark.parametrize(
    ("criterion", "answer"),
    [
        ("lambda state: state['n'] == 1", "true"),
        ("lambda state: state['n'] == 2", "false"),
        ("lambda state: state.get('gone')", "false"),
        ("lambda state: [0]", "true"),
        ("lambda state: state['gone']", "raises KeyError: 'gone'"),
        ("lambda state: 1 / 0", "raises ZeroDivisionError: division by zero"),
        ("lambda state, wanted=1: state['n'] == wanted", "true"),
        ("lambda state, wanted=2: state['n'] == wanted", "false"),
        ("lambda state={}: state['n'] == 1", "true"),
        ("lambda: True", "true"),
        ("lambda: False", "false"),
        ("lambda state, other: True", "unknown"),
        ("self.method", "true"),
        ("self.bare", "true"),
        ("self.two", "unknown"),
        ("self.fixed", "true"),
        ("self.maker(1)", "true"),
        ("self.maker(2)", "false"),
        ("Asker()", "true"),
        ("functools.partial(self.two, other=1)", "true"),
        ("functools.partial(lambda wanted, state: state['n'] == wanted, 2)", "false"),
        ("bool", "true"),
        ("'n == 1'", "unknown"),
        ("None", "unknown"),
    ],
)
def test_criteria_answer(criterion: str, answer: str) -> None:
    reset = f"self._state = {{'n': 1}}\nself._message_criteria = [{criterion}]"
    assert look(made(reset, MORE, "import functools\n" + HEAD))["criteria"] == [answer]


def test_every_criterion_is_asked_in_order_up_to_a_limit() -> None:
    reset = "self._state = {'n': 1}\nself._message_criteria = [(lambda s, k=k: s['n'] == k) for k in range(COUNT)]"
    assert look(made(reset.replace("COUNT", "3")))["criteria"] == ["false", "true", "false"]
    assert len(look(made(reset.replace("COUNT", "99")))["criteria"]) == MOST_CRITERIA
    assert look(made("self._message_criteria = (lambda s: True,)"))["criteria"] == ["true"]
    assert look(made("self._message_criteria = 'abc'"))["criteria"] == []


def test_long_and_strange_complaints_can_be_sent() -> None:
    reset = "def raiser(state):\n    raise ValueError('\\ud800' + 'x' * 999)\nself._message_criteria = [raiser]"
    (answer,) = look(made(reset))["criteria"]
    assert answer.startswith("raises ValueError: ?xxx") and len(answer) == 300


def test_an_answer_that_has_no_truth_is_an_error_of_the_criterion() -> None:
    head = "class Odd:\n    def __bool__(self): raise RuntimeError('neither')\n\nclass TryEnv(ToolUseBaseEnv):"
    assert look(made("self._message_criteria = [lambda s: Odd()]", head=head))["criteria"] == [
        "raises RuntimeError: neither"
    ]


def test_asking_does_not_change_the_state() -> None:
    instance = made(
        "self._state = {'log': [], 'n': {'deep': 1}}\nself.asked = 0\n"
        "self._message_criteria = [lambda s: s['log'].append(1) or len(s['log']) == 1, lambda s: s['n'].pop('deep')]"
    )
    before = copy.deepcopy(vars(instance.env)["_state"])
    first = look(instance)
    assert first["criteria"] == ["true", "true"]
    assert look(instance) == first and instance.env._state == before


def test_a_state_that_cannot_be_copied_is_asked_about_itself() -> None:
    reset = "self._state = {'n': 1, 'lines': (i for i in range(3))}\nself._message_criteria = [lambda s: s['n'] == 1]"
    assert look(made(reset))["criteria"] == ["true"]


# -- tools -----------------------------------------------------------------------------------------------------

TOOLS = """
def tool_plain(self, a, b):
    return 'x'
def tool_some(self, a, b=1, *, c, d=None):
    return 'x'
def tool_any(self, a, **rest):
    return 'x'
def tool_stars(self, *items):
    return 'x'
def tool_none(self):
    inner = 1
    return 'x'
@staticmethod
def tool_fixed(a, b=2):
    return 'x'
@classmethod
def tool_shared(cls, a):
    return 'x'
tool_value = 7
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("plain", {"names": ["a", "b"], "required": ["a", "b"], "any": False}),
        ("some", {"names": ["a", "b", "c", "d"], "required": ["a", "c"], "any": False}),
        ("any", {"names": ["a"], "required": ["a"], "any": True}),
        ("stars", {"names": [], "required": [], "any": False}),
        ("none", {"names": [], "required": [], "any": False}),
        ("fixed", {"names": ["a", "b"], "required": ["a"], "any": False}),
        ("shared", {"names": ["a"], "required": ["a"], "any": False}),
        ("value", None),
        ("gone", None),
    ],
)
def test_parameters_of_a_tool(name: str, expected: object) -> None:
    assert look(made(f"self._tools = {{{name!r}: {{}}}}", TOOLS))["tools"] == {name: expected}


def test_odd_tools() -> None:
    assert look(made("self._tools = {3: {}, None: {}, 'gone': {}}"))["tools"] == {"gone": None}
    assert look(made("self._tools = ['plain']", TOOLS + STEP + "def get_tools(self): return []"))["tools"] == {}
    assert len(look(made("self._tools = {f't{i}': {} for i in range(99)}"))["tools"]) == MOST_TOOLS
    instance = made("self._tools = {'made': {}}\nself.tool_made = lambda a, b=1: 'x'")
    assert look(instance)["tools"] == {"made": {"names": ["a", "b"], "required": ["a"], "any": False}}


# -- through the box -------------------------------------------------------------------------------------------

LIMITS = Limits(load_seconds=3.0, reset_seconds=1.0, step_seconds=0.5, grace_seconds=0.5)
DESK = text_of(
    "self._state = {'n': seed}\nself._current_msg, self._tools = 1, {'some': {}, 'any': {}, 'gone': {}}\n"
    "self._message_criteria = [lambda s: s['n'] == 3, lambda s: s['gone'], lambda a, b: True]",
    TOOLS,
)


@pytest.fixture
def spawn() -> Iterator[Callable[..., BoxedEnv]]:
    """Makes instances of texts in workers of their own, reset with seed 3."""
    pools: list[WorkerPool] = []

    def start(text: str, *, language: bool = True) -> BoxedEnv:
        pools.append(WorkerPool(LIMITS, BoxOptions(language=language)))
        box = pools[-1].spawn(EnvSource(text))
        assert isinstance(box, BoxedEnv), box
        assert isinstance(box.reset(3), ResetAnswer)
        return box

    yield start
    for pool in pools:
        pool.close()


def test_a_look_comes_through_the_box(spawn: Callable[..., BoxedEnv]) -> None:
    box = spawn(DESK)
    found = box.look()
    assert isinstance(found, Look), found
    assert found.criteria == ("true", "raises KeyError: 'gone'", "unknown") and found.pointer == 1
    assert found.tools == {
        "some": ToolParameters(("a", "b", "c", "d"), ("a", "c"), False),
        "any": ToolParameters(("a",), ("a",), True),
        "gone": None,
    }
    assert "3" in found.scalars and box.look() == found
    box.reset(4)
    other = box.look()
    assert isinstance(other, Look) and other.criteria[0] == "false" and other.digest != found.digest


def test_a_criterion_that_hangs_is_a_fault_and_the_worker_lives(spawn: Callable[..., BoxedEnv]) -> None:
    box = spawn(text_of("def endless(state):\n    while True: pass\nself._message_criteria = [endless]"))
    found = box.look()
    assert isinstance(found, Fault) and (found.kind, found.phase) == (FaultKind.HUNG, "look")
    assert isinstance(box.reset(3), ResetAnswer)


def test_a_worker_that_lies_about_a_look_is_ended(spawn: Callable[..., BoxedEnv]) -> None:
    lie = "import sys\nsys.modules['spade_box.look'].look = lambda instance: {'scalars': [7]}"
    box = spawn(text_of(lie, STEP, head="class TryEnv:"), language=False)
    found = box.look()
    assert isinstance(found, Fault) and found.kind is FaultKind.LIED and not box.alive


FINE: dict[str, Any] = {"scalars": ["a"], "digest": "d", "pointer": 0, "criteria": ["true"], "tools": {}}
NAMED = {"names": ["a"], "required": [], "any": False}


def test_the_right_shape_is_read() -> None:
    assert read_look(FINE) == Look(("a",), "d", 0, ("true",), {})
    read = read_look({**FINE, "pointer": None, "tools": {"f": NAMED, "g": None}})
    assert read == dataclasses.replace(
        read_look(FINE), pointer=None, tools={"f": ToolParameters(("a",), (), False), "g": None}
    )


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {},
        *({key: value for key, value in FINE.items() if key != gone} for gone in FINE),
        {**FINE, "scalars": "abc"},
        {**FINE, "scalars": [1]},
        {**FINE, "scalars": ["a"] * 5000},
        {**FINE, "scalars": ["\ud800"]},
        {**FINE, "digest": None},
        {**FINE, "digest": "x" * ((1 << 20) + 1)},
        {**FINE, "pointer": -1},
        {**FINE, "pointer": True},
        {**FINE, "pointer": "0"},
        {**FINE, "pointer": 1.0},
        {**FINE, "criteria": {"true": 1}},
        {**FINE, "criteria": [True]},
        {**FINE, "tools": []},
        {**FINE, "tools": {"f": []}},
        {**FINE, "tools": {"f": {}}},
        {**FINE, "tools": {3: None}},
        {**FINE, "tools": {"f": {**NAMED, "names": "a"}}},
        {**FINE, "tools": {"f": {**NAMED, "required": [None]}}},
        {**FINE, "tools": {"f": {**NAMED, "any": 1}}},
    ],
    ids=lambda answer: ascii(answer)[:40],
)
def test_another_shape_is_refused(answer: Any) -> None:
    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        read_look(answer)
