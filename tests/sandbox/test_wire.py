"""The worker's end of the socket: when it looks, when it offers the processor, and when it sleeps."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from spade_envs.sandbox import wire
from spade_envs.sandbox.frames import Buffer, FrameError, pack, unpack


class Machine:
    """A clock that runs on with every look, and a message that comes after so many seconds or when it is waited for."""

    def __init__(self) -> None:
        self.now, self.comes, self.done = 0.0, 0.0, list[str]()

    def read(self, fd: int, size: int) -> bytes:
        self.now += 1e-6
        if self.now < self.comes:
            self.done.append("look")
            raise BlockingIOError
        return pack({"at": self.now})

    def poll(self) -> None:
        self.done.append("sleep")
        self.now = max(self.now, self.comes)

    def sched_yield(self) -> None:
        self.done.append("offer")
        self.now += 1e-6


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    one = Machine()
    poll = SimpleNamespace(register=lambda *_: None, poll=one.poll)
    known = {"read": one.read, "sched_yield": one.sched_yield, "set_blocking": lambda *_: None}
    monkeypatch.setattr(wire, "os", SimpleNamespace(**known, sched_getaffinity=lambda _: {0, 1}, _exit=os._exit))
    monkeypatch.setattr(wire, "select", SimpleNamespace(poll=lambda: poll, POLLIN=1, POLLOUT=4))
    monkeypatch.setattr(wire, "time", SimpleNamespace(monotonic=lambda: one.now))
    yield one


def received(one: wire.Wire, machine: Machine, after: float) -> list[str]:
    """What is done until a message comes that is sent ``after`` seconds."""
    machine.done, machine.comes = [], machine.now + after
    assert one.receive()["at"] >= machine.comes
    return machine.done


def test_it_stays_awake_only_while_messages_follow_at_once(machine: Machine) -> None:
    one = wire.Wire(3)
    soon = received(one, machine, wire.EAGER_SECONDS / 2)
    assert "sleep" not in soon and soon[:21] == ["look"] * 21 and "offer" in soon
    late = received(one, machine, 3600.0)
    assert late.count("sleep") == 1 and late[-1] == "sleep" and len(late) < wire.EAGER_SECONDS / 1e-6 + 10
    assert received(one, machine, 3600.0) == ["look", "sleep"], "the last one took long: nobody is in a hurry"
    assert received(one, machine, wire.EAGER_SECONDS / 2) == ["look", "sleep"]
    assert "sleep" not in received(one, machine, wire.EAGER_SECONDS / 2), "the last one came soon again"
    assert received(one, machine, 0.0) == []


def test_on_one_processor_looking_would_keep_the_host_from_sending(machine: Machine) -> None:
    wire.os.sched_getaffinity = lambda _: {0}  # type: ignore[attr-defined]  # a stand-in
    one = wire.Wire(3)
    for _ in range(3):
        assert received(one, machine, 1e-4) == ["look", "sleep"]


def test_a_large_value_waits_for_room_and_arrives_whole() -> None:
    ours, theirs = socket.socketpair()
    one, value = wire.Wire(theirs.fileno()), {"text": "x" * 3_000_000}
    buffer, got = Buffer(), list[Any]()

    class Room:
        def poll(self) -> None:
            """The socket is full: take what is there."""
            buffer.feed(ours.recv(1 << 20))

    one._room = Room()  # type: ignore[assignment]  # a stand-in
    one.send(value)
    while (body := buffer.take()) is None:
        buffer.feed(ours.recv(1 << 20))
    got.append(unpack(body))
    assert got == [value] and buffer.empty
    with pytest.raises(FrameError):
        one.send({"text": "\ud800"})
    ours.setblocking(False)
    with pytest.raises(BlockingIOError):
        ours.recv(1)
    ours.close()
    theirs.close()
