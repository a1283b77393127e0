"""What people type: replies as the contract reads them, and forms of tools."""

from __future__ import annotations

from typing import Any

import pytest

from spade_envs.schema_calls import calls_of
from spade_envs.typed_replies import MOST_ARGUMENTS, MOST_TOOLS, called, dressed, tools_in

SCHEMA = {
    "type": "object",
    "properties": {
        "day": {"type": "string", "enum": ["Monday", "Tuesday"], "description": "Which day."},
        "count": {"type": "integer"},
        "price": {"type": ["number", "null"]},
        "open": {"type": "boolean"},
        "names": {"type": "array"},
        "more": {"type": "object"},
        "any": {},
        "size": {"enum": [1, 2.5, True, None, "1"]},
    },
    "required": ["day"],
}


def offered(schema: object = SCHEMA, name: object = "sales") -> dict[str, Any]:
    return {"tools": [{"type": "function", "function": {"name": name, "description": "Sales.", "parameters": schema}}]}


def arguments(**given: str) -> dict[str, Any]:
    (tool,) = tools_in(offered())
    (call,) = calls_of(called(tool, {"day": "Monday", **given}))
    return dict(call["arguments"])


def test_a_tool_as_people_read_it() -> None:
    (tool,) = tools_in(offered())
    assert tool.signature == (
        "sales(day: Monday|Tuesday, count?: integer, price?: number, open?: boolean, names?: array, more?: object, "
        "any?, size?: 1|2.5|true|null|1)"
    )
    assert tool.about == "Sales." and tool.arguments[0].about == "Which day."


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("count", " 3 ", 3),
        ("count", "-3", -3),
        ("price", "2.5", 2.5),
        ("price", "2", 2),
        ("open", "true", True),
        ("names", '["a", 1]', ["a", 1]),
        ("more", '{"a": 1}', {"a": 1}),
        ("any", "plain words", "plain words"),
        ("any", "[1]", [1]),
        ("size", "2.5", 2.5),
        ("size", "true", True),
        ("size", "1", 1),
    ],
)
def test_arguments_become_what_the_schema_asks_for(name: str, text: str, value: object) -> None:
    found = arguments(**{name: text})[name]
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("count", "2.5", "whole number"),
        ("count", "true", "whole number"),
        ("count", "three", "whole number"),
        ("price", "NaN", "a number"),
        ("price", "1e999", "a number"),
        ("open", "yes", "true or false"),
        ("names", '{"a": 1}', "a list"),
        ("more", "[" * 100_000, "an object"),
    ],
)
def test_what_does_not_fit_is_told(name: str, text: str, told: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is .*{told}"):
        arguments(**{name: text})


def test_empty_fields() -> None:
    assert arguments(count="", any=" ", names="") == {"day": "Monday"}
    (tool,) = tools_in(
        offered({"properties": {"n": {"type": "integer"}, "s": {"type": "string"}}, "required": ["n", "s"]})
    )
    with pytest.raises(ValueError, match="n is required"):
        called(tool, {"s": "x"})
    assert calls_of(called(tool, {"n": "1"}))[0]["arguments"] == {"n": 1, "s": ""}


@pytest.mark.parametrize(
    "info",
    [{}, {"tools": 3}, {"tools": [3, {"function": 3}, {"function": {"name": 3}}]}, {"tools": "text"}],
)
def test_what_is_no_tool_is_left_out(info: dict[str, Any]) -> None:
    assert tools_in(info) == ()


def test_hostile_schemas_are_bounded() -> None:
    wide = {"properties": {str(number): {"type": [], "enum": {}, "description": 3} for number in range(1000)}}
    (tool,) = tools_in(offered(wide))
    assert len(tool.arguments) == MOST_ARGUMENTS and tool.arguments[0].signature == "0?"
    assert len(tools_in({"tools": offered()["tools"] * 1000})) == MOST_TOOLS
    assert tools_in(offered([1, 2]))[0].arguments == ()


@pytest.mark.parametrize(
    ("reply", "contract", "expected"),
    [
        ("north", "interactive", "\\boxed{north}"),
        ("I go \\boxed{north}", "interactive", "I go \\boxed{north}"),
        ('sales(day="Monday")', "tools", '<tool_call>{"name": "sales", "arguments": {"day": "Monday"}}</tool_call>'),
        ('{"name": "sales"}', "tools", '<tool_call>{"name": "sales"}</tool_call>'),
        ("<answer>3</answer>", "tools", "<answer>3</answer>"),
        ("3", "tools", "3"),
        ("  ", "answer", "  "),
    ],
)
def test_dressed(reply: str, contract: str, expected: str) -> None:
    assert dressed(reply, contract, offered()) == expected
