"""Vector environments: the same episodes as single ones, and faults that cost their own member only."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.errors import SourceError, UnknownEnv
from spade_envs.infos import Infos
from spade_envs.registry import make_mixed
from spade_envs.sandbox.host import BoxOptions
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource, Limits
from spade_envs.vector import SpadeVectorEnv

LIMITS = Limits(step_seconds=0.3, reset_seconds=0.3, grace_seconds=0.3, max_turns=9, memory_mb=96)
PLAIN = BoxOptions(language=False)
COUNTER = """
import os, random
class CountEnv:
    def reset(self, seed=None):
        self.rng, self.n = random.Random(seed), 0
        if seed == 13:
            raise ValueError("unlucky")
        return f"go {self.rng.random()}", {"first": True}
    def step(self, action):
        self.n += 1
        if action == "die":
            os._exit(3)
        if action == "hang":
            while True:
                try:
                    while True:
                        pass
                finally:
                    continue
        if action == "loop":
            while True:
                pass
        if action == "raise":
            raise KeyError("k")
        if action == "eat":
            self.food = bytearray(10**9)
        over = self.n >= 4 and self.rng.random() < 0.3
        return f"{action} {self.n} {self.rng.random()}", 0.25 * over, over, False, {"n": self.n}
"""
DEEDS = {"die": "env_raised", "hang": "env_hung", "loop": "env_hung", "raise": "env_raised", "eat": "env_memory"}
Made = Callable[..., SpadeVectorEnv]


@pytest.fixture
def made() -> Iterator[Made]:
    """Makes vector environments of COUNTER in few workers; they are closed after the test."""
    open_ones: list[SpadeVectorEnv] = []

    def make(count: int, *, workers: int = 1, mode: str = "NextStep", **settings: Any) -> SpadeVectorEnv:
        pools = [WorkerPool(LIMITS, PLAIN) for _ in range(workers)]
        members = [single(pools[at % workers], **settings) for at in range(count)]
        open_ones.append(SpadeVectorEnv(members, pools, autoreset_mode=mode))
        return open_ones[-1]

    yield make
    for env in open_ones:
        env.close()


def single(pool: WorkerPool | None = None, **settings: Any) -> SpadeEnv:
    return SpadeEnv(EnvSource(COUNTER), EnvSettings(**settings), pool=pool, limits=LIMITS, options=PLAIN)


def same(one: Any, other: Any) -> None:
    """Two results of ``step`` or ``reset`` are equal."""
    assert one[0] == other[0]
    for first, second in zip(one[1:-1], other[1:-1], strict=True):
        assert first.dtype == second.dtype and first.tolist() == second.tolist()
    assert one[-1].keys() == other[-1].keys()
    for key, value in one[-1].items():
        assert str(value) == str(other[-1][key]), key


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("env_id", ["spade/env-0003", "spade/env-0005", "spade/env-0009"])
def test_a_vector_plays_what_single_environments_play(env_id: str, mode: str) -> None:
    ours = gymnasium.make_vec(env_id, num_envs=5, autoreset_mode=mode, workers=2)
    theirs = gymnasium.make_vec(
        env_id, num_envs=5, vectorization_mode="sync", vector_kwargs={"autoreset_mode": AutoresetMode(mode)}
    )
    assert isinstance(ours.unwrapped, SpadeVectorEnv) and isinstance(theirs.unwrapped, SyncVectorEnv)
    same(ours.reset(seed=3), theirs.reset(seed=3))
    draw = random.Random(1)
    for _ in range(45):
        actions = tuple(draw.choice(["\\boxed{1}", "\\boxed{look}", "hello", "<answer>7</answer>"]) for _ in range(5))
        same(ours.step(actions), theirs.step(actions))
    same(ours.reset(seed=[9, None, 1, 1, None]), theirs.reset(seed=[9, None, 1, 1, None]))
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    ours.close()
    theirs.close()


TOOLS = """
class ToolsEnv:
    def get_tools(self):
        return [{"type": "function", "function": {"name": "say", "parameters": {}}}]
    def reset(self, seed=None):
        self.said = []
        return "go", {}
    def step(self, action):
        self.said.append(action)
        return "|".join(self.said), 0.0, False, False, {"é": 0.5, "said": self.said}
