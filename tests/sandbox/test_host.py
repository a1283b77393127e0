"""The host's side of a worker, against a peer that is none: a thread that answers what the test wants."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from spade_envs.actions import Action
from spade_envs.errors import SandboxError
from spade_envs.sandbox import batches, frames, host
from spade_envs.sandbox.batches import Calls, exchange
from spade_envs.sandbox.boxed import BoxedEnv
from spade_envs.sandbox.checked import StepAnswer
from spade_envs.sandbox.host import BoxOptions, Worker
from spade_envs.types import Fault, FaultKind, Isolation, Limits

LIMITS = Limits(step_seconds=0.2, grace_seconds=0.1)
READY = {"n": 0, "ok": {"level": "seccomp", "abi": 0, "notes": ["no landlock"]}}
Say = Callable[[socket.socket, dict[str, Any]], None]


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Worker]]:
    """Makes workers whose peer answers each question as ``say`` does."""
    made: list[Worker] = []

    def start(say: Say, *, ready: Any = READY, **options: Any) -> Worker:
        def serve(sock: socket.socket) -> None:
            buffer = frames.Buffer()
            first = True
            try:
                while data := sock.recv(1 << 16):
                    buffer.feed(data)
                    while (body := buffer.take()) is not None:
                        if first:
                            sock.sendall(frames.pack(ready))
                        else:
                            say(sock, frames.understand(body))
                        first = False
            except OSError:
                pass
            finally:
                sock.close()

        def peer(theirs: socket.socket, *_: int, **wanted: bool) -> Any:
            threading.Thread(target=serve, args=(theirs.dup(),), daemon=True).start()
            return SimpleNamespace(pid=0, kill=lambda: None, wait=lambda timeout: 7, returncode=0)

        monkeypatch.setattr(host, "start", peer)
        made.append(Worker("", LIMITS, BoxOptions(**options)))
        return made[-1]

    yield start
    for one in made:
        one.kill()


def answering(*answers: Any) -> Say:
    """Answers each question with these frames; ``n`` is the question's number plus what is given, 0 by default, and
    ``behind`` are texts."""

    def say(sock: socket.socket, question: dict[str, Any]) -> None:
        data = b""
        for answer in answers:
            if type(answer) is dict:
                texts = answer.get("behind", ())
                answer = {key: value for key, value in answer.items() if key != "behind"}
                data += frames.pack({**answer, "n": question["n"] + answer.get("n", 0)}, texts)
            else:
                data += frames.pack(answer)
        sock.sendall(data)

    return say


def kind(answer: Any) -> Any:
    return answer.kind if isinstance(answer, Fault) else answer


def test_an_answer_is_its_value(worker: Callable[..., Worker]) -> None:
    one = worker(answering({"ok": [1]}))
    assert [one.ask("step", 0.2), one.ask("step", 0.2)] == [[1], [1]] and one.dead is None
    assert (one.isolation, one.notes) == (Isolation.SECCOMP, ("no landlock",))


@pytest.mark.parametrize(
    "answers",
    [
        [{"ok": 1}, {"ok": 2}],
        [{"ok": 1}, {"ok": 2, "n": 1}],
        [{"ok": 1, "n": 1}],
        [{"ok": 1, "n": -1}],
        [[1]],
        ["text"],
        [{}],
        [{"fault": None}],
        [{"fault": {"kind": "rm"}}],
        [{"fault": {"kind": ["raised"]}}],
        [{"fault": {}}],
    ],
)
def test_anything_else_is_a_lie_and_the_end(worker: Callable[..., Worker], answers: list[Any]) -> None:
    one = worker(answering(*answers))
    assert kind(one.ask("step", 0.2)) is FaultKind.LIED and one.dead is not None
    assert one.ask("step", 0.2) is one.dead


@pytest.mark.parametrize("spent", list(FaultKind))
def test_only_a_worker_without_memory_is_spent(worker: Callable[..., Worker], spent: FaultKind) -> None:
    one = worker(answering({"fault": {"kind": spent.value, "message": "m", "line": 3, "field": "f"}}))
    assert one.ask("step", 0.2) == Fault(spent, "step", "m", 3, "f")
    assert (one.dead is not None) == (spent is FaultKind.MEMORY)


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ({"line": True, "message": 7, "field": None}, ("", None, "")),
        ({"line": 0, "message": "m" * 2000, "field": "f" * 99}, ("m" * 1000, None, "f" * 40)),
        ({"line": 10**7, "message": "m"}, ("m", None, "")),
    ],
)
def test_faults_are_told_in_plain_words(worker: Callable[..., Worker], told: Any, wanted: Any) -> None:
    answer = worker(answering({"fault": {"kind": "raised", **told}})).ask("step", 0.2)
    assert (answer.message, answer.line, answer.field) == wanted


TURN = ["o", 0.5, False, False, {}, []]
ORDINARY = ["o", 0.5, {}]
RESET = {"ok": {"observation": "r", "info": {}, "tools": [], "tool_base": False, "max_turns": 3, "repairs": []}}
COLUMNS = [[0.5, 0.5], ["k"], [[7, "x"]]]
HUNGRY = {"fault": {"kind": "memory"}}


def asked(one: Worker, *, exact: bool = True) -> list[Any]:
    """What becomes of a step, a reset and another step in one message."""
    calls = Calls([BoxedEnv(one, at) for at in range(3)], [Action("a"), 7, Action("a")])
    answers = exchange(calls, exact=exact)
    return [kind(answer) if isinstance(answer, Fault) else answer.observation for answer in answers]


def group(first: Any, *answers: Any, last: Any = False) -> dict[str, Any]:
    """A frame of answers."""
    return {"i": first, "last": last, "answers": list(answers)}


@pytest.mark.parametrize(
    ("answers", "wanted"),
    [
        ([group(0, TURN), group(1, RESET), group(2, TURN, last=True)], ["o", "r", "o"]),
        ([group(0, TURN, RESET, TURN, last=True)], ["o", "r", "o"]),
        ([group(0, TURN), group(1, RESET, TURN, last=True)], ["o", "r", "o"]),
        ([group(0, ORDINARY, RESET, ORDINARY, last=True)], ["o", "r", "o"]),
        ([group(0, TURN, RESET, ["o", 1.5, {}], last=True)], ["o", "r", "lied"]),
        ([group(0, ["o", 0.5, []], RESET, TURN, last=True)], ["lied", "lost", "lost"]),
        ([group(0, ORDINARY), group(1, ORDINARY)], ["o", "lied", "lost"]),
        ([group(0, [*ORDINARY, RESET])], ["lied", "lost", "lost"]),
        ([group(0, {"fault": {"kind": "raised"}}, RESET), group(2, TURN, last=True)], ["raised", "r", "o"]),
        ([group(0, TURN, HUNGRY), group(2, TURN, last=True)], ["o", "memory", "lost"]),
        ([group(0, TURN), group(2, TURN, last=True)], ["o", "lied", "lost"]),
        ([group(0, None, RESET, TURN, last=True)], ["lied", "lost", "lost"]),
        ([group(0, None, RESET, None, last=True) | {"columns": COLUMNS, "behind": "cd"}], ["lied", "lost", "lost"]),
        ([group(0, TURN, RESET, TURN)], ["lied", "lost", "lost"]),
        ([group(0, TURN, RESET, last=True)], ["lied", "lost", "lost"]),
        ([group(0, TURN, RESET, TURN, TURN, last=True)], ["lied", "lost", "lost"]),
        ([group(0, last=True)], ["lied", "lost", "lost"]),
        ([group(True, TURN)], ["lied", "lost", "lost"]),
        ([{"ok": TURN}], ["lied", "lost", "lost"]),
        ([{"i": 0, "last": False, "answers": {"ok": TURN}}], ["lied", "lost", "lost"]),
        ([group(0, RESET)], ["lied", "lost", "lost"]),
        ([group(0, TURN), group(1, TURN)], ["o", "lied", "lost"]),
        ([group(0, TURN), group(1, RESET)], ["o", "r", "hung"]),
        ([group(0, TURN, RESET), group(2, TURN, last=True), group(3, TURN, last=True)], ["o", "r", "lied"]),
    ],
)
def test_calls_in_one_message_are_each_ones_own(
    worker: Callable[..., Worker], answers: list[Any], wanted: list[str]
) -> None:
    one = worker(answering(*answers))
    assert asked(one) == wanted
    assert (one.dead is None) == (not {"memory", "lied", "hung"} & set(wanted))
    if one.dead is not None:
        assert asked(one) == ["lost"] * 3, "nobody's fault: it had ended before"


@pytest.mark.parametrize(
    ("answers", "columns", "texts", "wanted"),
    [
        ([None, RESET, None], COLUMNS, "cd", ["c", "r", "d"]),
        ([None, RESET, None], [[0.5, 0.5], ["k"], [["x"]]], "cd", ["c", "r", "d"]),
        ([None, RESET, TURN], [[0.5], ["k"], [[7]]], "c", ["c", "r", "o"]),
        ([None, RESET, {"fault": {"kind": "raised"}}], [[0.5], [], []], "c", ["c", "r", "raised"]),
        ([None, RESET, TURN], COLUMNS, "cd", ["lost"] * 3),
        ([TURN, RESET, TURN], COLUMNS, "cd", ["lost"] * 3),
        ([TURN, None, None], COLUMNS, "cd", ["lost"] * 3),
        ([None, RESET, None], COLUMNS, "", ["lost"] * 3),
        ([None, RESET, None], COLUMNS, "c", ["lost"] * 3),
        ([None, RESET, None], COLUMNS, "cde", ["lost"] * 3),
        ([None, RESET, None], [[0.5, 0.5], ["k"], [[]]], "cd", ["lost"] * 3),
        ([None, RESET, None], [[0.5, 7.0], [], []], "cd", ["lost"] * 3),
        ([None, RESET, None], None, "cd", ["lost"] * 3),
        ([TURN, RESET, TURN], None, "c", ["lost"] * 3),
        ([TURN, RESET, TURN], 7, "", ["lost"] * 3),
        ([[*TURN, ["r", {}, None]], RESET, TURN], None, "cd", ["lost"] * 3),
        ([[None, *TURN[1:], [None, {}, None]], RESET, TURN], None, "", ["lied", "lost", "lost"]),
    ],
)
def test_turns_told_in_columns(
    worker: Callable[..., Worker], answers: Any, columns: Any, texts: str, wanted: list[str]
) -> None:
    told = {} if columns is None else {"columns": columns}
    one = worker(answering(group(0, *answers, last=True) | told | {"behind": tuple(texts)}))
    assert asked(one, exact=False) == wanted
    assert (one.dead is None) == ("lost" not in wanted), "who lied is ended, and nobody knows in whose name"


@pytest.mark.parametrize("garbage", [group(1, TURN), "nothing"])
def test_who_sent_garbage_is_told_where_answers_come_one_by_one(worker: Callable[..., Worker], garbage: Any) -> None:
    for exact, wanted in ((False, ["lost"] * 3), (True, ["lied", "lost", "lost"])):
        assert asked(worker(answering(garbage, group(0, TURN, RESET, TURN, last=True))), exact=exact) == wanted


@pytest.mark.parametrize(("processors", "crowded"), [(1, True), (2, True), (3, False)])
def test_nobody_looks_where_workers_need_the_processors(
    worker: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch, processors: int, crowded: bool
) -> None:
    whole: list[bool] = []
    looked: list[Worker] = []

    def say(sock: socket.socket, question: dict[str, Any]) -> None:
        whole.append(question["whole"])
        answering(group(0, TURN, last=True))(sock, question)

    monkeypatch.setattr(batches, "processors", lambda: processors)
    workers = [worker(say), worker(say)]
    for one in workers:
        one.wait_ready()
        monkeypatch.setattr(one._watch, "look", lambda read, one=one: looked.append(one))
    answers = exchange(Calls([BoxedEnv(one, 0) for one in workers], [Action("a")] * 2))
    assert answers == [StepAnswer("o", 0.5, False, False, {}, ())] * 2
    assert whole == [crowded] * 2 and set(looked) == (set() if crowded else set(workers))


def test_who_has_slept_says_so(worker: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = threading.Event()

    def say(sock: socket.socket, question: dict[str, Any]) -> None:
        asked.wait(5.0)
        answering({"ok": 1})(sock, question)

    one, woken = worker(say), list[bool]()
    one.wait_ready()
    monkeypatch.setattr(one._watch, "look", lambda read: asked.set())
    monkeypatch.setattr(one._watch, "woken", lambda: woken.append(True))
    assert one.ask("step", 5.0) == 1 and woken == [True]


def test_a_message_that_was_left_alone_is_skipped(
    worker: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after Ctrl-C: what still comes of it answers nothing else."""
    one = worker(answering(group(0, TURN), group(1, RESET), group(2, TURN, last=True)))
    take = Worker.take

    def interrupted(self: Worker, *args: Any, **more: Any) -> Any:
        monkeypatch.setattr(Worker, "take", take)
        raise KeyboardInterrupt

    monkeypatch.setattr(Worker, "take", interrupted)
    with pytest.raises(KeyboardInterrupt):
        asked(one)
    assert asked(one) == ["o", "r", "o"] and one.dead is None


