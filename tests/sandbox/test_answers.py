"""What a worker makes of an environment's returns, and what the host makes of a worker's answers."""

from __future__ import annotations

import decimal
import enum
import fractions
import itertools
import math
from collections import UserDict, namedtuple
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

from spade_envs.contract import REPAIRS
from spade_envs.sandbox.answers import DEEPEST_INFO, LARGEST_INFO_NODES, LARGEST_PLAIN, Broke, Cleaner, ordinary
from spade_envs.sandbox.boxed import BoxedEnv
from spade_envs.sandbox.checked import read_ordinary, read_reset, read_solution, read_step, read_turn
from spade_envs.types import Fault, FaultKind


class Odd(str):
    def __str__(self) -> str:
        raise KeyError


class OddFloat(float):
    def __float__(self) -> float:
        return 7.0


class Number(enum.IntEnum):
    ONE = 1


Pair = namedtuple("Pair", "observation info")
LIMIT = 100
CUT = {"TimeLimit.truncated": True}


def clean(part: str, value: Any) -> tuple[Any, set[str]]:
    """What the cleaner makes of a value, and what it says it mended."""
    cleaner = Cleaner(LIMIT)
    return getattr(cleaner, part)(value), cleaner.repairs


# -- in the worker ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "value", "wanted", "repairs"),
    [
        ("reset", ("go", {}), ("go", {}), set()),
        ("reset", "go", ("go", {}), {"bare_reset"}),
        ("reset", ["go", {"a": 1}], ("go", {"a": 1}), {"list_result"}),
        ("reset", Pair("go", {}), ("go", {}), {"tuple_subclass"}),
        ("step", ("o", 0.5, False, True, {}), ("o", 0.5, False, True, {}), set()),
        ("step", ("o", 1.0, True, True, {}), ("o", 1.0, True, False, {}), {"both_flags"}),
        ("step", ("o", 1, True, {}), ("o", 1.0, True, False, {}), {"four_tuple", "integer_reward"}),
        ("step", ("o", 0.0, True, CUT), ("o", 0.0, False, True, CUT), {"four_tuple"}),
        ("step", ("o", 0.0, False, CUT), ("o", 0.0, False, False, CUT), {"four_tuple"}),
        ("text", "x" * LIMIT, "x" * LIMIT, set()),
        ("text", "é" * (LIMIT // 2), "é" * (LIMIT // 2), set()),
        ("text", Odd("fine"), "fine", {"str_subclass"}),
        ("text", numpy.str_("fine"), "fine", {"str_subclass"}),
        ("reward", -1.0, -1.0, set()),
        ("reward", 1.0 + 1e-12, 1.0, set()),
        ("reward", numpy.float32(0.5), 0.5, {"numpy_scalar"}),
        ("reward", numpy.array(0.25), 0.25, {"numpy_scalar"}),
        ("reward", numpy.array([0.25]), 0.25, {"numpy_scalar"}),
        ("reward", numpy.int64(1), 1.0, {"numpy_scalar"}),
        ("reward", numpy.float64(0.5), 0.5, {"numpy_scalar"}),
        ("reward", decimal.Decimal("0.5"), 0.5, {"number_subclass"}),
        ("reward", fractions.Fraction(1, 4), 0.25, {"number_subclass"}),
        ("reward", OddFloat(0.5), 0.5, {"number_subclass"}),
        ("reward", Number.ONE, 1.0, {"number_subclass"}),
        ("info", {"a": [1, None, (2.5, True)]}, {"a": [1, None, [2.5, True]]}, set()),
        ("info", {1: "x", 2.5: "y", False: "z"}, {"1": "x", "2.5": "y", "False": "z"}, set()),
        ("info", {"n": numpy.int64(3), "t": Odd("x")}, {"n": 3, "t": "x"}, set()),
        ("info", {"a": math.nan, "b": math.inf, "c": 1}, {"c": 1}, {"info_dropped"}),
        ("info", {"a": 2**63, "b": -(2**63), "c": 2**63 - 1}, {"b": -(2**63), "c": 2**63 - 1}, {"info_dropped"}),
        ("info", {"a": object(), "b": {1, 2}, "c": "\ud800", (1, 2): 3, "d": b"x"}, {}, {"info_dropped"}),
        ("info", {"a": "x" * 8193, "b" * 257: 1, "\ud800": 1, "c": "x" * 8192}, {"c": "x" * 8192}, {"info_dropped"}),
        ("json", [1, {"a": 2}], [1, {"a": 2}], set()),
        ("json", object(), None, {"info_dropped"}),
    ],
)  # fmt: skip
def test_what_is_clear_is_kept_or_mended(part: str, value: Any, wanted: Any, repairs: set[str]) -> None:
    found, mended = clean(part, value)
    assert (found, mended) == (wanted, repairs) and type(found) is type(wanted)
    assert repr(found) == repr(wanted) and mended <= set(REPAIRS)


@pytest.mark.parametrize("value", [True, False, numpy.bool_(True), numpy.bool_(False)])
def test_flags(value: Any) -> None:
    found = Cleaner(LIMIT).flag("terminated", value)
    assert type(found) is bool and found == bool(value)


@pytest.mark.parametrize(
    ("part", "value", "field", "says"),
    [
        ("reset", None, "reset", "not None"),
        ("reset", ("go",), "reset", "a tuple of 1"),
        ("reset", ("go", {}, 1), "reset", "a tuple of 3"),
        ("reset", ("go", None), "info", "not None"),
        ("reset", (7, {}), "observation", "not int"),
        ("step", ("o", 0.0, False), "step", "a tuple of 3"),
        ("step", "text", "step", "not str"),
        ("step", ("o", 0.0, False, False, {}, 1), "step", "a tuple of 6"),
        ("step", ("o", 0.0, 0, False, {}), "flags", "terminated must be a bool, not int"),
        ("step", ("o", 0.0, False, None, {}), "flags", "truncated must be a bool, not None"),
        ("step", ("o", 0.0, numpy.int64(1), False, {}), "flags", "not int64"),
        ("step", ("o", 0.0, False, False, UserDict()), "info", "not UserDict"),
        ("text", "x" * (LIMIT + 1), "observation", "characters"),
        ("text", "é" * (LIMIT // 2 + 1), "observation", "102 bytes"),
        ("text", "a\ud800", "observation", "lone surrogates"),
        ("text", b"x", "observation", "not bytes"),
        ("reward", math.nan, "reward", "finite"),
        ("reward", -math.inf, "reward", "finite"),
        ("reward", numpy.float64("nan"), "reward", "finite"),
        ("reward", 10**400, "reward", "finite"),
        ("reward", decimal.Decimal("sNaN"), "reward", "finite"),
        ("reward", 1.001, "reward", "[-1, 1]"),
        ("reward", -2, "reward", "[-1, 1]"),
        ("reward", True, "reward", "not bool"),
        ("reward", numpy.bool_(True), "reward", "not bool"),
        ("reward", None, "reward", "not None"),
        ("reward", "1", "reward", "not str"),
        ("reward", 1j, "reward", "not complex"),
        ("reward", numpy.array([0.5, 0.5]), "reward", "not ndarray"),
    ],
)
def test_what_is_not_breaks(part: str, value: Any, field: str, says: str) -> None:
    with pytest.raises(Broke) as caught:
        clean(part, value)
    assert caught.value.field == field and says in str(caught.value)


TURNS: dict[str, list[Any]] = {
    "observation": ["", "o", "x" * LIMIT, "x" * (LIMIT + 1), "é" * LIMIT, "é", "\ud800", Odd("o"), 7, None],
    "reward": [0.0, -1.0, 1.0, 1.0 + 1e-12, math.inf, math.nan, 2.0, 1, True, OddFloat(0.5), numpy.float64(0.5), None],
    "terminated": [False, True, 0, numpy.False_],
    "truncated": [False, True, None, numpy.False_],
    "info": [
        {},
        {"a": 1, "b": "x", "c": None, "d": 2.5, "e": False},
        {"a": math.nan},
        {"a": 2**70},
        {"a": "\ud800"},
        {"é": "é"},
        {3: 1},
        {Odd("a"): 1},
        {"a": Odd("x")},
        {"a": [1]},
        {"a" * 257: 1},
        dict.fromkeys(map(str, range(LARGEST_PLAIN))),
        UserDict(),
        None,
    ],
}


def test_an_ordinary_turn_is_what_the_cleaner_leaves_as_it_is() -> None:
    good = {name: values[1] for name, values in TURNS.items()} | {"terminated": False, "truncated": False}
    for name, values in TURNS.items():
        for value, *flags in itertools.product(values, (False, True), (False, True)):
            result = tuple((good | dict(zip(("terminated", "truncated"), flags, strict=True)) | {name: value}).values())
            found, cleaner = ordinary(result, LIMIT), Cleaner(LIMIT)
            try:
                cleaned: Any = cleaner.step(result)
            except Broke:
                cleaned = None
            if found is None:
                assert cleaned is None or cleaner.repairs or name in ("reward", "info")
                continue
            assert cleaner.repairs <= {"both_flags"} and cleaned is not None
            if any(cleaned[2:4]):
                assert found == [*cleaned, sorted(cleaner.repairs)] and found[4] is not result[4]
            else:
                assert found == [*cleaned[:2], cleaned[4]]
                assert found[2] is not result[4], "the environment may change its own later"
    assert ordinary(list(good.values()), LIMIT) is None and ordinary(("o", 0.0, False, {}), LIMIT) is None
    assert all(ordinary(tuple((good | {"info": info}).values()), LIMIT) for info in TURNS["info"][:2])


def test_infos_are_bounded_in_depth_and_size() -> None:
    deep: Any = 1
    for _ in range(DEEPEST_INFO):
        deep = {"a": deep}
    assert clean("info", deep) == (deep, set())
    cut, repairs = clean("info", {"a": deep})
    assert repairs == {"info_dropped"} and cut != {"a": deep}
    cyclic: dict[str, Any] = {}
    cyclic["self"] = [cyclic]
    assert clean("info", cyclic)[1] == {"info_dropped"}
    wide, repairs = clean("info", {"a": [0] * (LARGEST_INFO_NODES + 5)})
    assert len(wide["a"]) < LARGEST_INFO_NODES and repairs == {"info_dropped"}


# -- at the host -----------------------------------------------------------------------------------------------

RESET = {"observation": "o", "info": {}, "tools": [], "tool_base": False, "max_turns": None, "repairs": []}
STEP = {"observation": "o", "reward": 0.5, "terminated": False, "truncated": False, "info": {}, "repairs": []}
TEXT = {"kind": "text", "text": "t", "expected": None}
LIST = {"kind": "list", "actions": ["a"]}


def nested(levels: int) -> Any:
    return {"a": nested(levels - 1)} if levels else 1


SHAPES: dict[str, list[Any]] = {
    "observation": [None, 7, b"x", ["o"], "\ud800", "x" * (2**20 + 1)],
    "info": [None, [], "x", {"a": math.nan}, {"a": [math.inf]}, {"a": "\ud800"}, {"\ud800": 1}, nested(200)],
    "repairs": [None, "four_tuple", ["nonsense"], ["turns_cut"], [7], ["list_result"] * 5000],
    "max_turns": [0, -1, 100_000, True, 3.0, "3"],
    "tools": [None, {}, [1], [{"a": math.nan}]],
    "tool_base": [None, 0, 1, "no"],
    "reward": [None, True, "1", 1.5, -1.01, math.nan, math.inf, 10**400, [0.5]],
    "terminated": [None, 0, 1, "no"],
    "truncated": [None, 0, 1],
}


@pytest.mark.parametrize(
    ("read", "good"), [(read_reset, RESET), (read_step, STEP), (read_solution, TEXT), (read_solution, LIST)]
)
def test_an_answer_without_a_part_is_a_lie(read: Any, good: dict[str, Any]) -> None:
    read(good)
    for key in good:
        with pytest.raises((KeyError, ValueError)):
            read({name: value for name, value in good.items() if name != key})
    for other in (None, 7, "text", [], [good]):
        with pytest.raises((KeyError, ValueError, TypeError)):
            read(other)


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in SHAPES.items() for value in values])
def test_a_part_of_a_wrong_shape_is_a_lie(key: str, value: Any) -> None:
    for read, good in ((read_reset, RESET), (read_step, STEP)):
        if key in good:
            with pytest.raises((ValueError, TypeError)):
                read({**good, key: value})


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in SHAPES.items() for value in values])
def test_an_ordinary_turn_of_a_wrong_shape_is_a_lie(key: str, value: Any) -> None:
    good = {name: STEP[name] for name in ("observation", "reward", "info")}
    assert read_ordinary(list(good.values())) == read_turn(list(good.values())) == read_step(STEP)
    if key in good:
        values = list({**good, key: value}.values())
        assert read_ordinary(values) is None
        with pytest.raises((ValueError, TypeError)):
            read_turn(values)


