"""Calls of many instances, one message per worker, answered a few at a time, as they are done.

All workers compute at the same time. When one ends in the middle, the call it had begun is the guilty one, and the
others without an answer are lost, which is nobody's fault: whoever asked plays them again elsewhere.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..actions import Action
from ..types import Fault, FaultKind
from .boxed import ORDINARY, BoxedEnv, ResetAnswer, StepAnswer, read_begun, read_ordinary, read_reset, read_turn
from .frames import quote
from .host import Worker

MOST_HANGS = 2
"""Calls of one message that may exceed their time limit, before the rest is given up: others of the same source are
likely to hang as well, and whoever asked may know better than to wait for them all."""
MOST_CALLS = 256
"""Most calls in one message: of 8 KiB each, they fit into a frame."""
SOON = 8
"""Calls whose answers come so soon that it is not worth while to sleep until then."""
_TURN = 6
"""Values of a step's answer."""


Answer = ResetAnswer | StepAnswer | Fault


class Begin(NamedTuple):
    """A reset that is to follow a step at once."""

    seed: int
    always: bool
    """Whether the episode ends even if the environment does not say so: it has reached a limit of ours."""


@dataclasses.dataclass(frozen=True)
class Calls:
    """Calls of several instances, in columns: thousands are made per second."""

    envs: Sequence[BoxedEnv]
    asked: Sequence[int | Action]
    """The seed of a reset, or the action of a step."""
    then: Sequence[Begin | None] = ()
    """What follows a step that ends its episode; empty for nothing at all."""

    def op(self, at: int) -> str:
        """``step`` or ``reset``."""
        return "step" if isinstance(self.asked[at], Action) else "reset"

    def soft(self, at: int) -> float:
        """Seconds it may take."""
        limits = self.envs[at].worker.limits
        return limits.step_seconds if isinstance(self.asked[at], Action) else limits.reset_seconds

    def allowed(self, at: int) -> float:
        """Seconds until its answer is due, the reset that may follow included."""
        follows = self.then and self.then[at] is not None
        return self.soft(at) + (self.envs[at].worker.limits.reset_seconds if follows else 0.0)

    def items(self, places: Sequence[int]) -> list[str]:
        """Calls as the worker takes them, in JSON: number, and seed or action text with what belongs to it."""
        envs, asked, then = self.envs, self.asked, self.then
        items: list[str] = []
        for at in places:
            env, wanted = envs[at], asked[at]
            if isinstance(wanted, Action):
                calls = ",".join(map(quote, wanted.calls)) if wanted.calls else ""
                more = ""
                if then and (begin := then[at]) is not None:
                    more = f",{begin[0]},true" if begin[1] else f",{begin[0]},false"
                items.append(f"[{env.number},{quote(wanted.text)},[{calls}]{more}]")
            else:
                items.append(f"[{env.number},{wanted},{'true' if env.again else 'false'}]")
        return items

    def read(self, at: int, answer: Any) -> Answer:
        """Read a decoded answer; a reset that followed a step goes to :attr:`BoxedEnv.after`."""
        env = self.envs[at]
        if type(answer) is not list:
            answer = env.worker.judge(answer, self.op(at))
        if isinstance(answer, Fault):
            return answer
        if not isinstance(self.asked[at], Action):
            return env.read(answer, "reset", read_reset)
        begin = self.then[at] if self.then else None
        if begin is None or type(answer) is not list or len(answer) != _TURN + 1:
            return env.read(answer, "step", read_turn)
        begun = answer.pop()
        if type(begun) is not list:
            begun = env.worker.judge(begun, "reset")
        if not isinstance(begun, Fault):
            begun = env.read(begun, "reset", read_begun)
        turn = env.read(answer, "step", read_turn)
        lost = isinstance(begun, Fault) and begun.kind in (FaultKind.MEMORY, FaultKind.LIED)  # to be made again
        if not lost and not isinstance(turn, Fault):
            env.after = (begin.seed, begun)
        return turn


