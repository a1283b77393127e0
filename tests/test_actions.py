"""The action reader: properties over any text, and the cases that other readers get wrong."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spade_envs.actions import (
    LONGEST_ACTION,
    LONGEST_REPLY,
    boxed,
    last_boxed,
    last_code_block,
    read,
    strip_think,
)
from spade_envs.errors import SourceError
from spade_envs.types import CONTRACTS, EnvSource

ANY_TEXT = st.text(st.characters(exclude_categories=[]))
PIECES = st.sampled_from(
    ["\\boxed{", "}", "{", "<think>", "</think>", "<tool_call>", "</tool_call>", "<answer>", "</answer>", "x", "\x00"]
)
SOUP = st.lists(st.one_of(PIECES, ANY_TEXT), max_size=30).map("".join)


@given(SOUP, st.sampled_from(CONTRACTS))
def test_any_text_gives_a_clean_short_action(reply: str, contract: str) -> None:
    action = read(reply, contract)
    data = action.text.encode("utf-8")  # no lone surrogate is left
    assert len(data) <= LONGEST_ACTION + len("<tool_call></tool_call>")
    assert not any(ord(letter) < 32 and letter not in "\n\t" for letter in action.text)
    assert action.calls == () or contract == "tools"


@given(SOUP, st.sampled_from(CONTRACTS))
def test_reading_is_stable(reply: str, contract: str) -> None:
    """What was read, read again, is the same: a recorded action can be replayed as a reply."""
    once = read(reply, contract)
    assert read(once.text, contract).text == once.text


BALANCED = st.recursive(
    st.text("ab \\^_", max_size=5),
    lambda inner: st.tuples(inner, inner).map(lambda p: f"{p[0]}{{{p[1]}}}"),
    max_leaves=5,
)


@given(ANY_TEXT.filter(lambda t: "boxed" not in t and "think>" not in t), BALANCED)
def test_the_last_balanced_box_is_found(prose: str, content: str) -> None:
    reply = f"\\boxed{{first}} {prose} \\boxed{{{content}}} and so on"
    assert last_boxed(reply) == content


def test_unbalanced_boxes_do_not_hide_balanced_ones() -> None:
    assert read("\\boxed{good} then \\boxed{never closed", "answer").text == "\\boxed{good}"
    assert read("\\boxed{" * 50_000, "answer").text.startswith("\\boxed{")


def test_think_text_never_counts() -> None:
    reply = "<think>\\boxed{wrong}</think>so \\boxed{right}"
    assert read(reply, "interactive").text == "\\boxed{right}"
    assert read("\\boxed{right}<think>\\boxed{wrong}", "interactive").text == "\\boxed{right}"
    assert read("maybe \\boxed{wrong}</think>\\boxed{right}", "interactive").text == "\\boxed{right}"
    assert strip_think("no tags") == "no tags"


def test_tool_calls_come_in_order_and_win_over_an_answer() -> None:
    calls = [{"name": "look", "arguments": {"at": i}} for i in range(3)]
    reply = "<answer>early</answer>" + "".join(f"<tool_call>\n{json.dumps(c)}\n</tool_call>" for c in calls)
    action = read(reply, "tools")
    bodies = [call.removeprefix("<tool_call>").removesuffix("</tool_call>") for call in action.calls]
    assert [json.loads(body) for body in bodies] == calls
    assert "<answer>" not in action.text


def test_the_last_answer_counts_when_there_is_no_call() -> None:
    assert read("<answer>1</answer> no, <answer> 2 </answer>", "tools").text == "<answer>2</answer>"
    assert read("\\boxed{1}", "tools").text == "\\boxed{1}"


def test_function_style_calls_become_json() -> None:
    reply = (
        "<tool_call><function=move><parameter=to>\nattic\n</parameter><parameter=n>3</parameter></function></tool_call>"
    )
    (call,) = read(reply, "tools").calls
    body = call.removeprefix("<tool_call>").removesuffix("</tool_call>")
    assert json.loads(body) == {"name": "move", "arguments": {"to": "attic", "n": 3}}


def test_of_a_huge_reply_the_end_counts() -> None:
    assert read("x" * (2 * LONGEST_REPLY) + "\\boxed{end}", "answer").text == "\\boxed{end}"


def test_long_actions_are_cut_between_characters() -> None:
    text = read("é" * LONGEST_ACTION, "answer").text
    assert set(text) == {"é"} and len(text.encode()) <= LONGEST_ACTION


def test_boxed_wraps_once() -> None:
    assert boxed(boxed("7")) == boxed("7") == "\\boxed{7}"


FENCE = "```"


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (f"{FENCE}python\na = 1\n{FENCE}\nbetter:\n{FENCE}python\nb = 2\n{FENCE}", "b = 2\n"),
        (f"<think>\n{FENCE}python\ndraft\n{FENCE}\n</think>\n{FENCE}py\nfinal\n{FENCE}", "final\n"),
        (f"{FENCE}python\nx\n{FENCE}\n{FENCE}json\n{{}}\n{FENCE}", "x\n"),
        (f"{FENCE}\nplain\n{FENCE}", "plain\n"),
        (f"````python\ntext = '''\n{FENCE}\n'''\n````", f"text = '''\n{FENCE}\n'''\n"),
        ("~~~python\nx\n~~~", "x\n"),
        (f"{FENCE}python\na\n{FENCE}\n{FENCE}python\nnever closed", "a\n"),
        (f"{FENCE}python\npattern = r'<think>.*?</think>'\n{FENCE}", "pattern = r'<think>.*?</think>'\n"),
    ],
)
def test_the_last_complete_code_block(reply: str, code: str) -> None:
    assert EnvSource.from_reply(reply).text == code


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("no code here", "no fenced code block"),
        (f"{FENCE}python\ncut off", "closing fence"),
        ("<think>\nstill thinking", "think text"),
        ("", "no fenced code block"),
    ],
)
def test_replies_without_code_say_what_they_are(reply: str, says: str) -> None:
    with pytest.raises(SourceError, match=says):
        last_code_block(reply)
