"""Stable-Baselines3 takes our ids as they are, and learns from them."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest

WHY = "`make integrations` installs Stable-Baselines3 and runs this"
pytest.importorskip("stable_baselines3", reason=WHY)

from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.utils import set_random_seed
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv

pytestmark = pytest.mark.usefixtures("one_thread")

BUNDLED = "spade_envs:spade/env-0002-menu"
NGRAMS = {"view": "ngrams", "length": 256}


@pytest.mark.parametrize("arguments", [{}, NGRAMS])
def test_the_checker_has_nothing_to_say(arguments: dict[str, Any]) -> None:
    env = gymnasium.make(BUNDLED, **arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)
    env.close()


@pytest.mark.parametrize("kind", [DummyVecEnv, SubprocVecEnv])
def test_the_bundled_id_is_trained_on(kind: type[VecEnv]) -> None:
    envs = make_vec_env(BUNDLED, n_envs=2, seed=1, vec_env_cls=kind, env_kwargs={"max_turns": 10})
    model = PPO("MlpPolicy", envs, seed=1, n_steps=32, batch_size=32, n_epochs=2)
    before = {name: value.clone() for name, value in model.policy.state_dict().items()}
    model.learn(128)
    after = model.policy.state_dict()
    assert all(bool(value.isfinite().all()) for value in after.values())
    assert not any(bool((after[name] == value).all()) for name, value in before.items())
    assert {episode["l"] for episode in model.ep_info_buffer} <= set(range(2, 11)) and len(model.ep_info_buffer) >= 10
    envs.close()


def test_workers_play_what_one_process_plays() -> None:
    seen = []
    for kind in (DummyVecEnv, SubprocVecEnv):
        envs = make_vec_env(BUNDLED, n_envs=2, seed=7, vec_env_cls=kind)
        steps = [envs.reset(), *(envs.step(np.array([action, action + 1]))[0] for action in range(5))]
        seen.append(np.stack(steps))
        envs.close()
    assert np.array_equal(*seen) and not np.array_equal(seen[0][:, 0], seen[0][:, 1])


def test_ppo_learns_in_worker_processes(signal_box: str) -> None:
    set_random_seed(1)
    envs = make_vec_env(signal_box, n_envs=2, seed=1, vec_env_cls=SubprocVecEnv, env_kwargs=NGRAMS)
    held_out = make_vec_env(signal_box, n_envs=1, env_kwargs=NGRAMS)
    model = PPO("MlpPolicy", envs, learning_rate=3e-3, n_steps=128, batch_size=64, ent_coef=0.01, seed=1)

    def mean_return() -> float:
        held_out.seed(10_000)  # the same fifty episodes each time
        return float(evaluate_policy(model, held_out, n_eval_episodes=50)[0])

    untrained = mean_return()
    model.learn(6144)
    trained = mean_return()
    # Over eight seeds: 0.00 to 0.15 before, 0.71 to 0.86 after. Whoever does not read the arms earns 0.25 at best.
    assert untrained < 0.25 and trained > 0.5, (untrained, trained)
    envs.close()
    held_out.close()
