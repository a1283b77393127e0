"""Many environments, each awaited at its own pace: for players that wait long for a model between turns.

Calls of one source that are pending at the same time go to its worker together, in one message, from a thread of ours;
no source waits for another, and the event loop for none.
"""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import contextlib
import os
import weakref
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any

import gymnasium

from .actions import Action
from .env import EnvSettings, SpadeEnv
from .lanes import Lane, Lanes
from .quarantine import Quarantine
from .sandbox.batches import Answer
from .sandbox.host import BoxOptions
from .sandbox.pool import MOST_WORKERS, WorkerPool
from .together import begun_by, play_together, taken_by
from .types import EnvSource, Fault, Limits

MOST_OF_ONE = 4
"""Worker processes of one source, per process that it has as a rule."""

Pending = tuple[SpadeEnv, "int | Action", "concurrent.futures.Future[Answer]"]


class AsyncEnv:
    """One environment of an :class:`AsyncEnvs`; made by its ``make``. One call at a time."""

    def __init__(self, env: SpadeEnv, home: AsyncEnvs, place: tuple[str, int]) -> None:
        self.env = env
        """The environment behind it: ``stop_reason``, ``fault``, ``history`` and more."""
        self._home, self._place = home, place
        self._busy = False
        self._left: concurrent.futures.Future[Answer] | None = None
        """A call whose caller was cancelled."""

    async def reset(self, *, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode; as :meth:`SpadeEnv.reset`."""
        with self._alone():
            answer = await self._answer(self.env.prepare(seed))
            if self.env.settings.hinted and not self.env.settings.hint:
                # The author's hint() is asked in the worker, which may be busy with others.
                begun = await asyncio.to_thread(begun_by, self.env, answer)
            else:
                begun = begun_by(self.env, answer)
            self._note(answer)
            return begun

    async def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """One turn; as :meth:`SpadeEnv.step`.

        Raises:
            TypeError: when ``action`` is no ``str``.
            gymnasium.error.ResetNeeded: before the first ``reset``.
        """
        with self._alone():
            if not isinstance(action, str) or self.env.stop_reason is not None:
                return self.env.step(action)  # complains, or says that the episode is over, without a worker
            if not self.env.has_begun:
                raise gymnasium.error.ResetNeeded("call reset() before step()")
            read = self.env.read(action)
            answer = await self._answer(read)
            taken = taken_by(self.env, read, answer)
            self._note(answer)
            return taken

    def close(self) -> None:
        """Let the worker forget it.

        Raises:
            RuntimeError: a call of it is under way.
        """
        with self._alone():
            self.env.close()

    def _note(self, answer: Answer) -> None:
        if self.env.stop_reason is not None and not isinstance(answer, Fault):
            self._home.quarantine.note(self.env.source.sha256, self.env.fault)

    async def _answer(self, wanted: int | Action) -> Answer:
        if self._left is not None:
            # It was played, and nobody was told: the instance is ahead of its episode, which is played again elsewhere.
            await asyncio.wait([asyncio.wrap_future(self._left)])
            self._left = None
            self.env.close()
        future = self._home._ask(self._place, self.env, wanted)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            self._left = future
            raise

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        if self._busy:
            raise RuntimeError("this environment is still busy: await its last call before the next")
        self._busy = True
        try:
            yield
        finally:
            self._busy = False


class AsyncEnvs:
    """Makes environments that share workers; a context manager, whose end ends the workers.

    Args:
        workers: processes per source.
        most: processes at the same time, as a rule: a source whose memory or faults ask for it has up to
            :data:`MOST_OF_ONE` for a while. Sources take turns when they are more, and episodes go on where they were.
        idle_seconds: how long the worker of a source that nobody asks is kept.
        quarantine: failed episodes among the last 8 of a source after which it is not run any more; its environments
            then answer at once, truncated, and ``info["error"]`` says why. 0 never does that.
        limits: limits of the box.
        options: how to build the box.

    Raises:
        ValueError: a number that makes no sense.

    >>> async def episode(envs, source, seed):
    ...     env = envs.make(source)
    ...     text, _ = await env.reset(seed=seed)
    ...     turn = await env.step("nothing")
    ...     return text[:4], turn[1]
    >>> async def many(source):
    ...     with AsyncEnvs() as envs:
    ...         return await asyncio.gather(*(episode(envs, source, seed) for seed in range(50)))
    >>> from spade_envs.rules import EXAMPLE
    >>> set(asyncio.run(many(EnvSource(EXAMPLE))))
    {('What', 0.0)}
    """

    def __init__(
        self,
        workers: int = 1,
        *,
        most: int = MOST_WORKERS,
        idle_seconds: float = 300.0,
        quarantine: int = 5,
        limits: Limits | None = None,
        options: BoxOptions | None = None,
    ) -> None:
        if workers < 1:
            raise ValueError(f"workers must be 1 or more, not {workers}")
        self.workers = workers
        self.quarantine = Quarantine(quarantine)
        """Who failed how often (``faults``), and who is not run any more (``shut_out``), by the hash of its text."""
        self._limits, self._options = limits, options
        self._pools: dict[tuple[str, int], WorkerPool] = {}
        self._lanes: dict[tuple[str, int], Lane[Pending]] = {}
        self._work: Lanes[Pending] = Lanes(most, idle_seconds)
        self._made: collections.Counter[str] = collections.Counter()
        _all.add(self)

    def make(self, source: EnvSource, settings: EnvSettings | None = None) -> AsyncEnv:
        """An environment of ``source``.

        Args:
            source: read by :func:`spade_envs.sources.read_source`, or by a shelf's ``read_source``.
            settings: how it is played: turn limit, hint, tools.

        Raises:
            RuntimeError: after ``close``.
            TypeError: ``source`` is no :class:`EnvSource`.
        """
        if not isinstance(source, EnvSource):
            raise TypeError(f"make() takes an EnvSource, not {type(source).__name__}; spade_envs.sources reads files")
        if self._work.closed:
            raise RuntimeError("these environments were closed")
        place = (source.sha256, self._made[source.sha256] % self.workers)
        self._made[source.sha256] += 1
        pool = self._pools.get(place)
        if pool is None:
            pool = self._pools[place] = WorkerPool(self._limits, self._options, most=MOST_OF_ONE)
        env = SpadeEnv(source, settings, pool=pool, limits=self._limits, options=self._options)
        return AsyncEnv(env, self, place)

    @property
    def running(self) -> int:
        """Worker processes that are alive."""
        return sum(len(pool.workers) for pool in list(self._pools.values()))

    def close(self) -> None:
        """End the workers. Calls that are under way raise ``RuntimeError``."""
        for _, _, future in self._work.close():
            _tell(future, RuntimeError("these environments were closed"))
        for pool in list(self._pools.values()):
            pool.end()
        self._work.join()

    def __enter__(self) -> AsyncEnvs:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _ask(self, place: tuple[str, int], env: SpadeEnv, wanted: int | Action) -> concurrent.futures.Future[Answer]:
        future: concurrent.futures.Future[Answer] = concurrent.futures.Future()
        future.set_running_or_notify_cancel()  # from here on it is answered, whoever still waits for it
        lane = self._lanes.get(place)
        if lane is None:
            lane = self._lanes.setdefault(place, Lane(self._work, self._serve, self._pools[place].rest))
        if not self._work.ask(lane, (env, wanted, future)):
            raise RuntimeError("these environments were closed")
        return future

    def _serve(self, batch: Sequence[Pending]) -> None:
        """Answer calls of one source together."""
        try:
            members = {at: env for at, (env, _, _) in enumerate(batch)}
            asked = {at: wanted for at, (_, wanted, _) in enumerate(batch)}
            answers = play_together(members, asked, self.quarantine)
        except BaseException as error:  # a box that cannot be had is the caller's to hear of, not this thread's end
            told = RuntimeError("these environments were closed") if self._work.closed else error
            for _, _, future in batch:
                _tell(future, told)
            return
        for at, (_, _, future) in enumerate(batch):
            _tell(future, answers[at])

    def _forget(self) -> None:
        self._lanes.clear()
        self._work.forget()


_all: weakref.WeakSet[AsyncEnvs] = weakref.WeakSet()


def _after_fork() -> None:
    # Threads and workers stay with the parent; the child starts its own when it asks.
    for envs in list(_all):
        envs._forget()


os.register_at_fork(after_in_child=_after_fork)


def _tell(future: concurrent.futures.Future[Answer], told: Answer | BaseException) -> None:
    if future.done():
        return
    if isinstance(told, BaseException):
        future.set_exception(told)
    else:
        future.set_result(told)