"""


def test_several_tool_calls_arrive_as_in_single_environments() -> None:
    pool = WorkerPool(options=PLAIN)
    both = [SpadeEnv(EnvSource(TOOLS), pool=pool) for _ in range(2)]
    single = SpadeEnv(EnvSource(TOOLS), options=PLAIN)
    env = SpadeVectorEnv(both, [pool])
    env.reset(seed=1)
    single.reset(seed=1)
    call = '<tool_call>{"name": "say", "arguments": {"text": "é \\"%d\\""}}</tool_call>'
    for reply in ("\n".join([call % 1, call % 2]), call % 3, "nothing"):
        texts, _, _, _, infos = env.step([reply, "\t\u2028 \\"])
        text, *_, info = single.step(reply)
        assert texts[0] == text and infos["said"][0] == info["said"] and infos["é"].tolist() == [0.5, 0.5]
    assert text.count("tool_call>") == 6 and texts[1] == "|".join(["\\"] * 3)
    env.close()
    single.close()


def test_who_begins_anew_goes_back_to_the_others(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    env = made(3)
    env.reset(seed=1)
    went: list[SpadeEnv] = []
    monkeypatch.setattr(SpadeEnv, "go_home", lambda member: went.append(member))
    env.step(["a"] * 3)
    assert not went
    env.reset(seed=2)
    assert went == list(env.members)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("deed", list(DEEDS))
@pytest.mark.parametrize("guilty", [0, 2, 5])
def test_a_fault_costs_its_own_member_only(made: Made, deed: str, guilty: int, workers: int) -> None:
    env, other = made(6, workers=workers), made(6)
    same(env.reset(seed=20), other.reset(seed=20))
    for turn in range(12):
        actions = [f"a{turn}"] * 6
        one = other.step(actions)
        two = env.step([deed if turn == 2 and at == guilty else action for at, action in enumerate(actions)])
        for at in set(range(6)) - {guilty}:
            assert [part[at] for part in two[:4]] == [part[at] for part in one[:4]], (turn, at)
        if turn == 2:
            assert two[3][guilty] and two[1][guilty] == 0.0 and not two[2][guilty]
            assert two[4]["stop_reason"][guilty] == DEEDS[deed] and two[4]["error"][guilty]
        if turn == 3:
            assert two[0][guilty].startswith("go ") and not two[3][guilty], "it begins anew"
    assert dict(env.quarantine.faults) == {EnvSource(COUNTER).sha256: 1} and not other.quarantine.faults


@pytest.mark.parametrize("at", [0, 3])
def test_a_worker_that_is_killed_from_outside_is_nobodys_fault(made: Made, at: int) -> None:
    env, other = made(4), made(4)
    same(env.reset(seed=20), other.reset(seed=20))
    for turn in range(6):
        box = env.members[at].boxed
        assert box is not None
        os.kill(box.worker._process.pid, signal.SIGKILL)
        same(env.step([f"a{turn}"] * 4), other.step([f"a{turn}"] * 4))
    assert not env.quarantine.faults


def test_several_faults_at_once(made: Made) -> None:
    env, other = made(6), made(6)
    same(env.reset(seed=20), other.reset(seed=20))
    same(env.step(["x"] * 6), other.step(["x"] * 6))
    one, two = other.step(["y"] * 6), env.step(["die", "y", "eat", "raise", "y", "hang"])
    assert [two[0][at] for at in (1, 4)] == [one[0][at] for at in (1, 4)]
    assert two[3].tolist() == [True, False, True, True, False, True]
    one, two = other.step(["z"] * 6), env.step(["z"] * 6)
    assert [two[0][at] for at in (1, 4)] == [one[0][at] for at in (1, 4)]


def test_a_reset_that_fails_ends_at_the_next_step(made: Made) -> None:
    env = made(3)
    observations, infos = env.reset(seed=[12, 13, 14])
    assert "could not be reset" in observations[1] and infos["stop_reason"][1] == "env_raised"
    assert env.step(["a"] * 3)[3].tolist() == [False, True, False]
    assert env.step(["a"] * 3)[0][1].startswith("go "), "with a seed of its own"


def test_a_mask_resets_some(made: Made) -> None:
    env = made(4, mode="Disabled", max_turns=2)
    env.reset(seed=1)
    env.step(["a"] * 4)
    last = env.step(["b"] * 4)
    assert last[3].all() and set(last[4]["stop_reason"]) == {"turn_limit"}
    with pytest.raises(gymnasium.error.ResetNeeded, match="0, 1, 2, 3 have ended"):
        env.step(["c"] * 4)
    texts, infos = env.reset(seed=7, options={"reset_mask": np.array([True, False, False, True])})
    assert infos["_seed"].tolist() == [True, False, False, True] and infos["seed"][[0, 3]].tolist() == [7, 10]
    assert texts[1] == last[0][1] and texts[0].startswith("go ")
    with pytest.raises(gymnasium.error.ResetNeeded, match="1, 2 have ended"):
        env.step(["c"] * 4)


@pytest.mark.parametrize("mask", [[True] * 4, np.array([1, 0, 0, 0]), np.array([True]), np.zeros(4, dtype=bool)])
def test_other_masks_are_refused(made: Made, mask: Any) -> None:
    with pytest.raises(ValueError, match="reset_mask"):
        made(4).reset(options={"reset_mask": mask})


def test_requests_that_make_no_sense_are_refused(made: Made) -> None:
    env = made(2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(["a", "b"])
    with pytest.raises(ValueError, match="3 seeds for 2 members"):
        env.reset(seed=[1, 2, 3])
    env.reset(seed=1)
    with pytest.raises(ValueError, match="needs 2 actions"):
        env.step(["a"])
    with pytest.raises(ValueError, match="needs 2 actions"):
        env.step("ab")
    with pytest.raises(TypeError, match="action 1 must be a str"):
        env.step(["a", 3])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="at least one member"):
        SpadeVectorEnv([])


def test_the_time_limit_is_kept() -> None:
    env = gymnasium.make_vec("spade/env-0003", num_envs=2, max_episode_steps=3)
    env.reset(seed=1)
    ends = [env.step(["nothing"] * 2)[3].tolist() for _ in range(4)]
    assert ends == [[False] * 2, [False] * 2, [True] * 2, [False] * 2]
    env.close()


def test_ids_can_be_mixed() -> None:
    ids = ["spade/env-0005", "spade/env-0009", "spade/env-0005"]
    env = make_mixed(ids)
    texts, infos = env.reset(seed=4)
    for at, env_id in enumerate(ids):
        alone = gymnasium.make(env_id)
        assert alone.reset(seed=4 + at)[0] == texts[at]
        alone.close()
    assert infos["_tools"].tolist() == [False, True, False]
    env.close()
    with pytest.raises(UnknownEnv, match="no registered environment"):
        make_mixed(["CartPole-v1"])


def test_nothing_is_left_of_many_faults(made: Made) -> None:
    env = made(4)
    env.reset(seed=20)
    before = 0
    for round_ in range(12):
        env.step(["die", "a", "b", "c"])
        env.step(["a"] * 4)
        if round_ == 3:
            before = len(os.listdir("/proc/self/fd"))
    assert len(os.listdir("/proc/self/fd")) <= before


def test_infos_of_one_kind_are_what_gymnasium_makes_of_them(made: Made) -> None:
    env = made(4)
    kinds: dict[str, list[Any]] = {
        "k": [1, -5, 2**62],
        "l": [2.5, 1.0],
        "m": [True, False],
        "n": ["a", ""],
        "o": [{"x": 1}, {"x": 3, "y": {"z": 2}}, {}],
        "final_obs": ["b", "c"],
    }
    random_ = random.Random(3)
    for _ in range(300):
        told = [
            (at, {key: random_.choice(kinds[key]) for key in random_.sample(list(kinds), random_.randrange(4))})
            for at in sorted(random_.choices(range(4), k=5))
        ]
        wanted: Any = {}
        for at, info in told:
            wanted = env._add_info(wanted, info, at)
        infos = Infos(4)
        for at, info in told:
            infos.add(at, info)
        assert repr(infos.gathered()) == repr(wanted), told


@pytest.mark.parametrize(
    "values", [[1, "x"], [1, None], [1, [1, 2]], [1, {"a": 2}], [{"a": 2}, 1], [2**70, 1], [1, 2.5], [True, 1]]
)
def test_infos_of_several_kinds_are_kept_as_they_are(values: list[Any]) -> None:
    given = Infos(3)
    for at, value in enumerate(values):
        given.add(at, {"k": value, "_k": 7})
    infos = given.gathered()
    assert infos["k"].dtype == object and infos["k"].tolist() == [*values, None]
    assert infos["_k"].tolist() == [True, True, False]


@pytest.mark.parametrize("deed", ["die", "raise", "eat"])
def test_an_episode_that_begins_in_the_step_that_ended_another(made: Made, deed: str) -> None:
    """With a limit of ours, an end of the source's own, and faults: as single environments that are reset."""
    env, twins = made(6, workers=2, mode="SameStep", max_turns=5), [single(max_turns=5) for _ in range(6)]
    texts, _ = env.reset(seed=40)
    assert list(texts) == [twin.reset(seed=40 + at)[0] for at, twin in enumerate(twins)]
    messages = [member.boxed.worker.messages for member in env.members if member.boxed]
    for turn in range(23):
        said = tuple(deed if (turn, at) == (7, 2) else f"{turn} {at}" for at in range(6))
        texts, rewards, terminated, truncated, infos = env.step(said)
        for at, twin in enumerate(twins):
            text, reward, *over, info = twin.step(said[at])
            assert (rewards[at], [terminated[at], truncated[at]]) == (reward, over)
            if any(over):
                assert infos["final_obs"][at] == text and infos["final_info"]["stop_reason"][at] == info["stop_reason"]
                text, info = twin.reset()
                assert infos["seed"][at] == info["seed"]
            assert texts[at] == text
    after = [member.boxed.worker.messages for member in env.members if member.boxed]
    assert after[1] - messages[1] == 23, "one message a turn, resets included"
    for twin in twins:
        twin.close()


