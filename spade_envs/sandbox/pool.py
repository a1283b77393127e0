"""Where boxed environments come from: workers by source, one worker each, never two sources in one worker."""

from __future__ import annotations

import dataclasses
import os
import threading
import weakref
from collections.abc import Sequence
from typing import Any, Protocol

from ..errors import SandboxError
from ..types import EnvSource, Fault, FaultKind, Isolation, Limits
from .batches import Call, exchange
from .boxed import BoxedEnv, ResetAnswer, StepAnswer
from .host import BoxOptions, Worker
from .source import reads_several_calls


@dataclasses.dataclass(frozen=True)
class Compiled:
    """What compiling a source in the box told."""

    problems: tuple[tuple[str, int | None, str], ...]
    """Kind (``syntax`` or ``restricted``), line and message of everything that forbids running it."""
    environments: tuple[str, ...]
    """Names of the classes that could be the environment."""
    code: str = ""
    """The code in hexadecimal, as a worker marshalled it before anything of the source ran: for further workers."""


class Pool(Protocol):
    """Anything that runs sources in boxes."""

    def spawn(self, source: EnvSource, *, max_turns: int | None = None) -> BoxedEnv | Fault:
        """A new instance of ``source``, or the fault that prevented it."""

    def step_many(self, turns: Sequence[tuple[BoxedEnv, str, tuple[str, ...]]]) -> list[StepAnswer | Fault]:
        """One turn of each of several instances: handle, action text, tool calls in it."""

    def close(self) -> None:
        """End every worker."""


_pools: weakref.WeakSet[WorkerPool] = weakref.WeakSet()


class WorkerPool:
    """One worker per source, started when first needed and replaced when it died. Implements :class:`Pool`."""

    def __init__(self, limits: Limits | None = None, options: BoxOptions | None = None) -> None:
        self.limits = limits or Limits()
        self.options = options or BoxOptions()
        self._workers: dict[str, Worker] = {}
        self._compiled: dict[str, Compiled] = {}
        self._known: dict[str, Compiled] = {}
        """What compiling told, for workers to come."""
        self._numbers = 0
        self._ended = False
        _pools.add(self)

    def start(self, source: EnvSource) -> Worker:
        """The source's worker, started but perhaps not ready yet: several pools can start at the same time."""
        key = source.sha256
        worker = self._workers.get(key)
        if worker is None or worker.dead is not None:
            if _stopping.is_set():
                raise SandboxError("interrupted; nothing more is started")
            if self._ended:
                raise SandboxError("the pool was closed; make another one")
            worker = self._workers[key] = Worker(source.text, self.limits, self.options)
            self._compiled.pop(key, None)
        return worker

    def learn(self, source: EnvSource, compiled: Compiled) -> None:
        """Take over what another pool's worker compiled, which spares this pool's workers doing it again."""
        self._known[source.sha256] = compiled

    def compile(self, source: EnvSource) -> Compiled | Fault:
        """Parse, check and compile the source in its worker.

        Raises:
            SandboxError: the box cannot be built at the isolation required.
        """
        worker = self.start(source)
        key = source.sha256
        if key not in self._compiled:
            known = self._known.get(key)
            fields = {"text": "" if known else source.text, "code": known.code if known else ""}
            answer = worker.ask("source", self.limits.load_seconds, nesting=self.limits.nesting, **fields)
            if isinstance(answer, Fault):
                return answer
            compiled = known or _read_compiled(answer)
            if isinstance(compiled, Fault):
                worker.kill(compiled)
                return compiled
            if compiled.code:
                self._known[key] = compiled
            self._compiled[key] = compiled
        return self._compiled[key]

    def isolation(self, source: EnvSource) -> Isolation:
        """The level the source's worker reached."""
        worker = self.start(source)
        worker.wait_ready()
        return worker.isolation

    def spawn(self, source: EnvSource, *, max_turns: int | None = None) -> BoxedEnv | Fault:
        """A new instance of ``source``, or the fault that prevented it.

        Raises:
            SandboxError: the box cannot be built at the isolation required.
        """
        compiled = self.compile(source)
        if isinstance(compiled, Fault):
            return compiled
        if compiled.problems:
            kind, line, message = compiled.problems[0]
            return Fault(FaultKind.BROKE, "load", message, line, field=kind)
        worker, text = self._workers.get(source.sha256), source.text
        if worker is None:
            return Fault(FaultKind.LOST, "load", "the pool was closed meanwhile")
        self._numbers += 1
        # A class that reads tool calls in step() gets them there; one that only has execute_tool() gets them there.
        executes = "tool_call" not in text
        fields = {"id": self._numbers, "max_turns": max_turns, "executes": executes}
        answer = worker.ask("load", self.limits.load_seconds, **fields, together=reads_several_calls(text))
        return answer if isinstance(answer, Fault) else BoxedEnv(worker, self._numbers)

    def step_many(self, turns: Sequence[tuple[BoxedEnv, str, tuple[str, ...]]]) -> list[StepAnswer | Fault]:
        """One turn of each of several instances, one message per worker; answers in the order of ``turns``.

        A fault of kind ``lost`` says that another instance ended the worker before this turn began.
        """
        answers = exchange([Call(env, (text, calls)) for env, text, calls in turns])
        return [answer for answer in answers if not isinstance(answer, ResetAnswer)]

    def end(self) -> None:
        """End every worker and start no more; from any thread."""
        self._ended = True
        self.close()

    def close(self) -> None:
        """End every worker."""
        for worker in list(self._workers.values()):
            worker.kill()
        self._workers.clear()
        self._compiled.clear()
        self._known.clear()

    def forget(self) -> None:
        """In a forked child: leave the parent's workers alone."""
        for worker in self._workers.values():
            worker.forget()
        self._workers.clear()
        self._compiled.clear()


def _read_compiled(answer: Any) -> Compiled | Fault:
    try:
        problems = tuple((str(kind), line, str(message)) for kind, line, message in answer["problems"])
        return Compiled(problems, tuple(map(str, answer["environments"])), str(answer["code"]))
    except (KeyError, TypeError, ValueError):
        return Fault(FaultKind.LIED, "load", "answered a compilation with something else")


_stopping = threading.Event()


def stop_everything() -> None:
    """End every worker of this process and start no new ones: what is under way ends at once, undecided."""
    _stopping.set()
    for pool in list(_pools):
        pool.close()


def _after_fork() -> None:
    # A child shares the parent's sockets: two processes asking one worker would read each other's answers.
    for pool in list(_pools):
        pool.forget()


os.register_at_fork(after_in_child=_after_fork)
