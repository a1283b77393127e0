"""Where boxed environments come from: workers by source, never two sources in one worker, and never too many."""

from __future__ import annotations

import dataclasses
import os
import sys
import threading
import weakref
from collections.abc import Sequence
from typing import Any, Protocol

from ..actions import Action
from ..errors import SandboxError, WorkerDied
from ..types import EnvSource, Fault, FaultKind, Isolation, Limits
from .batches import Calls, exchange
from .boxed import BoxedEnv
from .checked import ResetAnswer, StepAnswer
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

MOST_WORKERS = 256
"""Workers that a pool keeps at most: one takes about 6 MiB of its own, and what its instances need."""

STARTS = 3
"""Workers that are started at most where the ones before ended before they were ready."""

_FULL = 0.75
"""Share of its memory limit above which a worker is replaced before anything in it fails."""
_HUNGRY = 0.25
"""Share of a worker's memory limit that one of several instances may take when its episode is played again."""
_WATCHED = 16
"""Every how many messages a worker's memory is looked at, which takes as long as a cheap step."""


class PoolFullError(Exception):
    """Every worker of the pool is needed at this moment: use what is there, and ask again. Never leaves the package."""


@dataclasses.dataclass
class _Home:
    """What a pool knows of one source."""

    workers: list[Worker] = dataclasses.field(default_factory=list)
    known: Compiled | None = None
    """What compiling told, for workers to come."""
    crowd: int = sys.maxsize
    """Most instances in one worker."""
    fills: int = 0
    """Workers in a row that were retired for their memory."""
    peak: int = 0
    """Most instances that were in one worker so far."""


