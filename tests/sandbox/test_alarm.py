"""The worker's clock: when a call has had its time, and when it was the machine that was slow."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from spade_envs.sandbox import columns, worker
from spade_envs.sandbox.frames import apart

Tick = Callable[..., bool]


@pytest.fixture
def tick(monkeypatch: pytest.MonkeyPatch) -> Tick:
    """Lets an alarm come at a moment of a call that may take 4 seconds; whether it ends the call."""
    clock = SimpleNamespace(now=100.0, used=0.0)
    timers: list[tuple[Any, ...]] = []
    monkeypatch.setattr(worker, "time", SimpleNamespace(monotonic=lambda: clock.now, process_time=lambda: clock.used))
    monkeypatch.setattr(worker.signal, "setitimer", lambda *how: timers.append(how))
    one = worker.Worker(None, {})

    def come(*, begun: float = 100.0, after: float, used: float, armed: bool = True) -> bool:
        one.soft, one.begun, one.armed, one.tick = 4.0, begun, armed, 0.1
        clock.now, clock.used = begun + after, used
        timers.clear()
        try:
            one.alarm()
        except worker.SoftLimit:
            return True
        assert timers == ([] if armed else [(signal.ITIMER_REAL, 0.0)]) and (one.tick > 0) == armed
        return False

    return come


def test_a_call_that_computes_has_its_time_and_no_more(tick: Tick) -> None:
    assert [tick(after=at, used=at) for at in (0.1, 2.0, 3.9, 4.0, 4.1)] == [False, False, False, True, True]


def test_a_call_that_hardly_got_the_processor_has_more(tick: Tick) -> None:
    assert [tick(after=at, used=at / 10) for at in (0.1, 4.0, 10.0, 15.9)] == [False] * 4
    assert tick(after=16.0, used=1.6), "but not for ever"
    assert tick(begun=200.0, after=4.0, used=5.0), "half of its time, and the time is over"


def test_what_earlier_calls_used_does_not_count(tick: Tick) -> None:
    assert not tick(after=3.9, used=3.9)
    assert not tick(begun=103.9, after=0.1, used=4.0)
    assert not tick(begun=103.9, after=4.0, used=4.1), "0.2 of 4 seconds"
    assert tick(begun=103.9, after=8.0, used=8.0)


def test_nothing_is_ended_between_calls(tick: Tick) -> None:
    assert not tick(after=50.0, used=50.0, armed=False)


def test_a_call_that_swallows_its_limit_ends_the_process(tick: Tick, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[int] = []
    monkeypatch.setattr(worker.os, "_exit", left.append)
    for _ in range(worker.MOST_IGNORED):
        assert tick(after=5.0, used=5.0)
    assert not left
    tick(after=5.0, used=5.0)
    assert left == [worker.IGNORED_LIMIT]


def many(
    monkeypatch: pytest.MonkeyPatch,
    ends: dict[int, str],
    *,
    exact: bool = False,
    page: bool = True,
    count: int = 5,
    whole: bool = False,
    rows: bool = False,
) -> list[Any]:
    """Frames for steps of five instances and a reset; ``ends`` says what becomes of some."""
    spent = [0.0]
    clock = SimpleNamespace(monotonic=lambda: spent[0], process_time=lambda: 0.0)
    monkeypatch.setattr(worker, "time", clock)
    one = worker.Worker(SimpleNamespace(columns=columns), {})
    one.page = bytearray(worker.PROGRESS.size) if page else None
    noted: list[Any] = []

    def run(call: Any, asked: Any, soft: float) -> Any:
        if type(asked) is dict:
            assert asked["op"] == "reset"
            asked = asked["id"], asked["seed"]
        elif type(asked[0]) is list:
            asked, names = asked
            assert (names is None) == (exact or not page or (len(asked) > 3 and asked[4]))
        number = asked[0]
        noted.append((number, *(worker.PROGRESS.unpack(one.page) if page else ())))
        assert soft == (1.0 if type(asked) is list else 2.0)
        if type(asked) is tuple:
            return {"ok": f"began {asked[1]}"}
        end = ends.get(number, "")
        if end == "failed":
            return {"fault": end}
        if end == "slow":
            spent[0] += 0.5
            return [asked[1], 0.5, {}]
        if rows and not end and names is not None:
            return asked[1], 0.5
        repairs = ["bare_reset"] if end == "mended" else []
        return [asked[1], 0.5, end == "won", end == "cut", {}, repairs] if end else [asked[1], 0.5, {}]

    monkeypatch.setattr(one, "run", run)
    items = [[at, f"a{at}", [], 70 + at, at == 4] for at in range(count)]
    how = {"steps": 1.0, "resets": 2.0, "exact": exact, "whole": whole}
    message = {"op": "many", "n": 9, **how, "items": [*items, [count, 3, False]]}
    frames = list(one.answers(message))
    for frame in frames:
        assert not (exact or not page) or "columns" not in frame
        frame["answers"] = columns.spread(*columns.restored(frame))
        frame.pop("columns", None)
        del frame["texts"]
    if page:
        assert all(entry[1:] == (9, entry[0]) for entry in noted), "the host knows which call has begun"
    return frames


def test_answers_go_together_and_episodes_that_ended_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    (frame,) = many(monkeypatch, {1: "won", 2: "cut", 3: "mended"})
    assert (frame["i"], frame["last"]) == (0, True)
    assert frame["answers"] == [
        ["a0", 0.5, {}],
        ["a1", 0.5, True, False, {}, [], {"ok": "began 71"}],
        ["a2", 0.5, False, True, {}, [], {"ok": "began 72"}],
        ["a3", 0.5, False, False, {}, ["bare_reset"]],
        ["a4", 0.5, False, False, {}, [], {"ok": "began 74"}],
        {"ok": "began 3"},
    ]


def test_a_fault_is_sent_at_once_and_nothing_begins_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = many(monkeypatch, {4: "failed"})
    assert first["answers"][4] == {"fault": "failed"} and len(first["answers"]) == 5 and not first["last"]
    assert second == {"i": 5, "last": True, "answers": [{"ok": "began 3"}]}


def test_an_answer_that_took_long_waits_for_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = many(monkeypatch, {1: "slow", 2: "slow"})
    assert [len(frame["answers"]) for frame in (first, second, third)] == [2, 1, 3]


def test_a_large_batch_is_answered_in_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [len(frame["answers"]) for frame in many(monkeypatch, {}, count=99)]
    assert sizes == [50, 25, 16, 9] and worker.LEAST_HELD == 16


def test_a_batch_is_answered_as_a_whole_where_the_host_would_be_in_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    (whole,) = many(monkeypatch, {}, count=99, whole=True)
    assert len(whole["answers"]) == 100
    assert [len(frame["answers"]) for frame in many(monkeypatch, {3: "slow"}, count=99, whole=True)] == [4, 96]


@pytest.mark.parametrize("ends", [{}, {0: "won", 3: "mended"}, {2: "failed"}])
def test_turns_taken_as_rows_are_told_like_others(monkeypatch: pytest.MonkeyPatch, ends: dict[int, str]) -> None:
    assert many(monkeypatch, ends, rows=True, count=40) == many(monkeypatch, ends, count=40)


@pytest.mark.parametrize(("exact", "page"), [(True, True), (False, False)])
def test_answers_go_alone_where_it_matters(monkeypatch: pytest.MonkeyPatch, exact: bool, page: bool) -> None:
    frames = many(monkeypatch, {}, exact=exact, page=page)
    assert [(frame["i"], frame["last"], len(frame["answers"])) for frame in frames] == [
        (at, at == 5, 1) for at in range(6)
    ]
    assert frames == [one for together in many(monkeypatch, {}) for one in apart(together)]