def test_a_file_that_was_not_admitted_is_stepped_by_us_too(tmp_path: Path) -> None:
    path = tmp_path / "count.py"
    path.write_text(COUNTER, "utf-8")
    with pytest.raises(SourceError, match="os"):
        gymnasium.make_vec("spade/source", num_envs=2, path=str(path))
    path.write_text(COUNTER.replace("import os, random", "import random"), "utf-8")
    env = gymnasium.make_vec("spade/source", num_envs=3, path=str(path), workers=2, max_episode_steps=2)
    assert isinstance(env, SpadeVectorEnv)
    env.reset(seed=7)
    assert [env.step(("a",) * 3)[3].tolist() for _ in range(2)] == [[False] * 3, [True] * 3]
    env.close()
    with pytest.raises(gymnasium.error.ClosedEnvironmentError, match="closed"):
        env.step(("a",) * 3)
    with pytest.raises(ValueError, match="name the file"):
        gymnasium.make_vec("spade/source", num_envs=2)


def test_a_reset_that_fails_says_why(made: Made) -> None:
    env = made(2)
    texts, infos = env.reset(seed=12)
    assert infos["error"].tolist() == [None, "ValueError: unlucky"] and "could not be reset" in texts[1]
    assert env.step(("a", "a"))[0][1] == texts[1]
