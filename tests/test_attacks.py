"""Attacks on many environments at once that once succeeded, and honest sources that once suffered."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from spade_envs.actions import Action
from spade_envs.asynchronous import AsyncEnvs
from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.sandbox.batches import Begin, Calls
from spade_envs.sandbox.boxed import BoxedEnv
from spade_envs.sandbox.checked import read_reset
from spade_envs.sandbox.host import BoxOptions, Worker
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource, Fault, FaultKind, Limits
from spade_envs.vector import SpadeVectorEnv

PLAIN = BoxOptions(language=False)
LIMITS = Limits(step_seconds=0.3, reset_seconds=2, grace_seconds=0.3)
AGAIN = """
import time
class AgainEnv:
    begun = 0
    def reset(self, seed=None):
        self.begun += 1
        if self.begun > 1:
            DEED
        return "go", {}
    def step(self, action):
        return "won", 1.0, True, False, {}
"""
SLOW = "end = time.monotonic() + 1\n            while time.monotonic() < end: pass"
HANGS = "while True:\n                try:\n                    while True: pass\n                finally: continue"


def made(deed: str = "pass", members: int = 2) -> SpadeVectorEnv:
    pool, source = WorkerPool(LIMITS, PLAIN), EnvSource(AGAIN.replace("DEED", deed))
    several = [SpadeEnv(source, pool=pool, limits=LIMITS, options=PLAIN) for _ in range(members)]
    return SpadeVectorEnv(several, [pool], quarantine=0, autoreset_mode="SameStep")


@pytest.mark.parametrize("deed", [SLOW, HANGS])
def test_a_reset_in_the_same_message_has_its_own_time(deed: str) -> None:
    env = made(deed, members=1)
    env.reset(seed=1)
    _, rewards, terminated, _, infos = env.step(["a"])
    assert rewards.tolist() == [1.0] and terminated.tolist() == [True]
    assert infos["final_obs"].tolist() == ["won"]
    env.close()


@pytest.mark.parametrize("answer", [5, None, "1234567", dict.fromkeys("abcdefg")])
def test_a_turn_with_a_reset_in_no_shape_at_all_is_a_lie(answer: Any) -> None:
    worker = Worker("", LIMITS, PLAIN)
    found = Calls([BoxedEnv(worker, 1)], [Action("a")], [Begin(1, False)]).read(0, answer)
    assert isinstance(found, Fault) and found.kind is FaultKind.LIED


@pytest.mark.parametrize(
    "begun",
    [
        None,
        7,
        [],
        ["r"],
        ["r", {}],
        ["r", {}, 0],
        ["r", [], None],
        [7, {}, None],
        ["\ud800", {}, 3],
        ["r", {}, 3, []],
        {"ok": ["r", {}]},
    ],
)
def test_a_reset_after_a_turn_in_another_shape_is_a_lie(begun: Any) -> None:
    box = BoxedEnv(Worker("", LIMITS, PLAIN), 1)
    Calls([box], [Action("a")], [Begin(1, False)]).read(0, ["o", 0.5, True, False, {}, [], begun])
    assert box.after is None and box.worker.dead is not None and box.worker.dead.kind is FaultKind.LIED


def test_a_reset_after_a_turn_is_read_as_one_alone() -> None:
    answer = {"observation": "r", "info": {"k": 1}, "tools": [], "tool_base": False, "max_turns": 3, "repairs": []}
    for begun in ({"ok": answer}, ["r", {"k": 1}, 3]):
        box = BoxedEnv(Worker("", LIMITS, PLAIN), 1)
        Calls([box], [Action("a")], [Begin(9, False)]).read(0, ["o", 0.5, True, False, {}, [], begun])
        assert box.after == (9, read_reset(answer)) and box.worker.dead is None
        box.worker.kill()


def test_a_reset_in_the_same_message_that_fails_is_not_made_again() -> None:
    env = made("if self.begun == 2: raise KeyError('odd')", members=1)
    env.reset(seed=1)
    _, rewards, _, _, infos = env.step(["a"])
    assert rewards.tolist() == [1.0] and "odd" in infos["error"][0]
    assert env.quarantine.faults.total() == 1 and env.step(["a"])[3].tolist() == [True]
    env.close()


HINTED = """
import os
class HintedEnv:
    def reset(self, seed=None):
        self.seed = seed
        return f"go {seed}", {}
    def hint(self):
        if self.seed == 5:
            os._exit(3)
        return f"say {self.seed}"
    def step(self, action):
        return "won", 1.0, True, False, {}
"""


@pytest.mark.parametrize("most", [1, 2, 256])
def test_hints_are_given_whatever_becomes_of_other_workers(most: int) -> None:
    pool = WorkerPool(LIMITS, PLAIN, most=most)
    sources = [EnvSource(f"{HINTED}# {at % 3}") for at in range(8)]
    env = SpadeVectorEnv([SpadeEnv(source, EnvSettings(hinted=True), pool=pool) for source in sources], [pool])
    texts, infos = env.reset(seed=0)
    honest = [at for at in range(8) if at != 5]
    assert [texts[at] for at in honest] == [f"go {at}\n\nHINT: say {at}" for at in honest]
    assert "could not give its hint" in texts[5] and infos["_stop_reason"].tolist() == [at == 5 for at in range(8)]
    env.close()


LINGERS = """
def wait():
    try:
        yield 1
    finally:
        while True:
            pass

class LingersEnv:
    def reset(self, seed=None):
        self.stream = wait()  # knows nothing of the instance, so that both go at once
        next(self.stream)
        return "go", {}
    def step(self, action):
        return "on", 0.0, False, False, {}
"""


def test_what_runs_when_an_instance_is_forgotten_has_a_limit() -> None:
    pool = WorkerPool(Limits(step_seconds=0.3, reset_seconds=2, grace_seconds=3.0))
    first, second = (SpadeEnv(EnvSource(LINGERS), pool=pool) for _ in range(2))
    for env in (first, second):
        env.reset(seed=1)
    first.close()
    text, _, _, truncated, _ = second.step("a")
    assert (text, truncated) == ("on", False)
    pool.close()


def test_a_call_left_behind_in_a_loop_that_is_gone_holds_nobody_up() -> None:
    with AsyncEnvs(limits=LIMITS, options=PLAIN) as envs:
        env = envs.make(EnvSource(AGAIN.replace("DEED", "pass")))
        asyncio.run(env.reset(seed=1))

        async def leave() -> None:
            task = asyncio.create_task(env.step("a"))
            await asyncio.sleep(0)
            task.cancel()

        asyncio.run(leave())
        assert asyncio.run(env.reset(seed=1))[0] == "go"


def test_an_environment_is_not_closed_during_a_call() -> None:
    async def main() -> None:
        with AsyncEnvs(limits=LIMITS, options=PLAIN) as envs:
            env = envs.make(EnvSource(AGAIN.replace("DEED", "pass")))
            task = asyncio.create_task(env.reset(seed=1))
            await asyncio.sleep(0)
            with pytest.raises(RuntimeError, match="still busy"):
                env.close()
            assert (await task)[0] == "go"

    asyncio.run(main())
