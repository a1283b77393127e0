"""Several turns of one instance in one message: what the worker plays of it, and what the host believes of it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from spade_envs.sandbox import host, worker
from spade_envs.sandbox.boxed import BoxedEnv
from spade_envs.sandbox.checked import ResetAnswer, StepAnswer
from spade_envs.sandbox.host import BoxOptions, Worker
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource, Fault, FaultKind, Limits

LIMITS = Limits(step_seconds=0.5, grace_seconds=0.5)
TURN = {"observation": "o", "reward": 0.5, "terminated": False, "truncated": False, "info": {}, "repairs": []}
SAID = StepAnswer("o", 0.5, False, False, {}, ())
ACTIONS = (("a", ()), ("b", ("x", "y")), ("c", ()))


def told(**changes: Any) -> dict[str, Any]:
    """A worker's answer to one turn."""
    return {"ok": {**TURN, **changes}}


def kinds(answers: list[StepAnswer | Fault] | Fault) -> list[Any]:
    """Observation of every answer, or the kind of its fault."""
    assert not isinstance(answers, Fault), answers
    return [one.kind if isinstance(one, Fault) else one.observation for one in answers]


# -- the host, against answers that a climbed worker may give ----------------------------------------------------


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any], BoxedEnv]]:
    """Makes instances whose worker, which is no process, answers every message with this."""
    process = SimpleNamespace(pid=0, kill=lambda: None, wait=lambda timeout: 7, returncode=0)
    monkeypatch.setattr(host, "start", lambda *_, **__: process)
    made: list[Worker] = []

    def make(answer: Any) -> BoxedEnv:
        one = Worker("", LIMITS, BoxOptions())
        made.append(one)
        monkeypatch.setattr(one, "_exchange", lambda message, phase, seconds: answer)
        return BoxedEnv(one, 1)

    yield make
    for one in made:
        one.kill()


def test_turns_are_asked_for_with_twice_the_time_of_one(
    answering: Callable[[Any], BoxedEnv], monkeypatch: pytest.MonkeyPatch
) -> None:
    box = answering(None)
    asked: list[Any] = []

    def exchange(*message: Any) -> Any:
        asked.append(message)
        return {"ok": [told()] * 3}

    monkeypatch.setattr(box.worker, "_exchange", exchange)
    assert box.turns(ACTIONS) == [SAID] * 3
    actions = [["a", []], ["b", ["x", "y"]], ["c", []]]
    assert asked == [({"op": "turns", "soft": 0.5, "id": 1, "actions": actions}, "step", 1.0)]


def test_fewer_turns_than_asked_for_are_no_lie(answering: Callable[[Any], BoxedEnv]) -> None:
    box = answering({"ok": [told(), told(observation="p", terminated=True)]})
    assert box.turns(ACTIONS) == [SAID, StepAnswer("p", 0.5, True, False, {}, ())] and box.alive


@pytest.mark.parametrize(
    "answer", [None, 7, "turns", {}, {"ok": None}, {"ok": []}, {"ok": {"ok": TURN}}, {"ok": [told()] * 4}, {"fault": 1}]
)
def test_a_batch_of_nothing_or_too_much_is_a_lie(answering: Callable[[Any], BoxedEnv], answer: Any) -> None:
    box = answering(answer)
    lied = box.turns(ACTIONS)
    assert isinstance(lied, Fault) and (lied.kind, lied.phase) == (FaultKind.LIED, "step") and not box.alive


@pytest.mark.parametrize(
    "part",
    [
        None,
        [],
        {},
        {"ok": None},
        {"fault": {"kind": "rm"}},
        {"ok": {}},
        told(reward=2),
        told(reward=True),
        told(terminated=True, truncated=True),
        told(terminated=1),
        told(observation=None),
        told(info=[]),
        told(repairs=["turns_cut"]),
    ],
)
def test_a_turn_in_another_shape_is_a_lie_in_its_place(answering: Callable[[Any], BoxedEnv], part: Any) -> None:
    box = answering({"ok": [told(), told(), part]})
    assert kinds(box.turns(ACTIONS)) == ["o", "o", FaultKind.LIED] and not box.alive


@pytest.mark.parametrize("spent", [kind for kind in FaultKind if kind is not FaultKind.LOST])
def test_a_fault_in_a_batch_is_the_fault_of_its_turn(answering: Callable[[Any], BoxedEnv], spent: FaultKind) -> None:
    box = answering({"ok": [told(), {"fault": {"kind": spent.value, "message": "m", "line": 3, "field": "f"}}]})
    assert box.turns(ACTIONS) == [SAID, Fault(spent, "step", "m", 3, "f")]
    assert box.alive == (spent is not FaultKind.MEMORY), "only a worker without memory is spent"


@pytest.mark.parametrize("end", [told(terminated=True), told(truncated=True), {"fault": {"kind": "raised"}}, {"ok": 7}])
def test_turns_after_an_end_are_a_lie(answering: Callable[[Any], BoxedEnv], end: Any) -> None:
    answers = answering({"ok": [end, told(observation="late")]}).turns(ACTIONS)
    assert isinstance(answers, Fault) or "late" not in kinds(answers)


# -- the worker's loop, without a clock or an environment --------------------------------------------------------


