"""Many rollouts at once: episodes of many environments, each at the pace of its own player."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import AsyncGenerator, Iterable

from .asynchronous import AsyncEnvs
from .ended import as_ended
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

    async def play(item: tuple[int, Assignment]) -> Ended:
        return item[0], await play_one(envs, item[1])

    async with contextlib.aclosing(as_ended(enumerate(assignments), play, concurrency)) as ended:
        async for one in ended:
            yield one


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