def slowly(sock: socket.socket, question: dict[str, Any]) -> None:
    """A frame of a million bytes, one at a time."""
    sock.sendall((1_000_000).to_bytes(4, "big"))
    for _ in range(2000):
        sock.sendall(b"x")
        time.sleep(0.005)


@pytest.mark.parametrize("say", [lambda *_: None, slowly])
def test_nobody_is_waited_for_for_ever(worker: Callable[..., Worker], say: Say) -> None:
    one = worker(say)
    begun = time.monotonic()
    assert kind(one.ask("step", 0.2)) is FaultKind.HUNG and one.dead is not None
    assert time.monotonic() - begun < 5


def test_a_closed_socket_is_a_death(worker: Callable[..., Worker]) -> None:
    one = worker(lambda sock, question: sock.shutdown(socket.SHUT_RDWR))
    answer = one.ask("step", 0.2)
    assert kind(answer) is FaultKind.DIED and "status 7" in str(answer)


@pytest.mark.parametrize(
    ("ready", "require", "says"),
    [
        (READY, Isolation.KERNEL, "'seccomp' here, but 'kernel' is required .no landlock."),
        ({"n": 0, "ok": {"level": "process", "abi": 0, "notes": []}}, Isolation.SECCOMP, "no kernel layer"),
        ({"n": 0, "ok": {"level": "best", "abi": 0, "notes": []}}, Isolation.PROCESS, "malformed"),
        ({"n": 0, "ok": {"level": "kernel"}}, Isolation.PROCESS, "malformed"),
        ({"n": 1, "ok": {"level": "kernel"}}, Isolation.PROCESS, "did not start"),
    ],
)
def test_a_greeting_below_what_is_required(worker: Callable[..., Worker], ready: Any, require: Any, says: str) -> None:
    one = worker(answering({"ok": 1}), ready=ready, require=require)
    with pytest.raises(SandboxError, match=says):
        one.ask("step", 0.2)
    assert one.dead is not None
