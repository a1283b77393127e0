"""Environments that are awaited: the same episodes as single ones, whatever becomes of the others."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import random
import signal
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import pytest
from test_vector import COUNTER, DEEDS, LIMITS, PLAIN

from spade_envs.asynchronous import AsyncEnv, AsyncEnvs
from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.sandbox.host import BoxOptions, Worker
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


@pytest.mark.parametrize("lie", [-1, 0, 5, 7, 2**63])
@pytest.mark.parametrize("deed", ["die", "eat"])
def test_a_worker_that_lies_about_its_progress_harms_nobody(
    deed: str, lie: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Worker, "begun", lambda self, number: lie)
    test_a_fault_is_its_own_environments(deed)


@pytest.mark.parametrize("seed", range(3))
def test_workers_that_are_killed_at_any_moment_cost_no_episode(seed: int) -> None:
    draw = random.Random(seed)
    lists = [[f"a{at}"] * 12 for at in range(24)]

    async def main() -> list[list[Turn]]:
        with many(2) as envs:
            running = [asyncio.ensure_future(played(envs.make(SOURCE), at, said)) for at, said in enumerate(lists)]
            for _ in range(6):
                # Somewhere in the middle of things: so many episodes have had their turn since.
                for _ in range(draw.randint(1, 40)):
                    await asyncio.sleep(0)
                for pool in list(envs._pools.values()):
                    for worker in list(pool.workers):
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(worker.pid, signal.SIGKILL)
            return await asyncio.gather(*running)

    assert asyncio.run(main()) == [alone(at, said) for at, said in enumerate(lists)]


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


# -- many sources ----------------------------------------------------------------------------------------------


def numbered(count: int) -> list[EnvSource]:
    """Sources that differ."""
    return [EnvSource(f"{COUNTER}\n# {at}\n") for at in range(count)]


def test_no_source_waits_for_another() -> None:
    stuck = EnvSource(COUNTER + "\n# stuck")
    limits = dataclasses.replace(LIMITS, step_seconds=200.0)

    async def main() -> tuple[bool, list[Turn]]:
        with many(limits=limits) as envs:
            slow, quick = envs.make(stuck), envs.make(SOURCE)
            await slow.reset(seed=1)
            waiting = asyncio.create_task(slow.step("loop"))
            turns = await played(quick, 5, ["a", "b", "c"])
            over = waiting.done()
            envs.close()
            with pytest.raises(RuntimeError, match="were closed"):
                await waiting
            return over, turns

    over, turns = asyncio.run(main())
    assert not over and turns == alone(5, ["a", "b", "c"])


@pytest.mark.parametrize("most", [1, 3])
def test_more_sources_than_processes_play_the_same(most: int) -> None:
    sources = numbered(8)
    said = ["a", "b", "c", "d"]
    running = 0

    async def one(envs: AsyncEnvs, at: int) -> list[Turn]:
        nonlocal running
        env = envs.make(sources[at])
        turns = [await env.reset(seed=at)]
        for action in said:
            turns.append(await env.step(action))
            running = max(running, envs.running)
        return turns

    async def main() -> list[list[Turn]]:
        with AsyncEnvs(most=most, limits=LIMITS, options=PLAIN) as envs:
            return await asyncio.gather(*(one(envs, at) for at in range(8)))

    assert asyncio.run(main()) == [alone(at, said) for at in range(8)]
    assert running <= most


def test_a_worker_that_nobody_asks_is_ended_and_its_episodes_go_on() -> None:
    async def main() -> list[Turn]:
        with AsyncEnvs(idle_seconds=0.01, limits=LIMITS, options=PLAIN) as envs:
            env = envs.make(SOURCE)
            turns = [await env.reset(seed=5), await env.step("a")]
            while envs.running:
                await asyncio.sleep(0.01)
            turns.append(await env.step("b"))
            return turns

    assert asyncio.run(main()) == alone(5, ["a", "b"])


def test_a_source_that_keeps_failing_is_not_run_any_more() -> None:
    bad = EnvSource(COUNTER + "\n# bad")

    async def main() -> list[str]:
        with many() as envs:
            errors = []
            for at in range(7):
                turns = await played(envs.make(bad), 20 + at, ["raise"])
                errors.append(turns[-1][4]["error"])
            assert (await played(envs.make(SOURCE), 5, ["a"])) == alone(5, ["a"])
            assert envs.quarantine.faults == {bad.sha256: 5} and list(envs.quarantine.shut_out) == [bad.sha256]
            return errors

    errors = asyncio.run(main())
    assert ["quarantined" in error for error in errors] == [False] * 5 + [True] * 2


# -- forks -----------------------------------------------------------------------------------------------------


def in_child(work: Callable[[], None]) -> int:
    """Exit status of a forked child that does ``work``."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException:  # whatever it is, the parent is to hear of it, not pytest in the child
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.filterwarnings("ignore:This process")  # Python warns of forks beside threads, which is the point here
def test_a_fork_plays_on_in_workers_of_its_own_and_so_does_the_parent() -> None:
    envs = AsyncEnvs(most=1, limits=LIMITS, options=PLAIN)
    said = ["b", "c"]
    single = SpadeEnv(SOURCE, limits=LIMITS, options=PLAIN)
    env = envs.make(SOURCE)
    begun = asyncio.run(played(env, 5, ["a"]))
    single.reset(seed=5)
    single.step("a")

    async def rest() -> list[Turn]:
        return [await env.step(action) for action in said]

    def child() -> None:
        assert [*begun, *asyncio.run(rest())] == alone(5, ["a", *said])
        assert [single.step(action) for action in said] == alone(5, ["a", *said])[2:]

    assert in_child(child) == 0
    assert [*begun, *asyncio.run(rest())] == alone(5, ["a", *said])
    assert [single.step(action) for action in said] == alone(5, ["a", *said])[2:]
    envs.close()
    single.close()
