"""Environments that are awaited: the same episodes as single ones, whatever becomes of the others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import gymnasium
import pytest
from test_vector import COUNTER, DEEDS, LIMITS, PLAIN

from spade_envs.asynchronous import AsyncEnv, AsyncEnvs
from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.sandbox.host import BoxOptions
from spade_envs.types import EnvSource, Limits

SOURCE = EnvSource(COUNTER)
Turn = tuple[Any, ...]


def alone(seed: int, actions: Sequence[str]) -> list[Turn]:
    """The episode in an environment of its own."""
    env = SpadeEnv(SOURCE, limits=LIMITS, options=PLAIN)
    turns: list[Turn] = [env.reset(seed=seed), *(env.step(action) for action in actions)]
    env.close()
    return turns


async def played(env: AsyncEnv, seed: int, actions: Sequence[str]) -> list[Turn]:
    """The same, awaited."""
    return [await env.reset(seed=seed), *[await env.step(action) for action in actions]]


def many(workers: int = 1, limits: Limits = LIMITS) -> AsyncEnvs:
    return AsyncEnvs(workers, limits=limits, options=PLAIN)


@pytest.mark.parametrize("workers", [1, 3])
def test_episodes_of_all_lengths_are_those_of_single_environments(workers: int) -> None:
    lists = [[f"a{at}"] * (at % 12) for at in range(60)]

    async def main() -> list[list[Turn]]:
        with many(workers) as envs:
            return await asyncio.gather(*(played(envs.make(SOURCE), at, said) for at, said in enumerate(lists)))

    assert asyncio.run(main()) == [alone(at, said) for at, said in enumerate(lists)]


@pytest.mark.parametrize("deed", list(DEEDS))
def test_a_fault_is_its_own_environments(deed: str) -> None:
    lists = [["a", "b", deed if at == 3 else "c", "d", "e"] for at in range(8)]

    async def main() -> list[list[Turn]]:
        with many() as envs:
            return await asyncio.gather(*(played(envs.make(SOURCE), 20 + at, said) for at, said in enumerate(lists)))

    found = asyncio.run(main())
    assert found[3][3][4]["stop_reason"] == DEEDS[deed]
    assert [found[at] for at in range(8) if at != 3] == [alone(20 + at, lists[at]) for at in range(8) if at != 3]


def test_a_call_that_was_cancelled_is_as_if_never_made() -> None:
    async def main() -> list[Turn]:
        with many() as envs:
            env = envs.make(SOURCE)
            turns = await played(env, 5, ["a"])
            for _ in range(3):
                task = asyncio.create_task(env.step("lost"))
                await asyncio.sleep(0)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            return [*turns, await env.step("b"), await env.step("c")]

    assert asyncio.run(main()) == alone(5, ["a", "b", "c"])


def test_requests_that_make_no_sense_are_refused() -> None:
    async def main() -> None:
        with many() as envs:
            env = envs.make(SOURCE, EnvSettings(max_turns=1))
            with pytest.raises(gymnasium.error.ResetNeeded):
                await env.step("a")
            first = asyncio.create_task(env.reset(seed=1))
            await asyncio.sleep(0)
            with pytest.raises(RuntimeError, match="still busy"):
                await env.reset(seed=2)
            await first
            with pytest.raises(TypeError, match="must be a str"):
                await env.step(7)  # type: ignore[arg-type]
            assert (await env.step("a"))[3]
            assert (await env.step("a"))[0] == "The episode is over. Call reset() to begin another."
            env.close()
            assert (await env.reset(seed=1))[0] == alone(1, [])[0][0]
        with pytest.raises(RuntimeError, match="were closed"):
            await env.reset(seed=1)
        with pytest.raises(RuntimeError, match="were closed"):
            envs.make(SOURCE)
        with pytest.raises(ValueError, match="1 or more"):
            AsyncEnvs(0)

    asyncio.run(main())


def test_a_box_that_cannot_be_had_is_told() -> None:
    from spade_envs.errors import SandboxError
    from spade_envs.types import Isolation

    async def main() -> None:
        with AsyncEnvs(options=BoxOptions(require=Isolation.KERNEL, landlock=False)) as envs:
            results = await asyncio.gather(*(envs.make(SOURCE).reset(seed=1) for _ in range(3)), return_exceptions=True)
            assert all(isinstance(result, SandboxError) for result in results)

    asyncio.run(main())


def test_closing_leaves_nobody_waiting() -> None:
    async def main() -> None:
        envs = many(limits=Limits(step_seconds=30.0))
        env = envs.make(SOURCE)
        await env.reset(seed=1)
        task = asyncio.create_task(env.step("hang"))
        await asyncio.sleep(0)
        await asyncio.to_thread(envs.close)
        with pytest.raises(RuntimeError, match="were closed"):
            await task

    asyncio.run(main())
