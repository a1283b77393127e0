"""Turns that are told value by value: what a worker tells, and what the host makes of it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from spade_envs.sandbox.answers import ordinary, plain_start
from spade_envs.sandbox.checked import read_ordinary, read_renewed, read_turn, read_turns
from spade_envs.sandbox.columns import Columns, packed, restored, row, spread
from spade_envs.sandbox.frames import FrameError, apart, pack, unpack

INFOS: list[dict[str, Any]] = [{}, {"a": 1}, {"a": "x", "b": None}, {"b": None, "a": "x"}, {"a": True, "b": 0.5}]


def turns(count: int, seed: int) -> list[list[Any]]:
    chance = random.Random(seed)
    return [[chance.choice(["", "go", "é\n"]), chance.random(), dict(chance.choice(INFOS))] for _ in range(count)]


def sent(held: list[Any], columns: Columns) -> tuple[list[Any], list[Any] | None]:
    """What arrives of answers."""
    said, texts = packed(held, columns)
    return restored(unpack(pack({"i": 0, **said}, texts)[4:]))


@pytest.mark.parametrize("seed", range(40))
def test_what_is_told_in_columns_is_what_was_given(seed: int) -> None:
    given = turns(9, seed)
    columns = Columns()
    held = [None if columns.take(turn) else turn for turn in given]
    told = sent(held, columns)[1]
    assert spread(held, told) == given
    taken = [turn for turn, place in zip(given, held, strict=True) if place is None]
    assert all(list(turn[2]) == list(taken[0][2]) for turn in taken) and taken
    answers = read_turns(told, len(taken)).answers()
    assert [(*answer[:2], answer.info) for answer in answers] == [tuple(turn) for turn in taken]
    assert answers == [read_ordinary(turn) or read_turn(turn) for turn in taken]


def test_nothing_is_told_of_no_turns() -> None:
    assert Columns().told() == ([], None) and spread([1, None], None) == [1, None]
    assert sent([{"ok": 1}], Columns()) == ([{"ok": 1}], None)


def test_a_frame_too_large_is_sent_turn_by_turn() -> None:
    given = turns(3, 1)
    columns = Columns()
    held = [None if columns.take(turn) else turn for turn in given]
    said, texts = packed(held, columns)
    parts = apart({"i": 4, "last": True, **said, "texts": texts})
    assert [part["answers"] for part in parts] == [[turn] for turn in given]
    assert [(part["i"], part["last"]) for part in parts] == [(4, False), (5, False), (6, True)]
    alone = Columns()
    assert alone.take(given[0])
    said, texts = packed([None], alone)
    assert apart({"i": 0, "last": True, **said, "texts": texts}) == [{"i": 0, "last": True, "answers": [given[0]]}]
    assert apart({"ok": "large", "texts": ()}) == [{"ok": "large"}]


def test_ends_and_starts_are_told_behind_the_turns() -> None:
    end = ["over\n", 1.0, True, False, {"a": "x"}, [], ["first é", {"b": 1}, None]]
    failed, cut = [*end[:6], {"fault": {"kind": "raised"}}], end[:6]
    columns = Columns()
    assert columns.take(["go", 0.0, {}])
    given = [list(one) for one in (end, failed, cut)]
    given[0][6] = list(end[6])
    answers, told = sent([given[0], None, *given[1:]], columns)
    assert answers == [end, None, failed, cut] and told == [["go"], [0.0], [], []]
    assert packed([list(cut)], Columns()) == ({"answers": [cut]}, [])


def test_what_all_tell_alike_is_told_once_where_it_is_a_text() -> None:
    columns = Columns()
    for key in ("a", "b"):
        columns.add((key, 0.0, "same", 1, None, key))
    assert columns.told()[1] == [[0.0, 0.0], [], [["same"], [1, 1], [None, None], ["a", "b"]]]


@pytest.mark.parametrize(
    ("said", "behind"),
    [
        ('{"lengths":[1]}', "ab"),
        ('{"lengths":[3]}', "ab"),
        ('{"lengths":[]}', ""),
        ('{"lengths":[]}', "a"),
        ('{"lengths":[true,1]}', "ab"),
        ('{"lengths":[1.0,1]}', "ab"),
        ('{"lengths":[3,-1]}', "ab"),
        ('{"lengths":2}', "ab"),
        ('{"lengths":{"2":2}}', "ab"),
        ("{}", "ab"),
        ("[2]", "ab"),
        ("", "ab"),
        ('{"lengths":[2],', "ab}"),
    ],
)
def test_texts_behind_a_frame_that_do_not_fit_are_refused(said: str, behind: str) -> None:
    with pytest.raises(FrameError):
        unpack(f"{said}\n{behind}".encode())


def test_texts_behind_a_frame_come_as_they_are() -> None:
    texts = ["", 'a "b" \\ \x00', "\n\n", "é😀", ""]
    assert unpack(pack({"n": 1}, texts)[4:]) == {"n": 1, "texts": texts}
    assert unpack(pack({"n": 1})[4:]) == {"n": 1}
    for wrong in ("\ud800", "a\udfff"):
        with pytest.raises(FrameError):
            pack({"n": 1}, [wrong])


LONG = "x" * 8193
RESULTS: list[Any] = [
    None,
    [],
    ["o", 0.5, False, False, {}],
    ("o", 0.5, False, False),
    ("o", 0.5, False, {}),
    ("o", 1, False, False, {}),
    ("o", True, False, False, {}),
    ("o", 1.5, False, False, {}),
    ("o", float("nan"), False, False, {}),
    (b"o", 0.5, False, False, {}),
    ("é", 0.5, False, False, {}),
    ("o" * 101, 0.5, False, False, {}),
    ("o", 0.5, True, False, {}),
    ("o", 0.5, False, True, {}),
    ("o", 0.5, 0, False, {}),
    ("o", 0.5, False, None, {}),
    ("o", 0.5, False, False, None),
    ("o", 0.5, False, False, []),
    *(("o", 0.5, False, False, {"k": item}) for item in (2**63, float("inf"), [], {}, "é", LONG, b"x", 1j, print)),
    ("o", 0.5, False, False, {"l": 1}),
]


@pytest.mark.parametrize("result", RESULTS)
def test_no_row_is_made_of_what_is_not_plain_or_tells_something_else(result: Any) -> None:
    info = result[-1] if type(result) is tuple else {}
    assert row(result, 100, list(info) if type(info) is dict and info.keys() != {"l"} else ["k"]) is None


@pytest.mark.parametrize("item", [1, -(2**63), 2**63 - 1, 0.5, -0.0, True, None, "", "x", LONG[1:]])
def test_a_row_tells_what_an_ordinary_turn_tells(item: Any) -> None:
    result = ("o" * 100, -1.0, False, False, {"k": item, "l": "x"})
    values = ordinary(result, 100)
    assert values is not None and row(result, 100, list(result[4])) == (*values[:2], *values[2].values())
    assert row(result, 100, ["l", "k"]) is None and row(result, 99, list(result[4])) is None


def test_a_row_tells_neither_more_nor_fewer_keys() -> None:
    for info in ({}, {"k": 1, "l": 2}, {1: 1}, {None: 1}):
        assert row(("o", 0.5, False, False, info), 100, ["k"]) is None


def test_a_row_runs_none_of_the_code_of_its_keys() -> None:
    class Key(str):
        def __eq__(self, other: object) -> bool:
            raise AssertionError("compared")

        __hash__ = str.__hash__

    assert row(("o", 0.5, False, False, {Key("k"): 1}), 100, ["k"]) is None


def test_columns_go_on_with_the_keys_of_the_frame_before() -> None:
    columns = Columns(["k"])
    columns.add(("a", 0.0, 1))
    assert not columns.take(["b", 0.0, {"l": 1}]) and columns.take(["b", 0.0, {"k": 2}])
    assert columns.told() == (["a", "b"], [[0.0, 0.0], ["k"], [[1, 2]]])
    other = Columns(["k"])
    assert other.take(["b", 0.0, {"l": 1}]) and other.names == ["l"]


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
        (3, [[1, "x"], [None, []]]),
        (3, [[1, "x"], [None, {}]]),
        (3, [[1, "x"], [None, "é"]]),
        (3, [[1, "x"], [None, float("inf")]]),
        (3, [[1, "x"], "no"]),
        (3, [[1, "x"], []]),
        (3, [[1, "x"], [1, 2, 3]]),
        (3, [[1, "x"], ["é"]]),
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
