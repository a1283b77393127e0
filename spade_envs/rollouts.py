"""Many rollouts at once: episodes of many environments, each at the pace of its own player."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncGenerator, Iterable, Iterator

from .asynchronous import AsyncEnvs
from .rollout import converse
from .settings import EnvSettings
from .types import AsyncPlayer, EnvSource, Episode


@dataclasses.dataclass(frozen=True)
class Assignment:
    """One episode to be played."""

    source: EnvSource
    settings: EnvSettings
    seed: int
    player: AsyncPlayer
    """Plays this episode alone."""
    env_id: str = ""
    policy_version: str = ""


Ended = tuple[int, Episode]


async def play_many(
    envs: AsyncEnvs, assignments: Iterable[Assignment], *, concurrency: int = 256
) -> AsyncGenerator[Ended, None]:
    """Play episodes, and yield each as it ends.

    Args:
        envs: where environments live; a source that fails again and again is not run any more there.
        assignments: drawn from only as places become free, and may be endless.
        concurrency: episodes at the same time; as many as the client sends requests, so that none waits for its turn.

    Yields:
        The place among ``assignments``, from 0, and the episode. Whatever goes wrong in one is in its ``stop_reason``.

    Leaving the loop early cancels the rest (wrap it in ``contextlib.aclosing`` to have that done at once).

    Raises:
        SandboxError: this machine cannot isolate a source as required.
        ValueError: ``concurrency`` is below 1.
    """
    if concurrency < 1:
        raise ValueError(f"concurrency must be 1 or more, not {concurrency}")
    todo, done = iter(enumerate(assignments)), asyncio.Queue[Ended | BaseException | None]()
    workers: list[asyncio.Task[None]] = []
    try:
        for first in todo:
            workers.append(asyncio.create_task(_work(envs, first, todo, done)))
            if len(workers) == concurrency:
                break
        left = len(workers)
        while left:
            one = await done.get()
            if one is None:
                left -= 1
            elif isinstance(one, BaseException):
                raise one
            else:
                yield one
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)


async def play_one(envs: AsyncEnvs, assignment: Assignment) -> Episode:
    """Play one episode; raises as :func:`play_many`."""
    env = envs.make(assignment.source, assignment.settings)
    try:
        return await converse(
            env,
            assignment.player,
            assignment.seed,
            env_id=assignment.env_id,
            policy_version=assignment.policy_version,
        )
    finally:
        env.close()


async def _work(
    envs: AsyncEnvs,
    item: tuple[int, Assignment],
    todo: Iterator[tuple[int, Assignment]],
    done: asyncio.Queue[Ended | BaseException | None],
) -> None:
    try:
        while True:
            index, assignment = item
            done.put_nowait((index, await play_one(envs, assignment)))
            item = next(todo)
    except StopIteration:
        done.put_nowait(None)
    except Exception as error:  # the caller's iterable failed, or the box did: the reader must hear of it
        done.put_nowait(error)
