"""Lanes: bounded, fair, and gone when idle."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import pytest

from spade_envs import lanes as lanes_module
from spade_envs.lanes import Lane, Lanes

PATIENCE = 30.0
"""Seconds after which a wait fails the test."""


class Gate:
    """A lane whose serving waits until it is let go."""

    def __init__(self, lanes: Lanes[str], log: list[str], name: str = "") -> None:
        self.log, self.name = log, name
        self.serving, self.go, self.left = threading.Event(), threading.Event(), threading.Event()
        self.lane = Lane(lanes, self.serve, self.leave)

    def serve(self, calls: Sequence[str]) -> None:
        self.serving.set()
        assert self.go.wait(PATIENCE)
        self.log.append(self.name + "+".join(calls))

    def leave(self) -> None:
        self.left.set()


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that other threads do, without a fixed sleep."""
    pause = threading.Event()
    for _ in range(3000):
        if holds():
            return
        pause.wait(0.01)
    raise AssertionError("it never happened")


def test_calls_that_are_pending_together_are_served_together() -> None:
    lanes: Lanes[str] = Lanes(1, 60.0)
    gate = Gate(lanes, log := [])
    lanes.ask(gate.lane, "a")
    assert gate.serving.wait(PATIENCE)
    for call in "bcd":
        lanes.ask(gate.lane, call)
    gate.go.set()
    until(lambda: len(log) == 2)
    assert lanes.close() == [] and log == ["a", "b+c+d"]
    lanes.join()
    assert gate.left.is_set()


def test_never_more_than_most_are_served_and_idle_ones_make_way() -> None:
    lanes: Lanes[str] = Lanes(2, 60.0)
    log: list[str] = []
    gates = [Gate(lanes, log, str(at)) for at in range(4)]
    for gate in gates:
        lanes.ask(gate.lane, "x")
    assert gates[0].serving.wait(PATIENCE) and gates[1].serving.wait(PATIENCE)
    assert not gates[2].serving.is_set() and not gates[3].serving.is_set() and len(lanes.threads) == 2
    gates[0].go.set()  # it becomes idle, and leaves at once
    assert gates[2].serving.wait(PATIENCE) and gates[0].left.is_set()
    assert not gates[3].serving.is_set() and not gates[1].left.is_set()
    for gate in gates:
        gate.go.set()
    assert gates[3].serving.wait(PATIENCE)
    until(lambda: len(log) == 4)
    lanes.close()
    lanes.join()
    assert sorted(log) == ["0x", "1x", "2x", "3x"] and lanes.free == 2


def test_a_busy_lane_leaves_when_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes_module, "TENURE_SECONDS", 0.0)
    lanes: Lanes[str] = Lanes(1, 60.0)
    log: list[str] = []
    busy, other = Gate(lanes, log, "busy "), Gate(lanes, log, "other ")
    lanes.ask(busy.lane, "a")
    assert busy.serving.wait(PATIENCE)
    lanes.ask(busy.lane, "b")
    lanes.ask(other.lane, "c")
    other.go.set()
    busy.go.set()
    until(lambda: len(log) == 3)
    assert log == ["busy a", "other c", "busy b"]
    lanes.close()
    lanes.join()


def test_a_lane_with_nothing_to_do_leaves_and_comes_back() -> None:
    lanes: Lanes[str] = Lanes(1, 0.01)
    gate = Gate(lanes, log := [])
    gate.go.set()
    for call in "ab":
        gate.left.clear()
        lanes.ask(gate.lane, call)
        assert gate.left.wait(PATIENCE)
    assert log == ["a", "b"]
    until(lambda: lanes.free == 1 and not lanes.threads)


def test_closing_gives_back_what_was_not_begun() -> None:
    lanes: Lanes[str] = Lanes(1, 60.0)
    gates = [Gate(lanes, []) for _ in range(2)]
    lanes.ask(gates[0].lane, "begun")
    assert gates[0].serving.wait(PATIENCE)
    lanes.ask(gates[0].lane, "pending")
    lanes.ask(gates[1].lane, "waiting")
    assert sorted(lanes.close()) == ["pending", "waiting"]
    assert lanes.ask(gates[1].lane, "late") is False
    gates[0].go.set()
    lanes.join()
    assert gates[0].left.is_set() and not gates[1].serving.is_set()


@pytest.mark.parametrize(("most", "idle"), [(0, 1.0), (1, 0.0), (1, float("nan"))])
def test_numbers_that_make_no_sense(most: int, idle: float) -> None:
    with pytest.raises(ValueError, match="most must be 1 or more"):
        Lanes(most, idle)