def exchange(
    calls: Calls, *, exact: bool = False, heard: Callable[[int, StepAnswer], None] | None = None
) -> list[Answer]:
    """Make calls of several instances, in the order given for each worker; answers in the order of ``calls``.

    A fault of kind ``lost`` says that the worker ended before the call was answered, for no fault of it that is known.

    Args:
        calls: of instances in any workers.
        exact: have every answer sent by itself, which takes longer, and shows in whose call garbage was sent.
        heard: is told place and answer of turns as they come, while the workers compute the next ones.
    """
    by_worker: dict[Worker, list[int]] = {}
    for at, env in enumerate(calls.envs):
        if (places := by_worker.get(env.worker)) is None:
            places = by_worker[env.worker] = []
        places.append(at)
    answers: list[Any] = [None] * len(calls.envs)
    with contextlib.ExitStack() as held:
        for worker in sorted(by_worker, key=id):  # always in one order, so that two threads never wait for each other
            held.enter_context(worker.lock)
        while by_worker:
            rounds = {worker: places[:MOST_CALLS] for worker, places in by_worker.items() if worker.dead is None}
            numbers = {worker: _post(worker, places, calls, exact) for worker, places in rounds.items()}
            for worker, places in rounds.items():
                _collect(worker, numbers[worker], places, calls, answers, exact, heard)
            by_worker = {worker: places for worker in rounds if (places := by_worker[worker][MOST_CALLS:])}
    for at, answer in enumerate(answers) if None in answers else ():
        if answer is None:
            answers[at] = Fault(FaultKind.LOST, calls.op(at), "the worker ended before this call began")
    return answers


def _post(worker: Worker, places: Sequence[int], calls: Calls, exact: bool) -> int | Fault:
    limits = worker.limits
    deadline = time.monotonic() + calls.soft(places[0]) + limits.grace_seconds
    how = {"steps": limits.step_seconds, "resets": limits.reset_seconds, "exact": exact}
    return worker.post({"op": "many", **how, "items": []}, calls.op(places[0]), deadline, calls.items(places))


def _collect(
    worker: Worker,
    number: int | Fault,
    places: Sequence[int],
    calls: Calls,
    answers: list[Any],
    exact: bool,
    heard: Callable[[int, StepAnswer], None] | None,
) -> None:
    """Take the answers of one message, some at a time, until one of them ends the worker."""
    if isinstance(number, Fault):
        answers[places[0]] = number
        return
    done = hangs = 0
    while done < len(places):
        at = places[done]
        due = time.monotonic() + calls.allowed(at) + worker.limits.grace_seconds
        answer = worker.take(number, calls.op(at), due, soon=len(places) - done <= SOON)
        several: Any = None if isinstance(answer, Fault) else answer.get("answers")
        if not isinstance(answer, Fault) and not _fit(answer, several, done, len(places)):
            answer = worker.end(Fault(FaultKind.LIED, calls.op(at), "answered another call than the next"))
        if isinstance(answer, Fault):
            # Of answers that were held back only the last may be guilty; which of them lied nobody knows.
            begun = worker.begun(number)
            if answer.kind is not FaultKind.LIED:
                at = places[begun if done < begun < len(places) else done]
                if answer.kind is not FaultKind.HUNG or not (calls.then and calls.then[at] is not None):
                    answers[at] = answer  # else the turn or the reset after it: to be made again, one at a time
            elif exact or done == len(places) - 1:
                answers[at] = answer
            return
        for at, one in zip(places[done:], several, strict=False):
            if type(one) is list and len(one) == ORDINARY and type(calls.asked[at]) is Action:
                answers[at] = read_ordinary(one)
            if answers[at] is None:
                answers[at] = read = calls.read(at, one)
                hangs += isinstance(read, Fault) and read.kind is FaultKind.HUNG
                if worker.dead is not None:
                    return
            if heard is not None and isinstance(answers[at], StepAnswer):
                heard(at, answers[at])
        done += len(several)
        if hangs >= MOST_HANGS and done < len(places):
            worker.retire("hung again and again")
            return


def _fit(answer: dict[str, Any], several: Any, done: int, count: int) -> bool:
    """Whether these are answers to the next calls, of which ``done`` are answered, and ``count`` were made."""
    if type(several) is not list or type(answer.get("i")) is not int or answer["i"] != done:
        return False
    return 0 < len(several) <= count - done and answer.get("last") is (done + len(several) == count)
