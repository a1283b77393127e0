"""Pools that are bounded, crowded, leaky or left alone: the same episodes, and nobody's fault."""

from __future__ import annotations

import dataclasses
import gc
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from test_vector import COUNTER, LIMITS, PLAIN

from spade_envs.env import SpadeEnv
from spade_envs.errors import WorkerDied
from spade_envs.sandbox.host import Worker
from spade_envs.sandbox.pool import STARTS, PoolFullError, WorkerPool
from spade_envs.types import EnvSource, Limits, StopReason
from spade_envs.vector import SpadeVectorEnv

SMALL = Limits(step_seconds=5.0, reset_seconds=5.0, memory_mb=96)
HUNGRY = """
class HungryEnv:
    kept = []
    def reset(self, seed=None):
        self.food = [bytearray(b"x" * 2**20) for _ in range(START)]
        self.n = 0
        return "go", {}
    def step(self, action):
        self.n += 1
        if action == "more":
            self.food += [bytearray(b"x" * 2**20) for _ in range(30)]
        if action == "leak":
            HungryEnv.kept.append(bytearray(b"x" * 2**20))
        return f"{action} {self.n} {len(self.food)}", 0.0, False, False, {}
"""


RAISES = COUNTER.replace("def step(self, action):", "def step(self, action):\n        x")


def hungry(start: int) -> EnvSource:
    return EnvSource(HUNGRY.replace("START", str(start)))


def numbered(count: int) -> list[EnvSource]:
    """Sources that differ."""
    return [EnvSource(f"{COUNTER}\n# {at}\n") for at in range(count)]


def together(sources: list[EnvSource], pool: WorkerPool, mode: str = "NextStep") -> SpadeVectorEnv:
    return SpadeVectorEnv([SpadeEnv(source, pool=pool) for source in sources], [pool], autoreset_mode=mode)


def played(env: Any, replies: list[tuple[str, ...]]) -> list[Any]:
    turns = [env.reset(seed=3), *(env.step(reply) for reply in replies)]
    env.close()
    return turns


def singles(sources: list[EnvSource], limits: Limits, replies: list[tuple[str, ...]]) -> list[list[Any]]:
    """The same episodes in environments of their own: per member, the turns."""
    found = []
    for at, source in enumerate(sources):
        env = SpadeEnv(source, limits=limits, options=PLAIN)
        found.append([env.reset(seed=3 + at), *(env.step(reply[at]) for reply in replies)])
        env.close()
    return found


def agree(turns: list[Any], alone: list[list[Any]]) -> None:
    """Observations, rewards and ends of a vector environment are those of single ones."""
    for at, member in enumerate(alone):
        for turn, own in zip(turns, member, strict=True):
            assert turn[0][at] == own[0]
            if len(own) == 5:
                assert tuple(column[at] for column in turn[1:4]) == own[1:4]


# -- bounded ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 2, 5])
def test_more_sources_than_workers_take_turns(most: int) -> None:
    sources = numbered(5)
    pool = WorkerPool(LIMITS, PLAIN, most=most)
    env = together(sources, pool, "Disabled")
    replies = [("a",) * 5, ("b", "c", "d", "e", "f"), ("g",) * 5]
    turns = [env.reset(seed=3)]
    for reply in replies:
        turns.append(env.step(reply))
        assert len(pool.workers) == most
    env.close()
    agree(turns, singles(sources, LIMITS, replies))


