"""Calls of many instances, one message per worker, answered a few at a time, as they are done.

All workers compute at the same time. When one ends in the middle, the call it had begun is the guilty one, and the
others without an answer are lost, which is nobody's fault: whoever asked plays them again elsewhere.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from ..actions import Action
from ..types import Fault, FaultKind
from .boxed import BoxedEnv
from .checked import (
    ResetAnswer,
    StepAnswer,
    Turns,
    read_begun,
    read_ordinary,
    read_renewed,
    read_reset,
    read_turn,
    read_turns,
)
from .columns import ORDINARY, restored
from .host import Worker
from .watch import processors

MOST_HANGS = 2
"""Calls of one message that may exceed their time limit, before the rest is given up: others of the same source are
likely to hang as well, and whoever asked may know better than to wait for them all."""
MOST_CALLS = 256
"""Most calls in one message: of 8 KiB each, they fit into a frame."""
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
    names: Sequence[Any] = ()
    """How the instances are called where their answers are told as they come."""

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

    def items(self, places: Sequence[int]) -> list[tuple[Any, ...]]:
        """Calls as the worker takes them: number, and seed or action text with what belongs to it."""
        envs, asked, then = self.envs, self.asked, self.then
        items: list[tuple[Any, ...]] = []
        for at in places:
            env, wanted = envs[at], asked[at]
            if type(wanted) is not Action:
                items.append((env.number, wanted, env.again))
            elif then and (begin := then[at]) is not None:
                items.append((env.number, wanted.text, wanted.calls, begin[0], begin[1]))
            else:
                items.append((env.number, wanted.text, wanted.calls))
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
        if (both := read_renewed(answer)) is not None:
            env.after = (begin.seed, both[1])
            return both[0]
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


class Listener(Protocol):
    """Who is told turns as they come, while the workers compute the next ones, by ``Calls.names``."""

    def hear(self, name: Any, answer: StepAnswer, /) -> None:
        """Take a turn."""

    def hear_turns(self, names: Sequence[Any], turns: Turns, /) -> None:
        """Take turns that ended nothing."""


TOLD = StepAnswer("", 0.0, False, False, {}, ())
"""Stands for answers that a listener has by :meth:`Listener.hear_turns`."""


def exchange(calls: Calls, *, exact: bool = False, listener: Listener | None = None) -> list[Answer]:
    """Make calls of several instances, in the order given for each worker; answers in the order of ``calls``.

    A fault of kind ``lost`` says that the worker ended before the call was answered, for no fault of it that is known.

    Args:
        calls: of instances in any workers.
        exact: have every answer sent by itself, which takes longer, and shows in whose call garbage was sent.
        listener: is told every turn that is no fault; each must have a name.
    """
    by_worker: dict[Worker, list[int]] = {}
    for at, env in enumerate(calls.envs):
        if (places := by_worker.get(env.worker)) is None:
            places = by_worker[env.worker] = []
        places.append(at)
    answers: list[Any] = [None] * len(calls.envs)
    with contextlib.ExitStack() as held:
        # Always in one order, so that two threads never wait for each other.
        workers = sorted(by_worker, key=_serial)
        for worker in workers:
            held.enter_context(worker.lock)
        crowded = len(workers) >= processors()
        lines = [_Line(worker, by_worker[worker], calls, answers, exact, crowded, listener) for worker in workers]
        while lines := [line for line in lines if line.goes_on]:
            for line in lines:
                line.post()
            for line in lines:
                line.collect()
    for at, answer in enumerate(answers) if None in answers else ():
        if answer is None:
            answers[at] = Fault(FaultKind.LOST, calls.op(at), "the worker ended before this call began")
    return answers


class _Line:
    """What is asked of one worker: the message that is posted, and the places whose answers it is to bring."""

    def __init__(
        self,
        worker: Worker,
        places: Sequence[int],
        calls: Calls,
        answers: list[Any],
        exact: bool,
        crowded: bool,
        listener: Listener | None,
    ) -> None:
        self._worker, self._places, self._calls, self._answers = worker, places, calls, answers
        self._exact, self._crowded, self._listener = exact, crowded, listener
        self._posted: Sequence[int] = ()
        self._number: int | Fault = 0

    @property
    def goes_on(self) -> bool:
        """Whether there is something left to ask, and a worker to ask it of."""
        return len(self._places) > 0 and self._worker.dead is None

    def post(self) -> None:
        """Send as many calls as go into one message."""
        places, self._places = self._places[:MOST_CALLS], self._places[MOST_CALLS:]
        worker, calls, limits = self._worker, self._calls, self._worker.limits
        deadline = time.monotonic() + calls.soft(places[0]) + limits.grace_seconds
        how = {"steps": limits.step_seconds, "resets": limits.reset_seconds, "exact": self._exact}
        message = {"op": "many", **how, "whole": self._crowded, "items": calls.items(places)}
        self._number = worker.post(message, calls.op(places[0]), deadline)
        self._posted = places

    def collect(self) -> None:
        """Take the answers, some at a time, until one of them ends the worker."""
        number, places = self._number, self._posted
        worker, calls, answers, listener = self._worker, self._calls, self._answers, self._listener
        if isinstance(number, Fault):
            answers[places[0]] = number
            return
        done = hangs = 0
        while done < len(places):
            at = places[done]
            due = time.monotonic() + calls.allowed(at) + worker.limits.grace_seconds
            answer = worker.take(number, calls.op(at), due, crowded=self._crowded)
            several: Any = None if isinstance(answer, Fault) else answer.get("answers")
            if not isinstance(answer, Fault) and not _fit(answer, several, done, len(places)):
                answer = worker.end(Fault(FaultKind.LIED, calls.op(at), "answered another call than the next"))
            if not isinstance(answer, Fault) and (lied := self._take_turns(answer, several, places[done:])) is not None:
                answer = lied
            if isinstance(answer, Fault):
                self._blame(answer, number, places, done)
                return
            for at, one in zip(places[done:], several, strict=False):
                if answers[at] is not None:
                    continue
                if type(one) is list and len(one) == ORDINARY and type(calls.asked[at]) is Action:
                    answers[at] = read_ordinary(one)
                if answers[at] is None:
                    answers[at] = read = calls.read(at, one)
                    hangs += isinstance(read, Fault) and read.kind is FaultKind.HUNG
                    if worker.dead is not None:
                        return
                if listener is not None and isinstance(answers[at], StepAnswer):
                    listener.hear(calls.names[at], answers[at])
            done += len(several)
            if hangs >= MOST_HANGS and done < len(places):
                worker.retire("hung again and again")
                return

    def _take_turns(self, frame: dict[str, Any], several: list[Any], places: Sequence[int]) -> Fault | None:
        """Put the texts of a frame in place and take its turns that are told value by value; the fault of a worker that
        told something else."""
        answers, names = self._answers, self._calls.names
        try:
            _, columns = restored(frame)
            if columns is None:
                return None
            ats = [at for at, one in zip(places, several, strict=False) if one is None]
            turns = read_turns(columns, len(ats))
            if self._exact or not all(type(self._calls.asked[at]) is Action for at in ats):
                raise ValueError
        except (TypeError, ValueError):
            return self._worker.end(Fault(FaultKind.LIED, "step", "answered in a shape that no environment can have"))
        if self._listener is None:
            for at, turn in zip(ats, turns.answers(), strict=True):
                answers[at] = turn
            return None
        for at in ats:
            answers[at] = TOLD
        self._listener.hear_turns([names[at] for at in ats], turns)
        return None

    def _blame(self, fault: Fault, number: int, places: Sequence[int], done: int) -> None:
        """Give the fault that ended the worker to the call that was under way, where that is known."""
        calls, begun = self._calls, self._worker.begun(number)
        # Of answers that were held back only the last may be guilty; which of them lied nobody knows.
        if fault.kind is not FaultKind.LIED:
            at = places[begun if done < begun < len(places) else done]
            if fault.kind is not FaultKind.HUNG or not (calls.then and calls.then[at] is not None):
                self._answers[at] = fault  # else the turn or the reset after it: to be made again, one at a time
        elif self._exact or done == len(places) - 1:
            self._answers[places[done]] = fault


def _serial(worker: Worker) -> int:
    return worker.serial


def _fit(answer: dict[str, Any], several: Any, done: int, count: int) -> bool:
    """Whether these are answers to the next calls, of which ``done`` are answered, and ``count`` were made."""
    if type(several) is not list or type(answer.get("i")) is not int or answer["i"] != done:
        return False
    return 0 < len(several) <= count - done and answer.get("last") is (done + len(several) == count)
