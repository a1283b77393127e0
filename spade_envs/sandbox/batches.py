"""Calls of many instances, one message per worker, answered one by one as each is done.

All workers compute at the same time. When one ends in the middle, its last unanswered call is the guilty one, and the
calls after it are lost, which is nobody's fault: whoever asked plays them again elsewhere.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Sequence
from typing import Any

from ..types import Fault, FaultKind
from .boxed import BoxedEnv, ResetAnswer, StepAnswer, read_reset, read_step
from .host import Worker

MOST_HANGS = 2
"""Calls of one message that may exceed their time limit, before the rest is given up: others of the same source are
likely to hang as well, and whoever asked may know better than to wait for them all."""
MOST_CALLS = 256
"""Most calls in one message: of 8 KiB each, they fit into a frame."""


@dataclasses.dataclass(frozen=True)
class Call:
    """One call of one instance."""

    env: BoxedEnv
    action: tuple[str, tuple[str, ...]] | None = None
    """Action text and the tool calls in it; ``None`` for a reset."""
    seed: int = 0
    """Seed of a reset."""

    @property
    def op(self) -> str:
        """``step`` or ``reset``."""
        return "reset" if self.action is None else "step"

    @property
    def soft(self) -> float:
        """Seconds it may take."""
        limits = self.env.worker.limits
        return limits.reset_seconds if self.action is None else limits.step_seconds

    def item(self) -> dict[str, Any]:
        """The call as the worker takes it."""
        named = {"op": self.op, "soft": self.soft, "id": self.env.number}
        if self.action is None:
            return {**named, "seed": self.seed, "again": self.env.again}
        text, calls = self.action
        return {**named, "action": text, "calls": list(calls)}

    def read(self, answer: Any) -> ResetAnswer | StepAnswer | Fault:
        """Read a decoded answer."""
        if isinstance(answer, Fault):
            return answer
        return self.env.read(answer, self.op, read_reset if self.action is None else read_step)


def exchange(calls: Sequence[Call]) -> list[ResetAnswer | StepAnswer | Fault]:
    """Make calls of several instances, in the order given for each worker; answers in the order of ``calls``.

    A fault of kind ``lost`` says that the worker ended before the call began.
    """
    by_worker: dict[int, list[int]] = {}
    for at, call in enumerate(calls):
        by_worker.setdefault(id(call.env.worker), []).append(at)
    answers: list[ResetAnswer | StepAnswer | Fault] = [
        Fault(FaultKind.LOST, call.op, "the worker ended before this call began") for call in calls
    ]
    workers = {key: calls[places[0]].env.worker for key, places in by_worker.items()}
    with contextlib.ExitStack() as held:
        for key in sorted(workers):  # always in one order, so that two threads never wait for each other
            held.enter_context(workers[key].lock)
        while by_worker:
            rounds = {key: places[:MOST_CALLS] for key, places in by_worker.items()}
            numbers = {key: _post(workers[key], [calls[at] for at in places]) for key, places in rounds.items()}
            for key, places in rounds.items():
                _collect(workers[key], numbers[key], calls, places, answers)
            left = {key: places[MOST_CALLS:] for key, places in by_worker.items()}
            by_worker = {key: places for key, places in left.items() if places and workers[key].dead is None}
    return answers


def _post(worker: Worker, calls: Sequence[Call]) -> int | Fault:
    if worker.dead is not None:
        return Fault(FaultKind.LOST, calls[0].op, "the worker had ended before this call began")
    deadline = time.monotonic() + calls[0].soft + worker.limits.grace_seconds
    return worker.post({"op": "many", "items": [call.item() for call in calls]}, calls[0].op, deadline)


def _collect(
    worker: Worker,
    number: int | Fault,
    calls: Sequence[Call],
    places: Sequence[int],
    answers: list[ResetAnswer | StepAnswer | Fault],
) -> None:
    """Take the answers of one message, until one of them ends the worker."""
    if isinstance(number, Fault):
        answers[places[0]] = number
        return
    hangs = 0
    for i, at in enumerate(places):
        call = calls[at]
        deadline = time.monotonic() + call.soft + worker.limits.grace_seconds
        answer = worker.take(number, call.op, deadline, more=i < len(places) - 1)
        if isinstance(answer, Fault):
            answers[at] = answer
            return
        if type(answer.get("i")) is not int or answer["i"] != i:
            answers[at] = worker.end(Fault(FaultKind.LIED, call.op, "answered another call than the next"))
            return
        answers[at] = read = call.read(worker.judge(answer, call.op))
        hangs += isinstance(read, Fault) and read.kind is FaultKind.HUNG
        if hangs >= MOST_HANGS and i < len(places) - 1:
            worker.retire("hung again and again")
        if worker.dead is not None:
            return
