"""Tool calls made from schemas: they fit, and no schema, however odd, is an error."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from spade_envs.schema_calls import MOST_SEEN, Seen, call, calls_of, draw, functions, parameters, random_call

SEEDS = range(200)


def seen(*texts: str) -> Seen:
    noted = Seen()
    for text in texts:
        noted.add(text)
    return noted


def drawn(spec: object, *texts: str) -> list[Any]:
    """Values for one argument, one per seed."""
    return [draw(spec, seen(*texts), random.Random(seed)) for seed in SEEDS]


def tool(name: Any = "f", **schema: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object", **schema}}}


# -- calls as text ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [{}, {"a": 1, "b": [None, True, {"c": 0.5}]}, {"\u00e9": '"\\\n', "x": "</answer>"}]
)
def test_a_call_is_read_again(arguments: dict[str, Any]) -> None:
    text = call("look", arguments)
    assert calls_of(f"So: {text}!") == [{"name": "look", "arguments": arguments}]
    assert "\\u" not in text


@pytest.mark.parametrize(
    ("action", "names"),
    [
        (call("a", {}) + "\n" + call("b", {}), ["a", "b"]),
        ('<tool_call>\n{"name": "a",\n "arguments": {}}\n</tool_call>', ["a"]),
        ("<tool_call>no JSON</tool_call>" + call("b", {}), ["b"]),
        ("<tool_call></tool_call>", []),
        ("<tool_call>[1]</tool_call><tool_call>null</tool_call>", []),
        (call(None, {}) + call(7, {}) + call(["a"], {}), []),
        ('<tool_call>{"arguments": {}}</tool_call>', []),
        (f"<tool_call>{'[' * 100_000}</tool_call>" + call("b", {}), ["b"]),
        (f'<tool_call>{{"name": "a", "arguments": {"9" * 9999}}}</tool_call>', []),
        ('<tool_call>{"name": "open"', []),
        ("\\boxed{1}", []),
        ("", []),
    ],
)
def test_unreadable_calls_are_left_out(action: str, names: list[str]) -> None:
    assert [found["name"] for found in calls_of(action)] == names


@pytest.mark.parametrize("arguments", ["[1]", '"x"', "null", "3"])
def test_arguments_that_are_no_object_are_none(arguments: str) -> None:
    assert calls_of(f'<tool_call>{{"name": "a", "arguments": {arguments}}}</tool_call>')[0]["arguments"] == {}


# -- what was seen ---------------------------------------------------------------------------------------------


def test_ids_come_before_words_and_the_latest_first() -> None:
    noted = seen("Order ORD-17 of 3.50 for Ann", "Now ORD-18, -2 left")
    assert noted.texts[:2] == ["ORD-18", "Now"] and noted.texts.index("ORD-17") < noted.texts.index("Ann")
    assert noted.ids == ["ORD-18", "ORD-17"]
    assert len(noted.texts) == len(set(noted.texts)) and noted.numbers == [-18.0, -2.0, -17.0, 3.5]


def test_what_is_seen_is_bounded_and_kept_once() -> None:
    noted = seen(*(" ".join(f"w{i % 7}x{i} {i}" for i in range(at, at + 200)) for at in range(0, 999, 99)))
    assert len(noted.texts) == len(noted.ids) == 3 * MOST_SEEN and len(noted.numbers) == MOST_SEEN
    again = seen("one two 3", "one two 3")
    assert again.texts == ["one", "two"] and again.numbers == [3.0]
    assert seen("", "\u5317\u4eac \U0001f600", "\ud800").texts == []


# -- reading schemas -------------------------------------------------------------------------------------------


def test_functions_of_schemas() -> None:
    good = tool("a")
    odd = [None, 7, "f", [], {}, {"function": None}, {"function": {}}, tool(None), tool(3), {"name": "flat"}]
    assert functions([*odd, good, tool("b")]) == [good["function"], tool("b")["function"]]
    assert functions((good,)) == [good["function"]]
    for nothing in (None, {}, "tools", 3, {"function": {"name": "f"}}):
        assert functions(nothing) == []


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ({"parameters": {"properties": {"a": {}}, "required": ["a", 3, None, "b"]}}, ({"a": {}}, ["a", "b"])),
        ({"parameters": {"properties": {"a": 1}, "required": "a"}}, ({"a": 1}, [])),
        ({"parameters": {"properties": ["a"], "required": ["a"]}}, ({}, ["a"])),
        ({"parameters": []}, ({}, [])),
        ({"parameters": None}, ({}, [])),
        ({}, ({}, [])),
    ],
)
def test_parameters(function: dict[str, Any], expected: tuple[dict[str, Any], list[str]]) -> None:
    assert parameters(function) == expected


# -- values ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "texts", "fits"),
    [
        ({"enum": ["low", 2, None]}, [], lambda v: v in ["low", 2, None]),
        ({"enum": [5], "type": "string"}, ["word"], lambda v: v == 5),
        ({"type": "boolean"}, [], lambda v: type(v) is bool),
        ({"type": "integer"}, ["7.5 9"], lambda v: type(v) is int and 0 <= v <= 10),
        ({"type": "integer", "minimum": 3, "maximum": 5}, ["1 4 900"], lambda v: type(v) is int and 3 <= v <= 5),
        ({"type": "integer", "minimum": 50}, [], lambda v: v == 50),
        ({"type": "number", "maximum": -1.5}, ["8"], lambda v: v == -1.5),
        ({"type": "number"}, ["2.25"], lambda v: v == 2.25 or type(v) is int),
        ({"type": ["integer", "null"]}, [], lambda v: type(v) is int),
        ({"type": "string"}, ["ORD-1 red"], lambda v: v in ("ORD-1", "red", "x")),
        ({"type": "string"}, [], lambda v: v == "x"),
        (
            {"type": "array", "items": {"type": "integer", "maximum": 2}},
            [],
            lambda v: 1 <= len(v) <= 3 and all(type(n) is int and n <= 2 for n in v),
        ),
        ({"type": "array"}, [], lambda v: set(v) == {"x"}),
        (
            {"type": "object", "properties": {"a": {"enum": [1]}, "b": {"type": "array", "items": {"enum": ["z"]}}}},
            [],
            lambda v: list(v) == ["a", "b"] and v["a"] == 1 and set(v["b"]) == {"z"},
        ),
        ({"type": "object"}, [], lambda v: v == {}),
    ],
)
def test_values_fit_their_schema(spec: object, texts: list[str], fits: Callable[[Any], bool]) -> None:
    values = drawn(spec, *texts)
    assert all(fits(value) for value in values), values


@pytest.mark.parametrize(
    ("spec", "texts", "expected"),
    [
        ({"enum": ["a", "b", 3]}, [], {"a", "b", 3}),
        ({"type": "boolean"}, [], {True, False}),
        ({"type": "integer"}, [], set(range(11))),
        ({"type": "integer"}, ["444 x"], {444, *range(11)}),
        ({"type": "integer", "minimum": 3, "maximum": 5}, [], {3, 4, 5}),
        ({"type": "integer", "minimum": True, "maximum": False}, [], set(range(11))),
        ({"type": "string"}, ["red ORD-1"], {"red", "ORD-1", "x"}),
    ],
)
def test_every_value_comes_up(spec: object, texts: list[str], expected: set[Any]) -> None:
    assert set(drawn(spec, *texts)) == expected


def test_ids_are_drawn_more_than_words() -> None:
    """They are what most arguments are, and few among many words."""
    values = drawn({"type": "string"}, "ORD-17 " + " ".join(f"word{'abcdefghijklmnop'[i]}" for i in range(16)))
    assert 0.3 < values.count("ORD-17") / len(values) < 0.8


@pytest.mark.parametrize(
    "spec",
    [
        None,
        7,
        [],
        "string",
        {"type": None},
        {"type": []},
        {"type": {"a": 1}},
        {"type": [["x"]]},
        {"type": "no such type"},
        {"enum": []},
        {"enum": "abc"},
        {"enum": {"a": 1}},
        {"type": "integer", "minimum": "low", "maximum": [2]},
        {"type": "integer", "minimum": {}, "maximum": "high"},
        {"type": "integer", "minimum": True, "maximum": None},
        {"type": "number", "minimum": 9, "maximum": 1},
        {"type": "array", "items": 7},
        {"type": "array", "items": [{"type": "integer"}]},
        {"type": "object", "properties": ["a"]},
        {"type": "object", "properties": {"a": None, "b": 3}},
    ],
)
def test_malformed_schemas_do_not_raise(spec: Any) -> None:
    for value in (*drawn(spec), *drawn(spec, "word 7")):
        assert json.loads(json.dumps(value)) == value
    function = {"name": "f", "parameters": {"properties": {"a": spec}, "required": ["a", "gone"]}}
    (read,) = calls_of(random_call(function, seen("word 7"), random.Random(3)))
    assert list(read["arguments"]) == ["a"]


def test_schemas_within_themselves_end() -> None:
    endless: dict[str, Any] = {"type": "object", "properties": {}}
    endless["properties"] = {"down": endless, "side": {"type": "array", "items": endless}}
    value = draw(endless, Seen(), random.Random(1))
    assert value["down"]["down"]["down"] == "x" and value["side"][0]["down"] == "x"


# -- whole calls -----------------------------------------------------------------------------------------------

ORDER = tool("order", properties={"n": {"type": "integer"}, "what": {"type": "string"}}, required=["n"])["function"]


def test_required_arguments_are_always_there_and_others_sometimes() -> None:
    made = [calls_of(random_call(ORDER, seen("a lamp"), random.Random(seed)))[0] for seed in SEEDS]
    assert {one["name"] for one in made} == {"order"}
    assert {tuple(one["arguments"]) for one in made} == {("n",), ("n", "what")}


def test_the_random_state_decides_alone() -> None:
    texts = [random_call(ORDER, seen("a lamp 3"), random.Random(5)) for _ in range(3)]
    assert len(set(texts)) == 1
    assert len({random_call(ORDER, seen("a lamp 3"), random.Random(seed)) for seed in SEEDS}) > 10


@pytest.mark.parametrize("schema", [None, [], 3, {"properties": 7}, {"required": ["a"]}, {"properties": {}}])
def test_a_function_without_parameters_is_called_with_none(schema: Any) -> None:
    assert random_call({"name": "f", "parameters": schema}, Seen(), random.Random(0)) == call("f", {})
