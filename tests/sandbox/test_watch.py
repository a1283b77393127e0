"""When a process looks for a message, when it offers its processor, and when it sleeps."""

from __future__ import annotations

import itertools

import pytest

from spade_envs.sandbox import watch
from spade_envs.sandbox.watch import EAGER_SECONDS, LONGEST_REST, LOOKS, SHORTEST_REST, TAKEN_SECONDS, Watch

STEP = EAGER_SECONDS / 10


class World:
    """A clock that moves when the processor is offered, and a message that comes at some look."""

    def __init__(self) -> None:
        self.now, self.away = 100.0, STEP
        self.looks = self.yields = 0
        self.comes = -1

    def monotonic(self) -> float:
        return self.now

    def sched_yield(self) -> None:
        self.yields += 1
        self.now += self.away

    def read(self) -> bytes:
        self.looks += 1
        if self.looks == self.comes:
            return b"x"
        raise BlockingIOError


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    one = World()
    monkeypatch.setattr(watch, "time", one)
    monkeypatch.setattr(watch.os, "sched_yield", one.sched_yield)
    monkeypatch.setattr(watch, "processors", lambda: 2)
    return one


def looking(world: World, one: Watch, comes: int = -1) -> bytes | None:
    """A look for a message that comes at a look, counted from now."""
    world.looks = world.yields = 0
    world.comes = comes
    return one.look(world.read)


def test_what_is_there_is_taken_without_a_pause(world: World) -> None:
    one = Watch()
    for comes in (1, LOOKS):
        assert looking(world, one, comes) == b"x" and world.looks == comes and world.yields == 0


def test_it_looks_for_a_while_offering_the_processor_and_sleeps(world: World) -> None:
    one = Watch()
    assert looking(world, one, LOOKS + 5) == b"x" and world.yields == 5
    assert looking(world, one) is None and world.now - 100.0 >= EAGER_SECONDS
    assert world.looks - LOOKS == world.yields <= EAGER_SECONDS / STEP + 1


def test_who_has_waited_for_long_sleeps_soon_until_something_comes_soon(world: World) -> None:
    one = Watch()
    assert looking(world, one) is None and world.yields > 0
    world.now += 5.0
    one.woken()
    for pause in (5.0, EAGER_SECONDS / 2):
        assert looking(world, one) is None and (world.looks, world.yields) == (LOOKS, 0), "the last came late"
        world.now += pause
        one.woken()
    assert looking(world, one, LOOKS + 1) == b"x"


def test_whoever_loses_the_processor_rests_ever_longer(world: World) -> None:
    one, rests = Watch(), list[float]()
    for _ in range(12):
        world.away = TAKEN_SECONDS * 2
        assert looking(world, one, LOOKS + 1) is None and world.yields == 1 and world.looks == LOOKS
        taken, world.away = world.now, STEP
        one.woken()
        while looking(world, one) is None and world.yields == 0:
            world.now += SHORTEST_REST / 4
            one.woken()
            one._soon = True
        rests.append(world.now - taken)
        one._soon = True
    assert rests[0] < SHORTEST_REST * 1.5 and LONGEST_REST <= rests[-1] < LONGEST_REST * 1.1
    assert all(later > rest * 1.5 for rest, later in itertools.pairwise(rests[:7]))
    for _ in range(10):
        assert looking(world, one, LOOKS + 1) == b"x"
    assert one._rest == SHORTEST_REST, "nobody wanted it for ten messages"


@pytest.mark.parametrize("count", [1, 2])
def test_one_processor_is_left_to_the_other_at_once(world: World, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    def processors() -> int:
        return count

    monkeypatch.setattr(watch, "processors", processors)
    assert looking(world, Watch()) is None
    assert (world.looks == 1) == (world.yields == 0) == (count == 1)