class WorkerPool:
    """Workers by source: as a rule one for all its instances, replaced when it died. Implements :class:`Pool`.

    A source whose instances together need more memory than one worker may have is spread over several. A pool never has
    more than ``most`` workers: the one that was idle for the longest time goes first. A worker that was
    ended so is :attr:`~spade_envs.sandbox.host.Worker.retired`, and whoever had an instance in it plays its episode
    again elsewhere.

    Args:
        limits: limits of the box.
        options: how to build the box.
        most: workers at the same time.

    Raises:
        ValueError: ``most`` is below 1.
    """

    def __init__(
        self, limits: Limits | None = None, options: BoxOptions | None = None, *, most: int = MOST_WORKERS
    ) -> None:
        if most < 1:
            raise ValueError(f"a pool needs room for 1 worker or more, not {most}")
        self.limits = limits or Limits()
        self.options = options or BoxOptions()
        self.most = most
        self._homes: dict[str, _Home] = {}
        self._numbers = 0
        self._ended = False
        _pools.add(self)

    def start(self, source: EnvSource) -> Worker:
        """A worker of the source, started but perhaps not ready yet: several pools can start at the same time."""
        return self._worker(source, alone=False)

    def _worker(self, source: EnvSource, *, alone: bool) -> Worker:
        home = self._homes.setdefault(source.sha256, _Home())
        for worker in home.workers:
            if not worker.held and worker.room < home.crowd and not worker.pinned:
                worker.retire("was for one instance, which is gone")
        home.workers = [worker for worker in home.workers if worker.dead is None]
        found = next((worker for worker in home.workers if len(worker.held) < worker.room), None)
        if found is None or alone:
            if _stopping.is_set():
                raise SandboxError("interrupted; nothing more is started")
            if self._ended:
                raise SandboxError("the pool was closed; make another one")
            self._make_room()
            found = Worker(source.text, self.limits, self.options)
            found.room = 1 if alone else home.crowd
            home.workers.append(found)
        return found

    def _make_room(self) -> None:
        """See to it that another worker may be started."""
        alive = self.workers
        while len(alive) >= self.most:
            free = [worker for worker in alive if not worker.pinned]
            if not free:
                raise PoolFullError
            oldest = min(free, key=lambda worker: (bool(worker.held), worker.asked_at))
            oldest.retire("made room for another one")
            alive.remove(oldest)

    @property
    def workers(self) -> list[Worker]:
        """All that are alive."""
        return [worker for home in list(self._homes.values()) for worker in home.workers if worker.dead is None]

    def learn(self, source: EnvSource, compiled: Compiled) -> None:
        """Take over what another pool's worker compiled, which spares this pool's workers doing it again."""
        self._homes.setdefault(source.sha256, _Home()).known = compiled

    def compile(self, source: EnvSource) -> Compiled | Fault:
        """Parse, check and compile the source in its worker.

        Raises:
            SandboxError: the box cannot be built at the isolation required.
        """
        return self._compile(source, self.start(source))

    def _compile(self, source: EnvSource, worker: Worker) -> Compiled | Fault:
        home = self._homes[source.sha256]
        if worker.compiled and home.known is not None:
            return home.known
        known = home.known
        fields = {"text": "" if known else source.text, "code": known.code if known else ""}
        answer = worker.ask("source", self.limits.load_seconds, nesting=self.limits.nesting, **fields)
        if isinstance(answer, Fault):
            return answer
        compiled = known or _read_compiled(answer)
        if isinstance(compiled, Fault):
            worker.kill(compiled)
            return compiled
        home.known, worker.compiled = compiled, True
        return compiled

    def isolation(self, source: EnvSource) -> Isolation:
        """The level the source's worker reached."""
        worker = self.start(source)
        worker.wait_ready()
        return worker.isolation

    def spawn(self, source: EnvSource, *, max_turns: int | None = None, alone: bool = False) -> BoxedEnv | Fault:
        """A new instance of ``source``, or the fault that prevented it; with ``alone``, in a worker of its own.

        Raises:
            SandboxError: the box cannot be built at the isolation required.
        """
        worker, text = self._ready(source, alone=alone), source.text
        compiled = self._compile(source, worker)
        if isinstance(compiled, Fault):
            return compiled
        if compiled.problems:
            kind, line, message = compiled.problems[0]
            return Fault(FaultKind.BROKE, "load", message, line, field=kind)
        worker.resident_before = worker.resident_mb
        self._numbers += 1
        worker.held.add(self._numbers)
        home = self._homes[source.sha256]
        home.peak = max(home.peak, len(worker.held))
        # A class that reads tool calls in step() gets them there; one that only has execute_tool() gets them there.
        executes = "tool_call" not in text
        fields = {"id": self._numbers, "max_turns": max_turns, "executes": executes}
        answer = worker.ask("load", self.limits.load_seconds, **fields, together=reads_several_calls(text))
        return answer if isinstance(answer, Fault) else BoxedEnv(worker, self._numbers)

    def _ready(self, source: EnvSource, *, alone: bool) -> Worker:
        """A worker that has started. One that was killed meanwhile is no reason to give up."""
        for left in range(STARTS - 1, -1, -1):
            worker = self._worker(source, alone=alone)
            try:
                worker.wait_ready()
                break
            except WorkerDied:
                if not left:
                    raise
        return worker

    def spread(self, source: EnvSource) -> None:
        """Put at most half as many instances of ``source`` into one worker as there were: they need too much memory."""
        home = self._homes[source.sha256]
        home.crowd = home.peak = max(1, home.peak // 2)

    def crowd(self, source: EnvSource) -> int:
        """How many instances of ``source`` may share a worker."""
        return self._homes[source.sha256].crowd if source.sha256 in self._homes else sys.maxsize

    def is_hungry(self, worker: Worker) -> bool:
        """Whether the newest instance in a worker has taken more memory than one of several may."""
        before, now = worker.resident_before, worker.resident_mb
        return before is not None and now is not None and now - before > _HUNGRY * self.limits.memory_mb

    def watch(self, source: EnvSource, worker: Worker) -> None:
        """Retire a worker whose memory is nearly full, so that no instance feels another's hunger.

        Playing the episodes again in a new worker gets rid of what leaked, and shows who takes too much. Where that one
        is soon as full, its instances are too many for one worker.
        """
        if worker.dead is not None or worker.messages < worker.watched_at + _WATCHED:
            return
        worker.watched_at, held, home = worker.messages, len(worker.held), self._homes[source.sha256]
        used = worker.resident_mb
        if used is None or used < _FULL * self.limits.memory_mb:
            home.fills = 0
            return
        if held < 2:
            return  # what it needs is its own; the limit will tell
        if home.fills:
            self.spread(source)
        home.fills += 1
        worker.retire(f"held {used:.0f} MiB of {self.limits.memory_mb}")

    def step_many(self, turns: Sequence[tuple[BoxedEnv, str, tuple[str, ...]]]) -> list[StepAnswer | Fault]:
        """One turn of each of several instances, one message per worker; answers in the order of ``turns``.

        A fault of kind ``lost`` says that another instance ended the worker before this turn began.
        """
        answers = exchange(Calls([env for env, *_ in turns], [Action(text, calls) for _, text, calls in turns]))
        return [answer for answer in answers if not isinstance(answer, ResetAnswer)]

    def end(self) -> None:
        """End every worker and start no more; from any thread."""
        self._ended = True
        self.close()

    def close(self) -> None:
        """End every worker."""
        for worker in self.workers:
            worker.kill()
        self._homes.clear()

    def rest(self) -> None:
        """End every worker, but remember what was learned: episodes go on in new ones when they are asked for."""
        for worker in self.workers:
            worker.retire("was not needed for a while")

    def forget(self) -> None:
        """In a forked child: leave the parent's workers alone."""
        for home in self._homes.values():
            for worker in home.workers:
                worker.forget()
            home.workers.clear()


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
