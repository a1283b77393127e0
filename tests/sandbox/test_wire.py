"""The worker's end of the socket: whole messages come in, answers go out."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from spade_envs.sandbox import frames, wire
from spade_envs.sandbox.frames import LARGEST, Buffer, FrameError, order, understand, unpack


def test_it_looks_and_sleeps_until_a_whole_message_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair()
    one, slept, woken = wire.Wire(theirs.fileno()), list[bytes](), list[bool]()
    parts = [order({"a": 1})[:3], order({"a": 1})[3:] + order([2])]

    class Asleep:
        def poll(self) -> None:
            """As long as it takes."""
            slept.append(parts.pop(0))
            ours.send(slept[-1])

    monkeypatch.setattr(one._watch, "woken", lambda: woken.append(True))
    one._wait = Asleep()  # type: ignore[assignment]  # a stand-in
    assert one.receive() == {"a": 1} and one.receive() == [2]
    assert len(slept) == len(woken) == 2
    ours.close()
    theirs.close()


@pytest.mark.parametrize(
    "value", [None, True, -1, 2**80, 0.1, "é\x00", ["a", ("b",)], {"op": "many", "items": [(1, "x", ())]}]
)
def test_what_the_host_says_is_understood(value: Any) -> None:
    assert understand(order(value)[4:]) == value


def test_what_only_json_takes_is_said_all_the_same() -> None:
    class Text(str):
        pass

    class Number(int):
        pass

    said = understand(order({"text": Text("a"), "number": Number(3)})[4:])
    assert said == {"text": "a", "number": 3} and type(said["text"]) is str and type(said["number"]) is int
    for wrong in (object(), [{1, object()}], "x" * (LARGEST + 1)):
        with pytest.raises(FrameError):
            order(wrong)


def test_the_host_never_reads_marshal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames.marshal, "loads", lambda _: pytest.fail("marshal was read"))
    with pytest.raises(FrameError):
        unpack(order({"a": 1})[4:])


def test_a_large_value_waits_for_room_and_arrives_whole() -> None:
    ours, theirs = socket.socketpair()
    one, value = wire.Wire(theirs.fileno()), {"text": "x" * 3_000_000}
    buffer, got = Buffer(), list[Any]()

    class Room:
        def poll(self) -> None:
            """The socket is full: take what is there."""
            buffer.feed(ours.recv(1 << 20))

    one._room = Room()  # type: ignore[assignment]  # a stand-in
    one.send(value, ["behind"])
    while (body := buffer.take()) is None:
        buffer.feed(ours.recv(1 << 20))
    got.append(unpack(body))
    assert got == [{**value, "texts": ["behind"]}] and buffer.empty
    with pytest.raises(FrameError):
        one.send({"text": "\ud800"})
    ours.setblocking(False)
    with pytest.raises(BlockingIOError):
        ours.recv(1)
    ours.close()
    theirs.close()
