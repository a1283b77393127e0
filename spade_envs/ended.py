"""Many things awaited at once, each told of as it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


async def all_of(work: Iterable[Awaitable[R]]) -> list[R]:
    """Wait for all, and give their results in order; the first that fails cancels the others and is raised.

    >>> async def doubled(number):
    ...     return 2 * number
    >>> asyncio.run(all_of(map(doubled, range(4))))
    [0, 2, 4, 6]
    """
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class _End:
    """A worker has nothing left to do."""


async def as_ended(items: Iterable[T], work: Callable[[T], Awaitable[R]], concurrency: int) -> AsyncGenerator[R, None]:
    """Work on items, and yield each result as it comes.

    Args:
        items: drawn from only as places become free, and may be endless.
        work: what to do with each.
        concurrency: items at work at the same time, 1 or more; twice as many results may wait for the reader.

    What ``items`` or ``work`` raise is raised here. Leaving the loop early cancels the rest (wrap it in
    ``contextlib.aclosing`` to have that done at once).

    >>> async def doubled(number):
    ...     return 2 * number
    >>> async def main():
    ...     return sorted([one async for one in as_ended(range(4), doubled, 2)])
    >>> asyncio.run(main())
    [0, 2, 4, 6]
    """
    todo, done = iter(items), asyncio.Queue[R | BaseException | _End]()
    # One slot more would let results pile up behind a slow reader.
    room = asyncio.Semaphore(2 * concurrency)

    async def worker(item: T) -> None:
        try:
            while True:
                await room.acquire()
                done.put_nowait(await work(item))
                item = next(todo)
        except StopIteration:
            done.put_nowait(_End())
        except Exception as error:  # the reader must hear of it
            done.put_nowait(error)

    workers: list[asyncio.Task[None]] = []
    try:
        for item in todo:
            workers.append(asyncio.create_task(worker(item)))
            if len(workers) == concurrency:
                break
        left = len(workers)
        while left:
            one = await done.get()
            if isinstance(one, _End):
                left -= 1
            elif isinstance(one, BaseException):
                raise one
            else:
                room.release()
                yield one
    finally:
        for task in workers:
            task.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
