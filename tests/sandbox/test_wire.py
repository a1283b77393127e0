"""The worker's end of the socket: when it looks and when it sleeps."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from spade_envs.sandbox import wire
from spade_envs.sandbox.frames import Buffer, FrameError, pack, unpack


@pytest.mark.parametrize(("processors", "soon", "looks"), [(2, True, wire.LOOKS), (2, False, 1), (1, True, 1)])
def test_it_looks_a_few_times_and_sleeps(
    monkeypatch: pytest.MonkeyPatch, processors: int, soon: bool, looks: int
) -> None:
    ours, theirs = socket.socketpair()
    monkeypatch.setattr(wire.os, "sched_getaffinity", lambda _: set(range(processors)))
    one, looked, slept, read = wire.Wire(theirs.fileno()), list[int](), list[int](), wire.os.read

    def looking(fd: int, size: int) -> bytes:
        looked.append(fd)
        return read(fd, size)

    class Asleep:
        def poll(self) -> None:
            """As long as it takes."""
            slept.append(len(looked))
            ours.send(pack({"a": 1}))

    monkeypatch.setattr(wire.os, "read", looking)
    one._wait = Asleep()  # type: ignore[assignment]  # a stand-in
    assert one.receive(soon=soon) == {"a": 1}
    assert slept == [looks + 1] and len(looked) == looks + 2
    ours.send(pack([1]) + pack([2]))
    assert [one.receive(soon=soon), one.receive(soon=soon)] == [[1], [2]] and len(slept) == 1
    ours.close()
    theirs.close()


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
