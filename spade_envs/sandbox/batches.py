"""Calls of many instances, one message per worker, answered a few at a time, as they are done.

All workers compute at the same time. When one ends in the middle, the call it had begun is the guilty one, and the
others without an answer are lost, which is nobody's fault: whoever asked plays them again elsewhere.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..types import Fault, FaultKind
from .boxed import BoxedEnv, ResetAnswer, StepAnswer, read_reset, read_turn
from .host import Worker

MOST_HANGS = 2
"""Calls of one message that may exceed their time limit, before the rest is given up: others of the same source are
likely to hang as well, and whoever asked may know better than to wait for them all."""
MOST_CALLS = 256
"""Most calls in one message: of 8 KiB each, they fit into a frame."""


_TURN = 6
"""Values of a step's answer."""


class Begin(NamedTuple):
    """A reset that is to follow a step at once."""

    seed: int
    always: bool
    """Whether the episode ends even if the environment does not say so: it has reached a limit of ours."""


class Call(NamedTuple):
    """One call of one instance."""

    env: BoxedEnv
    action: tuple[str, tuple[str, ...]] | None = None
    """Action text and the tool calls in it; ``None`` for a reset."""
    seed: int = 0
    """Seed of a reset."""
    then: Begin | None = None
    """What follows a step that ends its episode."""

    @property
    def op(self) -> str:
        """``step`` or ``reset``."""
        return "reset" if self.action is None else "step"

    @property
    def soft(self) -> float:
        """Seconds it may take."""
        limits = self.env.worker.limits
        return limits.reset_seconds if self.action is None else limits.step_seconds

    @property
    def allowed(self) -> float:
        """Seconds until its answer is due, the reset that may follow included."""
        return self.soft if self.then is None else self.soft + self.env.worker.limits.reset_seconds

    def item(self) -> list[Any]:
        """The call as the worker takes it: number, and seed or action text with what belongs to it."""
        if self.action is None:
            return [self.env.number, self.seed, self.env.again]
        return [self.env.number, *self.action, *(self.then or ())]

    def read(self, answer: Any) -> ResetAnswer | StepAnswer | Fault:
        """Read a decoded answer; a reset that followed a step goes to :attr:`BoxedEnv.after`."""
        if isinstance(answer, Fault):
            return answer
        if self.action is None:
            return self.env.read(answer, "reset", read_reset)
        if self.then is None or type(answer) is not list or len(answer) != _TURN + 1:
            return self.env.read(answer, "step", read_turn)
        begun = self.env.worker.judge(answer.pop(), "reset")
        if not isinstance(begun, Fault):
            begun = self.env.read(begun, "reset", read_reset)
        turn = self.env.read(answer, "step", read_turn)
        lost = isinstance(begun, Fault) and begun.kind in (FaultKind.MEMORY, FaultKind.LIED)  # to be made again
        if not lost and not isinstance(turn, Fault):
            self.env.after = (self.then.seed, begun)
        return turn


def exchange(calls: Sequence[Call], *, exact: bool = False) -> list[ResetAnswer | StepAnswer | Fault]:
    """Make calls of several instances, in the order given for each worker; answers in the order of ``calls``.

    A fault of kind ``lost`` says that the worker ended before the call was answered, for no fault of it that is known.

    Args:
        calls: of instances in any workers.
        exact: have every answer sent by itself, which takes longer, and shows in whose call garbage was sent.
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
            rounds = {key: places[:MOST_CALLS] for key, places in by_worker.items() if workers[key].dead is None}
            numbers = {key: _post(workers[key], [calls[at] for at in places], exact) for key, places in rounds.items()}
            for key, places in rounds.items():
                _collect(workers[key], numbers[key], places, calls, answers, exact)
            by_worker = {key: places for key in rounds if (places := by_worker[key][MOST_CALLS:])}
    return answers


def _post(worker: Worker, calls: Sequence[Call], exact: bool) -> int | Fault:
    limits = worker.limits
    deadline = time.monotonic() + calls[0].soft + limits.grace_seconds
    how = {"steps": limits.step_seconds, "resets": limits.reset_seconds, "exact": exact}
    return worker.post({"op": "many", **how, "items": [call.item() for call in calls]}, calls[0].op, deadline)


def _collect(
    worker: Worker,
    number: int | Fault,
    places: Sequence[int],
    calls: Sequence[Call],
    answers: list[ResetAnswer | StepAnswer | Fault],
    exact: bool,
) -> None:
    """Take the answers of one message, some at a time, until one of them ends the worker."""
    if isinstance(number, Fault):
        answers[places[0]] = number
        return
    done = hangs = 0
    while done < len(places):
        call = calls[places[done]]
        answer = worker.take(number, call.op, time.monotonic() + call.allowed + worker.limits.grace_seconds)
        several: Any = None if isinstance(answer, Fault) else answer.get("answers")
        if not isinstance(answer, Fault) and not _fit(answer, several, done, len(places)):
            answer = worker.end(Fault(FaultKind.LIED, call.op, "answered another call than the next"))
        if isinstance(answer, Fault):
            # Of answers that were held back only the last may be guilty; which of them lied nobody knows.
            begun = worker.begun(number)
            if answer.kind is not FaultKind.LIED:
                at = places[begun if done < begun < len(places) else done]
                if answer.kind is not FaultKind.HUNG or calls[at].then is None:
                    answers[at] = answer  # else the turn or the reset after it: to be made again, one at a time
            elif exact or done == len(places) - 1:
                answers[places[done]] = answer
            return
        for at, one in zip(places[done:], several, strict=False):
            call = calls[at]
            answers[at] = read = call.read(one if type(one) is list else worker.judge(one, call.op))
            hangs += isinstance(read, Fault) and read.kind is FaultKind.HUNG
            if worker.dead is not None:
                return
        done += len(several)
        if hangs >= MOST_HANGS and done < len(places):
            worker.retire("hung again and again")
            return


def _fit(answer: dict[str, Any], several: Any, done: int, count: int) -> bool:
    """Whether these are answers to the next calls, of which ``done`` are answered, and ``count`` were made."""
    if type(several) is not list or type(answer.get("i")) is not int or answer["i"] != done:
        return False
    return 0 < len(several) <= count - done and answer.get("last") is (done + len(several) == count)