class Clock:
    """Tells a second more whenever it is asked."""

    def __init__(self) -> None:
        self.now = 99.0

    def monotonic(self) -> float:
        self.now += 1.0
        return self.now

    def process_time(self) -> float:
        return self.now


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Plays 20 turns with these answers, each of which takes a second; how many were played."""

    def run(*answers: dict[str, Any], soft: float = 100.0) -> int:
        monkeypatch.setattr(worker, "time", Clock())
        one = worker.Worker(None, {})
        steps: list[dict[str, Any]] = []
        given = [*answers, *([told()] * 20)]

        def timed(message: dict[str, Any]) -> dict[str, Any]:
            steps.append(message)
            return given[len(steps) - 1]

        monkeypatch.setattr(one, "timed", timed)
        message = {"op": "turns", "id": 4, "soft": soft, "actions": [[f"a{at}", [f"c{at}"]] for at in range(20)]}
        answer = next(one.answers(message))
        assert answer == {"ok": given[: len(steps)]}
        wanted = [{"op": "step", "id": 4, "soft": soft, "action": f"a{at}", "calls": [f"c{at}"]} for at in range(20)]
        assert steps == wanted[: len(steps)], "every turn is a step with a limit of its own"
        return len(steps)

    return run


def test_all_turns_are_played_in_order(turns: Callable[..., int]) -> None:
    assert turns() == 20


@pytest.mark.parametrize("end", [told(terminated=True), told(truncated=True), {"fault": {"kind": "raised"}}])
def test_an_end_ends_a_batch(turns: Callable[..., int], end: dict[str, Any]) -> None:
    assert [turns(end), turns(told(), told(), end)] == [1, 3]


@pytest.mark.parametrize(("soft", "played"), [(0.5, 1), (1.0, 2), (4.0, 5), (100.0, 20)])
def test_no_turn_begins_after_the_time_of_one(turns: Callable[..., int], soft: float, played: int) -> None:
    assert turns(soft=soft) == played


def test_a_batch_ends_when_it_has_told_enough(turns: Callable[..., int]) -> None:
    most = worker.MOST_TOLD
    assert turns(told(observation="x" * (most + 1))) == 1
    assert turns(*[told(observation="x" * (most // 4))] * 20) == 4, "infos count too"
    assert turns(*[told(info={"a": "x" * (most // 3)})] * 20) == 3
    assert turns(*[told(observation="x" * (most // 21), info={})] * 20) == 20


# -- both, through a real process --------------------------------------------------------------------------------


def spawn(pool: WorkerPool, step: str) -> BoxedEnv:
    text = "class TryEnv:\n    def reset(self, seed=None):\n        self.n = 0\n        return 'go', {}\n"
    body = f"self.n += 1\n{step}\nreturn f'{{action}} {{self.n}}', 0.0, action == 'end', False, {{}}"
    box = pool.spawn(EnvSource(f"{text}    def step(self, action):\n{textwrap.indent(body, ' ' * 8)}\n"))
    assert isinstance(box, BoxedEnv) and isinstance(box.reset(3), ResetAnswer)
    return box


def said(*actions: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(action, ()) for action in actions]


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    made = WorkerPool(LIMITS)
    yield made
    made.close()


@pytest.fixture
def plain() -> Iterator[WorkerPool]:
    """Workers whose sources may end them."""
    made = WorkerPool(LIMITS, BoxOptions(language=False))
    yield made
    made.close()


def test_batches_and_single_steps_go_on_from_each_other(pool: WorkerPool) -> None:
    box, other = spawn(pool, "pass"), spawn(pool, "pass")
    assert box.worker is other.worker
    assert kinds(box.turns(said("a", "b"))) == ["a 1", "b 2"]
    assert kinds([box.step("c"), other.step("d")]) == ["c 3", "d 1"]
    assert kinds(other.turns(said("e", "end", "f"))) == ["e 2", "end 3"], "nothing after the end"
    assert kinds(other.turns(said("g"))) == ["g 4"] and kinds(box.turns(said("h"))) == ["h 4"]


def test_a_soft_fault_ends_its_batch_and_spares_the_worker(pool: WorkerPool) -> None:
    box = spawn(pool, "if action == 'hang':\n    while True: pass\nif action == 'raise': 1 / 0")
    assert kinds(box.turns(said("a", "hang", "b"))) == ["a 1", FaultKind.HUNG]
    assert kinds(box.turns(said("raise", "c"))) == [FaultKind.RAISED]
    assert kinds(box.turns(said("d", "e"))) == ["d 4", "e 5"] and box.alive


def test_a_batch_without_memory_spends_the_worker(pool: WorkerPool) -> None:
    box = spawn(pool, "if action == 'huge': self.n = 'x' * 10**10")
    assert kinds(box.turns(said("a", "huge", "b"))) == ["a 1", FaultKind.MEMORY] and not box.alive
    again = box.turns(said("c", "d"))
    assert isinstance(again, Fault) and again.kind is FaultKind.MEMORY


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("__import__('os')._exit(3)", FaultKind.DIED),
        ("__import__('os')._exit(75)", FaultKind.HUNG),
    ],
)
def test_the_end_of_a_worker_is_the_fault_of_the_whole_batch(plain: WorkerPool, body: str, kind: FaultKind) -> None:
    box = spawn(plain, f"if action == 'b':\n{textwrap.indent(body, '    ')}")
    answers = box.turns(said("a", "b", "c"))
    assert isinstance(answers, Fault) and (answers.kind, answers.phase) == (kind, "step") and not box.alive


def test_a_batch_beyond_a_frame_is_a_fault_and_spares_the_worker() -> None:
    pool = WorkerPool()
    box = spawn(pool, "if action == 'much': return 'x', 0.0, False, False, {'a': ['x' * 8000] * 1100}")
    answers = box.turns(said("a", "much", "b"))
    assert isinstance(answers, Fault) and answers.kind is FaultKind.BROKE
    assert box.alive and kinds(box.turns(said("c"))) == ["c 3"]
    pool.close()
