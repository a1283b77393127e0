"""Turns that are told value by value: what a worker tells, and what the host makes of it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from spade_envs.sandbox.answers import plain_start
from spade_envs.sandbox.checked import read_ordinary, read_renewed, read_turn, read_turns
from spade_envs.sandbox.columns import Columns, spread
from spade_envs.sandbox.frames import apart, pack, unpack

INFOS: list[dict[str, Any]] = [{}, {"a": 1}, {"a": "x", "b": None}, {"b": None, "a": "x"}, {"a": True, "b": 0.5}]


def turns(count: int, seed: int) -> list[list[Any]]:
    chance = random.Random(seed)
    return [[chance.choice(["", "go", "é\n"]), chance.random(), dict(chance.choice(INFOS))] for _ in range(count)]


@pytest.mark.parametrize("seed", range(40))
def test_what_is_told_in_columns_is_what_was_given(seed: int) -> None:
    given = turns(9, seed)
    columns = Columns()
    held = [None if columns.take(turn) else turn for turn in given]
    told = unpack(pack(columns.told())[4:])
    assert spread(held, told) == given
    taken = [turn for turn, place in zip(given, held, strict=True) if place is None]
    assert all(list(turn[2]) == list(taken[0][2]) for turn in taken) and taken
    answers = read_turns(told, len(taken)).answers()
    assert [(*answer[:2], answer.info) for answer in answers] == [tuple(turn) for turn in taken]
    assert answers == [read_ordinary(turn) or read_turn(turn) for turn in taken]


def test_nothing_is_told_of_no_turns() -> None:
    assert Columns().told() is None and spread([1, None], None) == [1, None]


def test_a_frame_too_large_is_sent_turn_by_turn() -> None:
    given = turns(3, 1)
    columns = Columns()
    held = [None if columns.take(turn) else turn for turn in given]
    frame = {"i": 4, "last": True, "answers": held, "columns": columns.told()}
    parts = apart(frame)
    assert [part["answers"] for part in parts] == [[turn] for turn in given]
    assert [(part["i"], part["last"]) for part in parts] == [(4, False), (5, False), (6, True)]
    alone = Columns()
    assert alone.take(given[0])
    assert apart({"i": 0, "last": True, "answers": [None], "columns": alone.told()}) == [
        {"i": 0, "last": True, "answers": [given[0]]}
    ]


GOOD: list[Any] = [["o", "p"], [0.5, -1.0], ["a", "b"], [[1, "x"], [None, True]]]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, ["o"]),
        (0, ["o", 1]),
        (0, ["o", None]),
        (0, ["o", "\ud800"]),
        (0, ["o", "p" * ((1 << 20) + 1)]),
        (0, {"o": 1, "p": 2}),
        (1, [0.5]),
        (1, [0.5, 1]),
        (1, [0.5, True]),
        (1, [0.5, 1.5]),
        (1, [0.5, float("inf")]),
        (1, [0.5, -1.0000001]),
        (1, [0.5, "x"]),
        (2, ["a"]),
        (2, ["a", "a"]),
        (2, ["a", 1]),
        (2, ["a", "é"]),
        (2, "ab"),
        (3, [[1, "x"]]),
        (3, [[1, "x"], [None]]),
        (3, [[1, "x"], [None, []]]),
        (3, [[1, "x"], [None, {}]]),
        (3, [[1, "x"], [None, "é"]]),
        (3, [[1, "x"], [None, float("inf")]]),
        (3, [[1, "x"], "no"]),
        (3, {"a": [1, "x"]}),
    ],
)
def test_what_no_worker_of_ours_tells_is_refused(place: int, value: Any) -> None:
    assert len(read_turns(GOOD, 2).answers()) == 2
    with pytest.raises(ValueError):
        read_turns([*GOOD[:place], value, *GOOD[place + 1 :]], 2)


@pytest.mark.parametrize(
    "told", [None, 7, "four", [], GOOD[:3], [*GOOD, []], {str(at): one for at, one in enumerate(GOOD)}]
)
def test_other_shapes_are_refused(told: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        read_turns(told, 2)
    with pytest.raises(ValueError):
        read_turns(GOOD, 3)
    with pytest.raises(ValueError):
        read_turns([[], [], [], []], 0)


RENEWED: list[Any] = ["o", 1.0, True, False, {"a": 1}, ["both_flags"], ["first", {"b": "x"}, 7]]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, 1),
        (0, "é"),
        (1, 1),
        (1, 1.5),
        (2, 1),
        (3, True),
        (3, None),
        (4, []),
        (4, {"a": []}),
        (4, {"é": 1}),
        (5, None),
        (5, ["nonsense"]),
        (5, ["turns_cut"]),
        (6, {"ok": {}}),
        (6, ["first", {}]),
        (6, ["é", {}, None]),
        (6, [None, {}, None]),
        (6, ["first", [], None]),
        (6, ["first", {"b": {}}, None]),
        (6, ["first", {}, 0]),
        (6, ["first", {}, True]),
        (6, ["first", {}, 100_000]),
    ],
)
def test_only_a_plain_end_and_start_are_read_at_once(place: int, value: Any) -> None:
    both = read_renewed(json.loads(json.dumps(RENEWED)))
    assert both is not None
    turn, start = both
    assert turn == read_turn(RENEWED[:6]) and start[:2] == ("first", {"b": "x"}) and start.max_turns == 7
    assert read_renewed([*RENEWED[:place], value, *RENEWED[place + 1 :]]) is None


def test_a_plain_start_is_copied() -> None:
    info = {"a": 1}
    found = plain_start(("go", info), 10)
    assert found == ("go", info) and found is not None and found[1] is not info
    for other in (
        ["go", info],
        ("go", info, 1),
        ("go" * 9, info),
        ("go", {"a": []}),
        (1, info),
        ("go\ud800", info),
        "go",
    ):
        assert plain_start(other, 10) is None