@pytest.mark.parametrize("kills", [1, 2, 3])
def test_a_worker_that_is_killed_before_it_is_ready_is_replaced(kills: int, monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[int] = []
    wait = Worker.wait_ready

    def interrupted(self: Worker) -> None:
        if len(killed) < kills:
            killed.append(self.pid)
            os.kill(self.pid, signal.SIGKILL)
        wait(self)

    monkeypatch.setattr(Worker, "wait_ready", interrupted)
    env = SpadeEnv(EnvSource(COUNTER), pool=WorkerPool(LIMITS, PLAIN))
    if kills < STARTS:
        assert env.reset(seed=3)[0].startswith("go")
    else:
        with pytest.raises(WorkerDied, match="did not start"):
            env.reset(seed=3)
    env.pool.close()
    assert len(set(killed)) == kills


def test_the_worker_that_was_idle_longest_goes_first() -> None:
    pool = WorkerPool(LIMITS, PLAIN, most=2)
    envs = [SpadeEnv(source, pool=pool) for source in numbered(3)]
    for env in envs[:2]:
        env.reset(seed=1)
    envs[0].step("a")
    boxes = [env.boxed for env in envs]
    envs[2].reset(seed=1)
    assert boxes[0] is not None and boxes[1] is not None
    assert (boxes[0].alive, boxes[1].alive, boxes[1].worker.retired) == (True, False, True)
    text, _, _, _, info = envs[1].step("b")  # plays on in a new worker
    assert text.startswith("b 1 ") and "error" not in info
    pool.close()


def test_a_pool_without_room_says_so_only_inside() -> None:
    pool = WorkerPool(LIMITS, PLAIN, most=1)
    first, second = (SpadeEnv(source, pool=pool) for source in numbered(2))
    first.reset(seed=1)
    assert first.boxed is not None
    first.boxed.worker.pinned = True
    with pytest.raises(PoolFullError):
        second.ready()
    pool.close()
    with pytest.raises(ValueError, match="room for 1 worker or more, not 0"):
        WorkerPool(most=0)


def test_instances_that_nobody_holds_are_forgotten() -> None:
    pool = WorkerPool(LIMITS, PLAIN)
    kept = SpadeEnv(EnvSource(COUNTER), pool=pool)
    kept.reset(seed=1)
    for _ in range(5):
        SpadeEnv(EnvSource(COUNTER), pool=pool).reset(seed=1)
    gc.collect()
    assert kept.boxed is not None and kept.boxed.worker.held == {kept.boxed.number}
    closed = SpadeEnv(EnvSource(COUNTER), pool=pool)
    closed.reset(seed=1)
    closed.close()
    assert kept.boxed.worker.held == {kept.boxed.number} and kept.step("a")[0].startswith("a 1")
    pool.close()


# -- memory ----------------------------------------------------------------------------------------------------


def test_instances_too_many_for_one_worker_are_spread() -> None:
    sources = [hungry(8)] * 16  # 128 MiB in workers of 96
    pool = WorkerPool(SMALL, PLAIN)
    env = together(sources, pool)
    replies = [("a",) * 16, ("b",) * 16]
    turns = [env.reset(seed=3)]
    for reply in replies:
        turns.append(env.step(reply))
    crowd, workers = pool.crowd(sources[0]), len(pool.workers)
    env.close()
    agree(turns, singles(sources, SMALL, replies))
    assert not env.quarantine.faults and 2 <= crowd <= 8 and workers >= 16 / crowd


def test_instances_that_nearly_fill_a_worker_are_spread_before_one_fails() -> None:
    sources = [hungry(5)] * 13  # 65 MiB and the interpreter in workers of 96
    pool = WorkerPool(SMALL, PLAIN)
    env = together(sources, pool)
    env.reset(seed=3)
    for at in range(60):
        assert env.step(("a",) * 13)[0] == (f"a {at + 1} 5",) * 13
    assert pool.crowd(sources[0]) <= 6 and not env.quarantine.faults
    env.close()


def test_a_hungry_instance_costs_its_own_episode_only() -> None:
    sources = [hungry(0)] * 6
    pool = WorkerPool(SMALL, PLAIN)
    env = together(sources, pool, "Disabled")
    replies = [("more", *(("a",) * 5))] * 12
    turns = [env.reset(seed=3)]
    for reply in replies:
        turns.append(env.step(reply))
        if turns[-1][3].any():
            break
    alone = singles(sources, SMALL, replies[: len(turns) - 1])
    assert turns[-1][3].tolist() == [True] + [False] * 5 and turns[-1][4]["stop_reason"][0] == StopReason.ENV_MEMORY
    assert env.members[1].boxed is not None and len(env.members[1].boxed.worker.held) == 5
    assert pool.crowd(sources[0]) > 5, "the others are not too many"
    env.reset(seed=4)
    homes = {id(member.boxed.worker) for member in env.members if member.boxed}
    assert len(homes) == 1 == len(pool.workers), "it lives among the others again"
    env.close()
    agree(turns, alone)


def test_a_leak_never_becomes_a_fault() -> None:
    pool = WorkerPool(dataclasses.replace(SMALL, max_turns=10), PLAIN)
    env = together([hungry(0)] * 2, pool, "SameStep")
    env.reset(seed=3)
    seen = set()
    for at in range(200):  # 200 MiB in workers of 96
        texts = env.step(("leak", "a"))[0]
        assert texts == (("go", "go") if at % 10 == 9 else (f"leak {at % 10 + 1} 0", f"a {at % 10 + 1} 0"))
        assert env.members[0].boxed is not None
        seen.add(id(env.members[0].boxed.worker))
    assert not env.quarantine.faults and len(seen) > 1 and pool.crowd(hungry(0)) > 2
    env.close()


# -- quarantine ------------------------------------------------------------------------------------------------


def test_a_source_that_fails_again_and_again_is_not_run_any_more() -> None:
    good, bad = (
        EnvSource(COUNTER),
        EnvSource(COUNTER.replace("def step(self, action):", "def step(self, action):\n        x")),
    )
    pool = WorkerPool(LIMITS, PLAIN)
    env = together([bad, good], pool)
    env.reset(seed=3)
    reasons = []
    for _ in range(20):
        _, _, _, truncated, infos = env.step(("a", "a"))
        if truncated[0]:
            reasons.append((infos["stop_reason"][0], str(infos["error"][0])))
    assert env.quarantine.faults == {bad.sha256: 5} and list(env.quarantine.shut_out) == [bad.sha256]
    assert all("quarantined" not in error for _, error in reasons[:5])
    assert {reason for reason, _ in reasons} == {StopReason.ENV_RAISED}
    assert all(error.startswith("quarantined: 5 of its last 5 episodes failed") for _, error in reasons[5:])
    box = env.members[0].boxed
    assert box is None or not box.alive or box.worker.messages < 30
    env.close()


def test_of_many_that_hang_few_are_waited_for() -> None:
    source = EnvSource(
        "class LoopEnv:\n    def reset(self, seed=None):\n        while True: pass\n    def step(self, a): pass"
    )
    pool = WorkerPool(Limits(reset_seconds=0.2, grace_seconds=0.5), PLAIN)
    env = together([source] * 30, pool)
    _, infos = env.reset(seed=3)
    errors = [
        str(error) for error in infos.get("error", [member.fault.message for member in env.members if member.fault])
    ]
    assert len(errors) == 30 and sum("quarantined" in error for error in errors) >= 24
    assert infos["stop_reason"].tolist() == [StopReason.ENV_HUNG] * 30
    env.close()


def test_quarantine_can_be_switched_off() -> None:
    bad = EnvSource(RAISES)
    pool = WorkerPool(LIMITS, PLAIN)
    env = SpadeVectorEnv([SpadeEnv(bad, pool=pool)], [pool], quarantine=0, autoreset_mode="SameStep")
    env.reset(seed=3)
    for _ in range(10):
        env.step(("a",))
    assert env.quarantine.faults == {bad.sha256: 10} and not env.quarantine.shut_out
    env.close()
    with pytest.raises(ValueError, match="0 \\(never\\) to 8"):
        SpadeVectorEnv(env.members, quarantine=9)


# -- nothing is left behind ------------------------------------------------------------------------------------


def children() -> list[str]:
    """States of this process's children; ``Z`` is a zombie."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == os.getpid():
            found.append(state)
    return found


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts descriptors in /proc")
def test_workers_that_end_leave_no_descriptor_and_no_zombie() -> None:
    pool = WorkerPool(LIMITS, PLAIN)
    env = SpadeVectorEnv([SpadeEnv(EnvSource(COUNTER), pool=pool) for _ in range(4)], [pool], quarantine=0)
    env.reset(seed=3)
    counts = []
    for deed in ("die", "a", "eat", "a", "hang", "a", "die", "a", "die", "a", "eat", "a"):
        _, _, _, truncated, _ = env.step((deed, "a", "a", "a"))
        assert truncated[0] == (deed != "a") or deed == "a"
        counts.append(len(os.listdir("/proc/self/fd")))
    zombies = children().count("Z")
    env.close()
    assert max(counts[3:]) <= max(counts[:3]) and zombies == 0
    assert [member.fault is None for member in env.members[1:]] == [True] * 3
