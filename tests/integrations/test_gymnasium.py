"""Gymnasium's own wrappers compose with single, menu and vector environments; needs nothing but Gymnasium."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import RecordEpisodeStatistics, TimeLimit
from gymnasium.wrappers.vector import RecordEpisodeStatistics as VectorStatistics

from spade_envs.reproduction import play_witness
from spade_envs.store import resolve

ENV = "spade_envs:spade/env-0002"
LOST = "\\boxed{SEAL}"
"""Two of these lose."""


def winning(seed: int) -> list[str]:
    """The author's solution."""
    shelf, entry = resolve("env-0002")
    return list(play_witness(shelf.read_source(entry.name), seed=seed).actions)


# -- single environments -----------------------------------------------------------------------------------------


def test_statistics_of_a_text_environment() -> None:
    env = RecordEpisodeStatistics(gymnasium.make(ENV))
    for seed, actions, earned in ((4, winning(4), 1.0), (4, [LOST, LOST], 0.0)):
        env.reset(seed=seed)
        for action in actions:
            *_, terminated, _, info = env.step(action)
        assert terminated and (info["episode"]["r"], info["episode"]["l"]) == (earned, len(actions))
        assert info["success"] is (earned == 1.0)
    assert list(env.return_queue) == [1.0, 0.0] and env.length_queue[1] == 2
    env.close()


@pytest.mark.parametrize("arguments", [{}, {"view": "ngrams"}, {"numeric_info": True}])
def test_statistics_of_a_menu_environment(arguments: dict[str, Any]) -> None:
    menus = gymnasium.make(f"{ENV}-menu")
    env = RecordEpisodeStatistics(gymnasium.make(f"{ENV}-menu", **arguments))
    numbers = [menus.reset(seed=4)[1]["menu"].index(action) for action in winning(4)]
    env.reset(seed=4)
    for number in numbers:
        *_, terminated, _, info = env.step(number)
    assert terminated and (info["episode"]["r"], info["episode"]["l"]) == (1.0, len(numbers))
    for one in (env, menus):
        one.close()


@pytest.mark.parametrize(
    "limited",
    [
        lambda env_id: TimeLimit(gymnasium.make(env_id), 3),
        lambda env_id: gymnasium.make(env_id, max_episode_steps=3),
    ],
)
@pytest.mark.parametrize(("env_id", "action"), [(ENV, "\\boxed{PULL A}"), (f"{ENV}-menu", 63)])
def test_a_time_limit_truncates_and_the_next_episode_is_whole(
    limited: Callable[[str], gymnasium.Env[Any, Any]], env_id: str, action: Any
) -> None:
    env = RecordEpisodeStatistics(limited(env_id))
    for seed in (1, 2):
        env.reset(seed=seed)
        ends = [env.step(action)[2:4] for _ in range(3)]
        assert ends == [(False, False), (False, False), (False, True)]
    assert list(env.length_queue) == [3, 3]
    env.close()


# -- many at once ------------------------------------------------------------------------------------------------


def test_statistics_of_our_vector_environment() -> None:
    envs = VectorStatistics(gymnasium.make_vec(ENV, num_envs=2))
    envs.reset(seed=[4, 5])
    won = winning(4)
    episodes: list[tuple[int, float, int]] = []
    for turn in range(len(won)):
        *_, infos = envs.step([won[turn], LOST])
        for at in np.flatnonzero(infos.get("_episode", [])).tolist():
            episodes.append((at, float(infos["episode"]["r"][at]), int(infos["episode"]["l"][at])))
    # Member 1 loses after two turns and begins anew at the third, again and again.
    assert episodes.count((1, 0.0, 2)) == (len(won) + 1) // 3
    assert [episode for episode in episodes if episode[0] == 0] == [(0, 1.0, len(won))]
    assert sorted({episode[0] for episode in episodes}) == [0, 1] and envs.episode_count == len(episodes)
    envs.close()


def test_a_time_limit_truncates_members_and_our_vector_environment_goes_on() -> None:
    envs = VectorStatistics(gymnasium.make_vec(ENV, num_envs=2, max_episode_steps=3))
    envs.reset(seed=[1, 2])
    pull = "\\boxed{PULL A}"
    truncated, seeds = [], []
    for turn in range(8):
        *_, terminations, truncations, infos = envs.step([pull, LOST if turn == 1 else pull])
        assert not terminations.any()
        truncated.append(truncations.tolist())
        seeds += infos["seed"].tolist() if "seed" in infos else []
    one = [[False] * 2, [False] * 2, [True] * 2, [False] * 2]
    assert truncated == [*one, *one] and len(set(seeds)) == 4
    assert list(envs.length_queue) == [3] * 4 and list(envs.return_queue) == [0.0] * 4
    envs.close()


def test_wrapped_members_in_a_vector_environment_of_gymnasium() -> None:
    def member() -> gymnasium.Env[Any, Any]:
        return RecordEpisodeStatistics(TimeLimit(gymnasium.make(f"{ENV}-menu"), 3))

    envs = VectorStatistics(SyncVectorEnv([member] * 2), stats_key="outer")
    envs.reset(seed=[1, 2])
    lengths = []
    for _ in range(7):
        *_, truncations, infos = envs.step(np.array([63, 0]))
        if truncations.any():
            assert infos["_episode"].tolist() == infos["_outer"].tolist() == [True, True]
            assert infos["episode"]["l"].tolist() == infos["outer"]["l"].tolist()
            lengths += infos["episode"]["l"].tolist()
    assert lengths == [3] * 4
    envs.close()
