"""Many environments, each awaited at its own pace: for players that wait long for a model between turns.

Calls that are pending at the same time go to the workers together, in one message each, from a thread of ours; the
event loop never waits for an environment.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import gymnasium

from .actions import Action
from .env import EnvSettings, SpadeEnv
from .sandbox.host import BoxOptions
from .sandbox.pool import WorkerPool
from .together import Answer, begun_by, play_together, taken_by
from .types import EnvSource, Limits

Pending = tuple[SpadeEnv, "int | Action", "asyncio.Future[Answer]"]


class AsyncEnv:
    """One environment of an :class:`AsyncEnvs`; made by its ``make``. One call at a time."""

    def __init__(self, env: SpadeEnv, home: AsyncEnvs) -> None:
        self.env = env
        """The environment behind it: ``stop_reason``, ``fault``, ``history`` and more."""
        self._home = home
        self._busy = False
        self._left: asyncio.Future[Answer] | None = None
        """A call whose caller was cancelled."""

    async def reset(self, *, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode; as :meth:`SpadeEnv.reset`."""
        with self._alone():
            return begun_by(self.env, await self._answer(self.env.prepare(seed)))

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
            return taken_by(self.env, read, await self._answer(read))

    def close(self) -> None:
        """Let the worker forget it."""
        if self.env.boxed is not None and self.env.boxed.alive:
            self.env.boxed.drop()
        self.env.boxed = None

    async def _answer(self, wanted: int | Action) -> Answer:
        if self._left is not None:
            # It was played, and nobody was told: the instance is ahead of its episode, which is played again elsewhere.
            await asyncio.wait([self._left])
            self._left = None
            self.close()
        future = self._home._ask(self.env, wanted)
        try:
            return await asyncio.shield(future)
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
        limits: limits of the box.
        options: how to build the box.

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

    def __init__(self, workers: int = 1, *, limits: Limits | None = None, options: BoxOptions | None = None) -> None:
        if workers < 1:
            raise ValueError(f"workers must be 1 or more, not {workers}")
        self._limits, self._options = limits, options
        self._pools = [WorkerPool(limits, options) for _ in range(workers)]
        self._made = 0
        self._pending: list[Pending] = []
        self._wake = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="spade-envs", daemon=True)
        self._thread.start()

    def make(self, source: EnvSource, settings: EnvSettings | None = None) -> AsyncEnv:
        """An environment of ``source``.

        Raises:
            RuntimeError: after ``close``.
        """
        if self._closed:
            raise RuntimeError("these environments were closed")
        pool = self._pools[self._made % len(self._pools)]
        self._made += 1
        return AsyncEnv(SpadeEnv(source, settings, pool=pool, limits=self._limits, options=self._options), self)

    def close(self) -> None:
        """End the workers. Calls that are under way raise ``RuntimeError``."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        for pool in self._pools:
            pool.end()
        self._thread.join()

    def __enter__(self) -> AsyncEnvs:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _ask(self, env: SpadeEnv, wanted: int | Action) -> asyncio.Future[Answer]:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        with self._wake:
            if self._closed:
                raise RuntimeError("these environments were closed")
            self._pending.append((env, wanted, future))
            self._wake.notify()
        return future

    def _serve(self) -> None:
        """Answer whatever is pending, all of it together, until closed."""
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._pending or self._closed)
                batch, self._pending = self._pending, []
                if not batch:
                    return
            try:
                members = {at: env for at, (env, _, _) in enumerate(batch)}
                answers = play_together(members, {at: wanted for at, (_, wanted, _) in enumerate(batch)})
            except BaseException as error:  # a box that cannot be had is the caller's to hear of, not this thread's end
                told = RuntimeError("these environments were closed") if self._closed else error
                for _, _, future in batch:
                    _tell(future, told)
                continue
            for at, (_, _, future) in enumerate(batch):
                _tell(future, answers[at])


def _tell(future: asyncio.Future[Answer], told: Answer | BaseException) -> None:
    """Settle a future from another thread; one that nobody awaits any more is left alone."""

    def settle() -> None:
        if future.done():
            return
        if isinstance(told, BaseException):
            future.set_exception(told)
        else:
            future.set_result(told)

    with contextlib.suppress(RuntimeError):  # its event loop was closed
        future.get_loop().call_soon_threadsafe(settle)
