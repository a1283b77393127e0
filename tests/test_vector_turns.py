"""Turns that are told together and taken while others are computed, in vector environments."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from test_vector import LIMITS, PLAIN, same, single

from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.sandbox.host import Worker
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource, Limits
from spade_envs.vector import SpadeVectorEnv

TALKER = """
class TalkEnv:
    def reset(self, seed=None):
        self.n = (seed or 0) % 3
        return f"start {self.n}", {"seed": "mine", "n": self.n}
    def step(self, action):
        self.n += 1
        told = [{}, {"n": self.n}, {"n": self.n, "seed": "mine"}, {"n": [self.n]}, {"text": action}]
        return f"{self.n} {action}", 0.25, self.n == 7, False, told[self.n % 5]
"""


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("most", [None, 4])
def test_turns_in_one_frame_are_those_of_single_environments(mode: str, most: int | None) -> None:
    """With keys that change, keys that are ours to say, and ends by a limit among turns that end nothing."""
    settings, source = EnvSettings(max_turns=most), EnvSource(TALKER)
    pools = [WorkerPool(LIMITS, PLAIN) for _ in range(2)]
    env = SpadeVectorEnv(
        [SpadeEnv(source, settings, pool=pools[at % 2]) for at in range(9)], pools, autoreset_mode=mode
    )
    alone = SpadeVectorEnv([SpadeEnv(source, settings) for _ in range(9)], autoreset_mode=mode)
    same(env.reset(seed=list(range(9))), alone.reset(seed=list(range(9))))
    ended = 0
    for turn in range(15):
        actions = [f"{turn} {at}" for at in range(9)]
        one, other = env.step(actions), alone.step(actions)
        same(one, other)
        assert {key: value.dtype for key, value in one[-1].items() if isinstance(value, np.ndarray)} == {
            key: value.dtype for key, value in other[-1].items() if isinstance(value, np.ndarray)
        }
        over = one[2] | one[3]
        ended += int(over.sum())
        if mode == "Disabled" and over.any():
            same(env.reset(options={"reset_mask": over}), alone.reset(options={"reset_mask": over}))
    assert ended > 9
    env.close()
    alone.close()


def test_a_reset_that_fails_in_the_step_that_ended_another_counts_against_its_source() -> None:
    text = TALKER.replace("self.n = (seed", "1 / (seed % 2)\n        self.n = (seed")
    pool = WorkerPool(LIMITS, PLAIN)
    members = [SpadeEnv(EnvSource(text), EnvSettings(max_turns=1), pool=pool) for _ in range(4)]
    env = SpadeVectorEnv(members, [pool], autoreset_mode="SameStep", quarantine=0)
    env.reset(seed=[1, 3, 5, 7])
    failed = 0
    for _ in range(6):
        before = [member.fault is not None for member in members]
        infos = env.step(["a"] * 4)[-1]
        failed += sum(member.fault is not None for member in members)
        assert [reason is not None for reason in infos["final_info"]["stop_reason"]] == [True] * 4
        assert all(
            "error" in infos["final_info"] and infos["final_info"]["_error"][at] for at in range(4) if before[at]
        )
    assert env.quarantine.faults.total() == failed > 0
    env.close()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_hints_are_asked_for_when_no_answers_are_to_come(mode: str) -> None:
    """A hint in the middle of a message would take the answers after it for its own."""
    text = TALKER + "    def hint(self):\n        return f'hint {self.n}'\n"
    pool, settings = WorkerPool(LIMITS, PLAIN), EnvSettings(hinted=True, max_turns=4)
    env = SpadeVectorEnv(
        [SpadeEnv(EnvSource(text), settings, pool=pool) for _ in range(40)], [pool], autoreset_mode=mode
    )
    twins = [SpadeEnv(EnvSource(text), settings, pool=WorkerPool(LIMITS, PLAIN)) for _ in range(3)]
    texts, _ = env.reset(seed=0)
    assert [twin.reset(seed=at)[0] for at, twin in enumerate(twins)] == list(texts[:3])
    (worker,) = pool.workers
    for turn in range(9):
        texts = env.step([f"{turn}"] * 40)[0]
        if mode == "SameStep":
            for at, twin in enumerate(twins):
                text, _, *over, _ = twin.step(f"{turn}")
                assert texts[at] == (twin.reset()[0] if any(over) else text)
    assert pool.workers == [worker] and not env.quarantine.faults
    env.close()
    for twin in twins:
        twin.close()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_members_that_ended_before_an_interrupt_wait_for_their_reset(
    monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    pools = [WorkerPool(LIMITS, PLAIN) for _ in range(2)]
    env = SpadeVectorEnv([single(pools[at % 2], max_turns=2) for at in range(4)], pools, autoreset_mode=mode)
    env.reset(seed=[1, 2, 3, 4])
    env.step(["a"] * 4)
    take, taken = Worker.take, list[int]()

    def interrupted(self: Worker, *args: Any, **more: Any) -> Any:
        taken.append(1)
        if len(taken) == 2:
            raise KeyboardInterrupt
        return take(self, *args, **more)

    monkeypatch.setattr(Worker, "take", interrupted)
    with pytest.raises(KeyboardInterrupt):
        env.step(["a"] * 4)
    monkeypatch.setattr(Worker, "take", take)
    if mode == "Disabled":
        with pytest.raises(gymnasium.error.ResetNeeded, match="members 0, 2 have ended"):
            env.step(["a"] * 4)
    else:
        texts, _, _, truncations, _ = env.step(["a"] * 4)
        assert not any("over" in text for text in texts)
        assert truncations.tolist()[:3:2] == [False, False] or mode == "SameStep"
    assert len(env.reset(seed=5)[0]) == 4
    env.close()


def test_what_a_vector_says_of_ends_is_not_for_an_environment_to_say() -> None:
    text = """
