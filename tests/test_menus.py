"""Menus of actions: what is on them, in which order, and what cards say of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spade_envs.actions import read
from spade_envs.admission import card_of, check_options, validate
from spade_envs.arguments import Shown
from spade_envs.menus import LONGEST_ENTRY, SIZE, filled, menu, offers_all
from spade_envs.shelf import Shelf
from spade_envs.store import bundled_path
from spade_envs.trial import Trial
from spade_envs.types import EnvSource, Episode, Limits, StopReason, Turn

SOUND = Path(__file__).parent / "sources" / "sound"
BUNDLED = [entry.name for entry in Shelf(bundled_path()).entries()]
TASK = (
    "Stops A, B and C; gauges g1..g3. \\boxed{PULL A} pulls, \\boxed{READ g2} reads, \\boxed{SEAL} ends, "
    "\\boxed{take ITEM} takes."
)


def boxed(*commands: str) -> tuple[str, ...]:
    return tuple(f"\\boxed{{{command}}}" for command in commands)


def tool(name: str, required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": required or []}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


def called(name: str, **arguments: Any) -> str:
    body = json.dumps({"name": name, "arguments": arguments})
    return f"<tool_call>{body}</tool_call>"


def episode(task: str, *turns: tuple[str, str]) -> Episode:
    played = tuple(Turn(action, action, observation, 0.0) for action, observation in turns)
    return Episode("", 0, "", task, played, True, False, StopReason.TERMINATED)


# -- commands ----------------------------------------------------------------------------------------------------


def test_commands_without_arguments_come_first_then_those_that_the_task_fills() -> None:
    found = menu(TASK, "A lamp.")
    assert found[:2] == boxed("READ g2", "SEAL")
    assert set(boxed("PULL A", "PULL B", "PULL C", "READ g1", "READ g3")) <= set(found)
    assert found.index("\\boxed{take lamp}") > found.index("\\boxed{PULL C}")
    assert not set(found) & set(boxed("PULL", "READ", "ITEM", "PULL lamp", "SEAL A"))


def test_what_the_task_decides_keeps_its_index() -> None:
    alone = menu(TASK, "")
    for observation in ("A lamp.", "Gauge g2 reads 7.", "rope, oil and 3 keys\n" * 9, "\\boxed{new} or \\boxed{one}"):
        assert menu(TASK, observation)[: len(alone)] == alone
    unboxed = "Commands: look, take, go"
    assert menu(unboxed, "Actions: sing, dance")[: len(menu(unboxed, ""))] == menu(unboxed, "")


def test_the_latest_observation_fills_what_the_task_leaves_open() -> None:
    assert "\\boxed{take rope}" in menu(TASK, "Here: rope.")
    assert "\\boxed{take rope}" not in menu(TASK, "Here: oil.")
    assert "\\boxed{PULL D}" in menu(TASK, "A fourth stop, D, appears.")
    assert not set(boxed("PULL Here", "PULL rope", "READ rope", "SEAL rope")) & set(menu(TASK, "Here: rope."))


def test_words_in_capitals_may_mean_themselves() -> None:
    found = menu("To the hall, attic or loft: \\boxed{TURN LEFT}, \\boxed{TURN AROUND} or \\boxed{STOP}", "Here: rope.")
    assert set(boxed("TURN LEFT", "TURN AROUND", "STOP", "TURN rope")) <= set(found)


def test_a_cut_favours_no_command() -> None:
    task = "Rows 1 to 9. \\boxed{dig 1 1}, \\boxed{look 1}, \\boxed{end}"
    cut = menu(task, "", size=12)
    assert len(cut) == 12 and cut == menu(task, "", size=SIZE)[:12]
    assert {entry.split()[0] for entry in cut} == {"\\boxed{dig", "\\boxed{look", "\\boxed{end}"}
    assert len(menu(task, "", size=200)) == 1 + 9 + 81


def test_early_fillings_come_first() -> None:
    assert [sum(filling) for filling in filled([[range(3), range(4)]])] == [0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5]
    assert list(filled([[[1], []], []])) == [()]


@pytest.mark.parametrize(
    "task",
    [
        "What is 6 times 7? Answer as \\boxed{N}.",
        "Say something.",
        "",
        "Answer as \\boxed{answer}.",
        "\\boxed{command}",
    ],
)
def test_free_answers_have_no_menu(task: str) -> None:
    assert menu(task, task) == ()


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("north, south and west", "south", ["north", "south", "west", "east", "up", "down"]),
        ("red, green or blue", "green", ["red", "green", "blue"]),
        ("from 0 to 3", "7", ["0", "1", "2", "3"]),
        ("1 to 99", "7", [*map(str, range(1, 42)), "99"]),
        ("a 3 by 4 field", "X", ["0", "1", "2", "3", "4"]),
        ("rows A to C, columns 1 to 2", "B3", ["A1", "A2", "B1", "B2", "C1", "C2"]),
        ("{'p': 5, 'q': 16}", "p", ["p", "q"]),
        ("nothing like it", "lamp", []),
    ],
)
def test_values_are_like_the_word_they_replace(text: str, word: str, expected: list[str]) -> None:
    assert list(Shown(text).like(word)) == expected


# -- tool calls --------------------------------------------------------------------------------------------------


def test_calls_are_made_from_schemas_and_from_what_is_shown() -> None:
    tools = [
        tool("look"),
        tool("open", ["id", "how"], id={"type": "string"}, how={"enum": ["slow", "fast"]}),
        tool("page", ["n"], n={"type": "integer", "minimum": 1, "maximum": 2}),
        tool("mark", sure={"type": "boolean"}),
        tool("never", ["many"], many={"type": "array"}),
        tool("never either", ["lost"]),
    ]
    found = menu("Reply <answer>done</answer> at the end.", "Door D-17 is shut.", tools, 200)
    assert found[:3] == (called("look"), called("mark"), "<answer>done</answer>")
    assert found.index(called("page", n=1)) < found.index(called("open", id="D-17", how="slow"))
    assert {called("open", id="D-17", how="fast"), called("page", n=2), called("mark", sure=False)} <= set(found)
    assert not any("never" in entry or '"n": 3' in entry or "\\boxed" in entry for entry in found)


@pytest.mark.parametrize("spec", [None, 7, "x", [], {"enum": [[1], {}, float("nan"), 10**99, "x" * 999]}, {"type": []}])
def test_schemas_of_no_use_give_no_entry(spec: object) -> None:
    assert len(menu("", "", [tool("a"), tool("b", ["x"], x=spec), tool("c")])) in (2, 3)
    assert menu("", "", [spec, {"function": spec}, {"function": {"name": spec}}]) == ()


# -- hostile input -----------------------------------------------------------------------------------------------

LETTERS = list("aAbx17 .,:;-'\"`{}\\<>\n\t\0\ud800\u202e\u0661\u00e9")
MARKS = ["\\boxed{", "\\boxed{look}", "\\boxed{go X}", "<answer>", "</answer>", "</tool_call>", "<think>", "1 to 9"]
TEXTS = st.lists(st.text(st.sampled_from(LETTERS), max_size=40) | st.sampled_from(MARKS), max_size=12).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
KINDS = st.sampled_from(["string", "integer", "number", "boolean", "array"])
SPECS = st.fixed_dictionaries({}, optional={"type": KINDS, "enum": JSON, "minimum": JSON, "maximum": JSON})
PARAMETERS = st.builds(
    lambda properties, required: {"properties": properties, "required": required},
    st.dictionaries(TEXTS, SPECS | JSON, max_size=4),
    st.lists(TEXTS, max_size=1),
)
TOOLS = st.lists(
    st.builds(lambda n, p: {"function": {"name": n, "parameters": p}}, TEXTS, PARAMETERS) | JSON, max_size=4
)


@settings(max_examples=80, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(TEXTS, TEXTS, st.just(()) | TOOLS, st.integers(2, 90))
def test_an_entry_is_read_as_what_it_shows(task: str, observation: str, tools: object, size: int) -> None:
    found = menu(task, observation, tools, size)
    assert found == menu(task, observation, tools, size)
    assert len(found) == len(set(found)) <= size and len(found) != 1
    for entry in found:
        contract = "interactive" if entry.startswith("\\boxed{") else "tools"
        assert read(entry, contract).text == entry and len(entry) <= LONGEST_ENTRY


@pytest.mark.parametrize(
    "text",
    ["a, " * 300_000, "1 to 999 " * 30_000, "\\boxed{" * 90_000, "w" * 10**6, "A to Z, " * 50_000, "9 by 99 " * 40_000],
)
def test_long_texts_are_read_in_part(text: str) -> None:
    assert len(menu(text, text)) <= SIZE
    shown = Shown(text, words=True)
    assert len(shown.tokens) < 10_000 and len(shown.words) < 10_000
    assert "777" not in Shown(f"{text} 777").numbers


# -- what cards say ----------------------------------------------------------------------------------------------


def test_every_action_must_be_on_the_menu_of_its_moment() -> None:
    take, seal = boxed("take lamp", "SEAL")
    assert offers_all(episode(TASK, (seal, "A lamp."), (take, "Done.")))
    assert not offers_all(episode(TASK, (take, "A lamp."), (seal, "Done.")))
    assert not offers_all(episode(TASK, (seal, "A lamp."), (take, "Done.")), size=2)
    assert not offers_all(episode(TASK))


def test_a_call_may_be_written_in_another_way() -> None:
    tools = [tool("look"), tool("open", ["id"], id={"enum": ["a"]})]
    written = '<tool_call>{"arguments": {"id":"a"},"name":"open"}</tool_call>'
    assert offers_all(episode("", (written, "")), tools)
    assert not offers_all(episode("", (f"{written}\n{written}", "")), tools)


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_cards_say_what_the_witness_shows(name: str) -> None:
    shelf = Shelf(bundled_path())
    card = shelf.read_card(name)
    trial = Trial(shelf.read_source(name), Limits(), 0, check_options())
    tries = [trial.attempt(seed) for seed in trial.seeds[:2]]
    found = [t.episode is not None and offers_all(t.episode, trial.shown_tools(t.seed)) for t in tries]
    trial.close()
    assert (card.menu, card.report.menu) == (all(found), all(found))
    assert card.menu or name != "env-0002"


@pytest.mark.parametrize(
    ("file", "expected"),
    [("dict_literal_dispatch_fstring", True), ("generator_guess", False), ("dataclass_defaults_kwonly", False)],
)
def test_the_gate_tells_by_the_episodes_it_has_played(file: str, expected: bool) -> None:
    source = EnvSource((SOUND / f"{file}.py").read_text("utf-8"))
    report = validate(source)
    assert report.verdict.value == "admit", report.findings
    assert report.menu is expected and card_of(source, report).menu is expected
