"""Answers as texts: read out of actions, told by their shape, found in observations."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spade_envs import answer_texts
from spade_envs.answer_texts import (
    MOST_TOKENS,
    answer_of,
    as_action,
    best_slot,
    candidates,
    holds,
    is_wordy,
    parts,
    places,
    shape,
    template,
    tokens,
)


@pytest.mark.parametrize(
    ("action", "answer"),
    [
        ("\\boxed{42}", "42"),
        ("first \\boxed{1}, no: \\boxed{ 2 }.", "2"),
        ("\\boxed{\\frac{1}{2}}", "\\frac{1}{2}"),
        ("\\boxed{}", ""),
        ("<answer> done\n</answer>", "done"),
        ("<answer>two\nlines</answer><answer>later</answer>", "two\nlines"),
        ("<answer></answer>", ""),
        ("<answer>1</answer> \\boxed{2}", "2"),
        ("\\boxed{open", None),
        ("<answer>open", None),
        ("<tool_call>{}</tool_call>", None),
        ("", None),
        ("\\boxed{\u0663 \u00e9 \U0001f600}", "\u0663 \u00e9 \U0001f600"),
    ],
)
def test_the_answer_in_an_action(action: str, answer: str | None) -> None:
    assert answer_of(action) == answer


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_characters="{}<>\\")), st.sampled_from(["answer", "tools"]))
def test_what_is_submitted_is_read_again(answer: str, contract: str) -> None:
    assert answer_of(as_action(answer, contract)) == answer.strip()


def test_contracts_have_their_manner() -> None:
    assert as_action("7", "tools") == "<answer>7</answer>"
    assert as_action("7", "answer") == as_action("7", "interactive") == "\\boxed{7}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pay $1,200 now!", ["pay", "1200", "now", "!"]),
        ("It costs -3.50 or 1/2", ["it", "costs", "-3.50", "or", "1/2"]),
        ("50% of x_1 ___", ["50%", "of", "x_1", "___"]),
        ("Ann's well-known C3-PO", ["ann's", "well-known", "c3-po"]),
        ("the 3rd, A_b", ["the", "3", "rd", ",", "a_b"]),
        ("(7)", ["(", "7", ")"]),
        ("3, 1,200, 12,34", ["3", ",", "1200", ",", "12", ",", "34"]),
        ("12kg of the 'word' x-", ["12", "kg", "of", "the", "'", "word", "'", "x", "-"]),
        ("\u00c9T\u00c9 \u0663\u0664 \u5317\u4eac", ["\u00e9t\u00e9", "\u0663\u0664", "\u5317\u4eac"]),
        (" \n\t\u00a0", []),
        ("", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("12", "integer"), ("-7", "integer"), ("+7", "integer"), ("0.5", "decimal"), ("-.5", "decimal"),
        ("3/4", "fraction"), ("B", "letter"), ("R2-D2", "code"), ("ORD-1", "code"), ("7a", "code"),
        ("ABC", "capitals"), ("Ann", "name"), ("O'Hara", "name"), ("ann", "word"), ("\u00e9t\u00e9", "word"),
        ("\u00e9", "word"), ("a b", "text"), ("", "text"), ("1,2", "text"), ("12\n", "text"), ("-", "text"),
        ("_", "text"),
    ],
)  # fmt: skip
def test_shapes(text: str, kind: str) -> None:
    assert shape(text) == kind


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("3, 1, 2", (", ", ["3", "1", "2"])),
        ("3,1", (",", ["3", "1"])),
        ("a -> b -> c", (" -> ", ["a", "b", "c"])),
        ("a->b, c", ("->", ["a", "b, c"])),
        ("a; b", ("; ", ["a", "b"])),
        ("a | b", (" | ", ["a", "b"])),
        ("up down", (" ", ["up", "down"])),
        ("1-2", ("-", ["1", "2"])),
        ("-5", ("", ["-5"])),
        ("3,", ("", ["3,"])),
        (",", ("", [","])),
        ("", ("", [""])),
    ],
)
def test_parts(answer: str, expected: tuple[str, list[str]]) -> None:
    assert parts(answer) == expected


def test_candidates_are_pieces_of_a_shape_as_written() -> None:
    text = "Ann, Bo and Ann paid $1,200 on ORD-17; Bo's 50% of 7."
    assert candidates(text, ["name"]) == ["Ann", "Bo", "Bo's"]
    assert candidates(text, ["integer"]) == ["1200", "50", "7"]
    assert candidates(text, ["code", "word"]) == ["and", "paid", "on", "ORD-17", "of"]
    assert candidates(text, ["name"], frozenset({"ann"})) == ["Bo", "Bo's"]
    assert candidates(text, []) == candidates("", ["name"]) == []


def test_the_template_is_what_nearly_every_text_holds() -> None:
    texts = [f"Hello guest {i}, Hello" for i in range(10)]
    assert template(texts) >= {"hello", "guest"} and not {"0", "9"} & template(texts)
    assert "rare" not in template(["rare rare rare", "a", "b"])
    eight, nine = (["x"] * n + ["y"] * (10 - n) for n in (8, 9))
    assert template(eight) == frozenset() and template(nine) == {"x"}
    assert template([]) == frozenset()


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("a b a b", "a b", [0, 2]),
        ("a a a", "a a", [0, 1]),
        ("a b", "b a", []),
        ("a", "a b", []),
        ("x a", "a", [1]),
        ("a", "", []),
        ("", "a", []),
    ],
)
def test_places(text: str, answer: str, expected: list[int]) -> None:
    assert list(places(text.split(), answer.split())) == expected
    assert holds(text.split(), tuple(answer.split())) == bool(expected)


def test_wordy() -> None:
    assert is_wordy("- 1") and is_wordy("\u5317") and not is_wordy("-> ?") and not is_wordy("")


def slot(*cases: str) -> float:
    """The best slot of texts whose answer stands after ``=>``."""
    pairs = [case.split("=>") for case in cases]
    return best_slot([text.split() for text, _ in pairs], [answer.split() for _, answer in pairs])


@pytest.mark.parametrize(
    ("cases", "expected"),
    [
        (["a b is 1 x => 1", "c is 2 y z w => 2", "is 3 => 3"], 1.0),  # after the same word
        (["p 1 b c => 1", "q 2 d => 2", "r 3 => 3"], 1.0),  # so far from the start
        (["b c 1 p => 1", "d 2 q => 2", "3 r => 3"], 1.0),  # so far from the end
        (["a b 1 so it is => 1", "2 so it was => 2", "d e f 3 so it be x y => 3"], 1.0),  # before the same words
        (["is 8 is 1 a b => 1", "is 9 or is 2 c => 2", "x is 7 y y is 3 => 3"], 1.0),  # after the second of them
        (["is 1 is 8 a b => 1", "is 9 or is 2 c => 2"], 0.5),  # now after the first, now after the second
        (["a x y 1 b => 1", "c 2 d e f => 2", "3 g h => 3"], 1 / 3),
        (["a b => 1", "c d => 2"], 0.0),
        (["say 1 2 a => 1 2", "b say 3 4 c d => 3 4"], 1.0),
    ],
)
def test_the_best_slot(cases: list[str], expected: float) -> None:
    assert slot(*cases) == pytest.approx(expected)


def test_an_option_among_others_has_no_slot() -> None:
    rng = random.Random(2)
    texts, answers = [], []
    for _ in range(40):
        options = [str(n) for n in rng.sample(range(100, 999), 12)]
        texts.append(["choose", *options, "now"])
        answers.append([rng.choice(options)])
    assert best_slot(texts, answers) < 0.3


def test_slots_of_nothing_and_of_unpaired_things() -> None:
    assert best_slot([], []) == 0.0
    assert best_slot([["a"]], [[]]) == 0.0
    with pytest.raises(ValueError):
        best_slot([["a"]], [])


HUGE = {
    "words": "a " * 500_000,
    "a list": "1," * 500_000,
    "a number": "1" * 500_000 + "x",
    "signs": "-" * 500_000,
    "lines": "_" * 500_000,
    "fractions": "1.1/1." * 100_000,
    "marks": "\u0301\u202e\U0001f600" * 100_000,
    "braces": "{" * 500_000,
    "surrogates": "\ud800" * 100_000,
}


@pytest.mark.parametrize("kind", HUGE)
def test_huge_and_strange_texts_are_read_soon(kind: str) -> None:
    text = HUGE[kind]
    begun = time.process_time()
    found = tokens(text)
    assert len(found) <= MOST_TOKENS
    assert template([text]) == frozenset(found)
    assert len(candidates(text, [name for name, _ in answer_texts._SHAPES])) <= MOST_TOKENS
    assert isinstance(shape(text), str) and parts(text)[1]
    assert answer_of(text) is None and answer_of(as_action("7", "tools") + text) == "7"
    assert best_slot([found], [found[:1]]) == float(bool(found))
    assert time.process_time() - begun < 5.0


def test_tokens_end_at_their_limit() -> None:
    text = " ".join(f"w{i}" for i in range(MOST_TOKENS + 5))
    assert tokens(text)[-1] == f"w{MOST_TOKENS - 1}" and len(candidates(text, ["code"])) == MOST_TOKENS
