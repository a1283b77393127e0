"""What a solution may mean: every reading an author's manner needs, in order, and no more than a few."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spade_envs.readings import MOST_ACTIONS, MOST_READINGS, of_list, of_text


def tool(name: str, *parameters: str) -> dict[str, Any]:
    return {"function": {"name": name, "parameters": {"properties": {name: {} for name in parameters}}}}


TOOLS = [tool("look", "at", "deep"), tool("look_up", "word"), {"function": {"name": "bare"}}, {}, {"function": 3}]


def read(text: str, observation: str = "", source: str = "", **more: Any) -> list[tuple[str, ...]]:
    return of_text(text, **{"observation": observation, "source": source, "tools": [], "expected": None, **more})


def boxes(*contents: str) -> tuple[str, ...]:
    return tuple(f"\\boxed{{{content}}}" for content in contents)


def test_a_list_is_read_as_it_stands_and_boxed() -> None:
    assert list(of_list(["go", "\\boxed{stop}"], tools=False))[:2] == [("go", "\\boxed{stop}"), boxes("go", "stop")]
    assert boxes("3, 1, 2") in list(of_list(["3", "1", "2"], tools=False))
    assert list(of_list(["go"], tools=True)) == [("go",)]
    assert list(of_list(boxes("go"), tools=False)) == [boxes("go")]
    assert list(of_list([], tools=False)) == [()]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("42", boxes("42")),
        ("  42 \n", boxes("42")),
        ("first \\boxed{1} then \\boxed{2}", boxes("1", "2")),
        ("first \\boxed{1} then \\boxed{2}", boxes("2")),
        ("so \\boxed{\\frac{1}{2}}", boxes("\\frac{1}{2}")),
        ("The answer is 'red'.", boxes("red")),
        ("Final answer: **17**.", boxes("17")),
        ("so submit(7)", boxes("7")),
        ("it gives 12 and equals 1,234.5", boxes("1,234.5")),
        ("add them: 3 and 4, so 7,", boxes("7")),
        ("that is -3/4", boxes("-3/4")),
        ("north -> east->south", boxes("north", "east", "south")),
        ("north | east", boxes("north", "east")),
        ("go in, then go out", boxes("go in", "go out")),
        ("go in then go out", boxes("go in", "go out")),
        ("a; b ;c", boxes("a", "b", "c")),
        ("a, b", boxes("a", "b")),
        ("up up down", boxes("up", "up", "down")),
        (
            "1. go north\n2) 'go east'\n(3) `look`\n- wait\n* sit\nStep 4: win",
            boxes("go north", "go east", "look", "wait", "sit", "win"),
        ),
        ("say it plainly", ("say it plainly",)),
    ],
)
def test_texts_in_the_manners_of_authors(text: str, wanted: tuple[str, ...]) -> None:
    assert wanted in read(text)


@pytest.mark.parametrize(
    ("text", "observation", "source", "wanted"),
    [
        ("crane", "Say \\boxed{guess WORD}.", "", boxes("guess crane")),
        ("crane", "", "'\\boxed{guess <word>}'", boxes("guess crane")),
        ("3 4", "Say \\boxed{move [from] to [to]}.", "", boxes("move 3 to 4")),
        ("3, 4", "Say \\boxed{X N}.", "", boxes("3 4")),
        ("a; b", "Say \\boxed{take <item> now}.", "", boxes("take a now", "take b now")),
        ("7", "Say \\boxed{...}.", "", boxes("7")),
    ],
)
def test_templates_are_filled(text: str, observation: str, source: str, wanted: tuple[str, ...]) -> None:
    assert wanted in read(text, observation, source)


@pytest.mark.parametrize(
    ("text", "template"),
    [("3 4 5", "move [from] to [to]"), ("3", "move [from] to [to]"), ("a\nb", "take <x>"), ("a", "take it")],
)
def test_templates_that_do_not_fit_are_left(text: str, template: str) -> None:
    filled = [
        one
        for one in read(text, f"\\boxed{{{template}}}")
        if any(a.startswith(("\\boxed{move", "\\boxed{take")) for a in one)
    ]
    assert all(len(one) > 1 for one in filled), filled


def test_the_likeliest_reading_comes_first() -> None:
    assert read("\\boxed{a} \\boxed{b}")[:2] == [boxes("a", "b"), boxes("b")]
    assert read("crane", "\\boxed{guess WORD}")[:2] == [boxes("crane"), boxes("guess crane")]
    assert read("crane")[-1] == ("crane",)


def call(name: str, **arguments: Any) -> str:
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments}, ensure_ascii=False)}</tool_call>"


@pytest.mark.parametrize(
    ("text", "expected", "wanted"),
    [
        ("<tool_call>{1}</tool_call>, <tool_call>{2}</tool_call>", None,
         ("<tool_call>{1}</tool_call>", "<tool_call>{2}</tool_call>", "<answer>done</answer>")),
        ("<tool_call>{1}</tool_call>", "7", ("<tool_call>{1}</tool_call>", "<answer>7</answer>")),
        ("<tool_call>{1}</tool_call><answer>3</answer>", "7", ("<tool_call>{1}</tool_call>", "<answer>3</answer>")),
        ("<answer>3</answer>", None, ("<answer>3</answer>",)),
        ("look(at='a)b', deep=true)", None, (call("look", at="a)b", deep=True), "<answer>done</answer>")),
        ('look("x", null) then look_up(word=\'é\')', "7",
         (call("look", at="x", deep=None), call("look_up", word="é"), "<answer>7</answer>")),
        ("look(at=[1, {'a': (2, -3)}], deep=false)", None,
         (call("look", at=[1, {"a": [2, -3]}], deep=False), "<answer>done</answer>")),
        ("look(at=attic); the answer is 5.", "7", (call("look", at="attic"), "<answer>5</answer>")),
        ("look(at=attic); the answer is 5.", "7", (call("look", at="attic"), "<answer>7</answer>")),
        ("look(at='it\\'s') look()", None, (call("look", at="it's"), call("look"), "<answer>done</answer>")),
        ("look (at=1", None, ("<answer>done</answer>",)),
        ("look(at=1 bare()", None, (call("bare"), "<answer>done</answer>")),
        ("look(1, 2, 3)", None, ("<answer>done</answer>",)),
        ("look(at=len(x))", None, ("<answer>done</answer>",)),
        ("look(at={1, 2})", None, ("<answer>done</answer>",)),
        ("look(at=1e999)", None, ("<answer>done</answer>",)),
        ("overlook(at=1)", None, ("<answer>done</answer>",)),
        ("The answer is 4.", None, ("<answer>4</answer>",)),
        ("four", None, ("<answer>four</answer>",)),
        ("four", "4", ("<answer>4</answer>",)),
    ],
)  # fmt: skip
def test_texts_about_tools(text: str, expected: str | None, wanted: tuple[str, ...]) -> None:
    assert wanted in read(text, tools=TOOLS, expected=expected)


def test_refused_calls_are_not_made() -> None:
    for text in ("look(1, 2, 3)", "look(at=len(x))", "overlook(at=1)", "look(at=1"):
        assert not any("tool_call" in action for one in read(text, tools=TOOLS) for action in one)


PIECES = st.sampled_from([*"\\{}()<>[]/ab1 ,;'\"\n|-", "\\boxed{", "<answer>", "</answer>", "look(", "1. "])


@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_gives_a_few_short_readings(text: str) -> None:
    for tools in ([], TOOLS):
        found = read(text, observation="\\boxed{<a> <b>}", tools=tools)
        assert len(found) <= MOST_READINGS and len(set(found)) == len(found)
        assert all(0 < len(one) <= MOST_ACTIONS for one in found)


@pytest.mark.parametrize(
    "text",
    ["go " * 50_000, "look(" * 20_000, "<tool_call>" * 20_000, "\\boxed{" * 20_000, "the answer is " * 10_000,
     " " * 100_000 + "x", "look('" + "(" * 60_000, "-" * 100_000, "1," * 50_000],
)  # fmt: skip
def test_long_texts_are_read_in_no_time(text: str) -> None:
    begun = time.perf_counter()
    for tools in ([], TOOLS):
        read(text, observation=text[:60_000], tools=tools)
    assert time.perf_counter() - begun < 10


@pytest.mark.parametrize("properties", [None, 3])
def test_odd_schemas_are_survived(properties: Any) -> None:
    odd = [{"function": {"name": "look", "parameters": {"properties": properties}}}]
    assert read("look(1)", tools=odd)