class ForgeEnv:
    def reset(self, seed=None):
        return "s", {"final_obs": "forged", "final_info": {"success": True}, "mine": 1}
    def step(self, action):
        return "lost", 0.0, action == "end", False, {"final_info": {"success": True}, "final_obs": "forged"}
"""
    pool = WorkerPool(LIMITS, PLAIN)
    env = SpadeVectorEnv([SpadeEnv(EnvSource(text), pool=pool) for _ in range(2)], [pool], autoreset_mode="SameStep")
    assert set(env.reset(seed=1)[1]) == {"seed", "_seed", "mine", "_mine"}
    infos = env.step(["end", "x"])[-1]
    assert infos["final_obs"].tolist() == ["lost", None] and infos["_final_info"].tolist() == [True, False]
    assert infos["final_info"]["success"].tolist() == [False, False]
    assert env.step(["x", "x"])[-1] == {}
    env.close()


def test_turns_too_large_for_one_frame_arrive_one_by_one() -> None:
    text = """
class E:
    text = "x" * 1_000_000
    def reset(self, seed=None):
        return str(seed), {}
    def step(self, action):
        return self.text, 0.0, action == "end", False, {"a": action}
"""
    pool = WorkerPool(Limits(observation_bytes=1_000_000))
    members = [SpadeEnv(EnvSource(text), pool=pool) for _ in range(12)]
    env = SpadeVectorEnv(members, [pool], autoreset_mode="SameStep")
    env.reset(seed=3)
    before = {member.boxed.worker.pid for member in members if member.boxed is not None}
    actions = ["end" if at % 4 == 1 else f"go {at}" for at in range(12)]
    shown, _, over, _, infos = env.step(actions)
    after = {member.boxed.worker.pid for member in members if member.boxed is not None}
    assert not env.quarantine.faults and before == after and len(before) == 1, "no worker was lost over it"
    for at, action in enumerate(actions):
        told = infos["final_obs"][at] if action == "end" else shown[at]
        assert told == "x" * 1_000_000 and over[at] == (action == "end")
        assert (infos["final_info"]["a"] if action == "end" else infos["a"])[at] == action
    env.close()


def test_episodes_do_not_hang_on_the_ones_before_where_seeding_fails() -> None:
    text = """
import copy, random
class E:
    def reset(self, seed=None):
        self.draw = random.random
        try:
            random.seed("\\ud800")
        except ValueError:
            pass
        return f"{copy.deepcopy(self).draw()} {self.draw()} {self.draw.__name__}", {}
    def step(self, action):
        return str(random.random()), 0.0, False, False, {}
"""
    env, like = SpadeEnv(EnvSource(text)), random.Random(5)
    first = f"{like.random()} {like.random()} random"
    assert [env.reset(seed=seed)[0] == first for seed in (5, 3, 5, 9, 9, 5)] == [True, False, True, False, False, True]
    assert env.step("go")[0] == str(like.random())
    env.close()