@pytest.mark.parametrize("info", [{"é": 1}, {"a": "é"}, {"a": [1]}, dict.fromkeys(map(str, range(100)))])
def test_what_is_not_simple_is_read_with_more_care(info: Any) -> None:
    assert read_ordinary(["o", 0.5, info]) is None
    assert read_turn(["o", 0.5, info]) == read_step({**STEP, "observation": "o", "reward": 0.5, "info": info})
    assert read_ordinary(["é", 1, {}]) is None and read_turn(["é", 1, {}])[:2] == ("é", 1.0)


def test_what_contradicts_itself_is_a_lie() -> None:
    with pytest.raises(ValueError):
        read_step({**STEP, "terminated": True, "truncated": True})
    with pytest.raises(ValueError):
        read_solution({"kind": "search"})
    with pytest.raises(ValueError):
        read_solution({**LIST, "actions": ["a", 7]})


def test_a_lie_ends_the_worker() -> None:
    ended: list[Fault] = []
    box = BoxedEnv(SimpleNamespace(kill=ended.append, drop=lambda number: None), 1)  # type: ignore[arg-type]
    fault = box.read({**STEP, "reward": 7}, "step", read_step)
    assert isinstance(fault, Fault) and (fault.kind, fault.phase) == (FaultKind.LIED, "step") and ended == [fault]
    assert box.read(STEP, "step", read_step) == read_step(STEP) and ended == [fault]


def test_what_fits_is_read() -> None:
    assert read_step({**STEP, "reward": 1}).reward == 1.0 and type(read_step({**STEP, "reward": 1}).reward) is float
    assert read_reset({**RESET, "max_turns": 99_999, "tools": [{"a": 1}]}).tools == ({"a": 1},)
    assert read_reset({**RESET, "repairs": ["bare_reset"]}).repairs == ("bare_reset",)
    assert (read_solution(TEXT).text, read_solution(LIST).actions) == ("t", ("a",))
    assert read_solution({"kind": "none"}).kind == "none"
