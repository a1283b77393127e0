"""Tianshou collects from our ids, in its own process and in workers, and learns from them."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

WHY = "`make integrations` installs Tianshou and runs this"
pytest.importorskip("tianshou", reason=WHY)

import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import BaseVectorEnv, DummyVectorEnv, SubprocVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from tianshou.utils.net.common import Net
from tianshou.utils.net.discrete import DiscreteActor, DiscreteCritic, dist_fn_categorical_from_logits

BUNDLED = "spade_envs:spade/env-0002-menu"
# Tianshou stacks the infos of all turns, which texts of changing number do not bear.
NUMBERS = {"numeric_info": True}
NGRAMS = {"view": "ngrams", "length": 256, **NUMBERS}


@pytest.fixture(autouse=True)
def seeded(one_thread: None) -> None:
    """The same draws each time."""
    torch.manual_seed(1)
    np.random.seed(1)


def ppo(env_id: str, **arguments: Any) -> PPO:
    """PPO with small networks for the spaces of an id."""
    env = gymnasium.make(env_id, **arguments)
    seen, actions = env.observation_space, env.action_space
    env.close()
    actor, critic = (Net(state_shape=seen.shape, hidden_sizes=[64]) for _ in range(2))
    policy = ProbabilisticActorPolicy(
        actor=DiscreteActor(preprocess_net=actor, action_shape=actions.n, softmax_output=False),
        dist_fn=dist_fn_categorical_from_logits,
        action_space=actions,
        observation_space=seen,
        action_scaling=False,
        deterministic_eval=True,
    )
    return PPO(policy=policy, critic=DiscreteCritic(preprocess_net=critic), optim=AdamOptimizerFactory(lr=3e-3))


def train(algorithm: PPO, envs: BaseVectorEnv, steps: int) -> Any:
    """Collect and learn, 256 steps at a time."""
    collector = Collector(algorithm.policy, envs, VectorReplayBuffer(512, len(envs)))
    return algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=steps,
            collection_step_num_env_steps=256,
            update_step_num_repetitions=8,
            verbose=False,
            show_progress=False,
        )
    )


@pytest.mark.parametrize("kind", [DummyVectorEnv, SubprocVectorEnv])
def test_the_bundled_id_is_collected_and_trained_on(kind: type[BaseVectorEnv]) -> None:
    envs = kind([lambda: gymnasium.make(BUNDLED, max_turns=10, **NUMBERS)] * 2)
    envs.seed(3)
    algorithm = ppo(BUNDLED)
    collected = Collector(algorithm.policy, envs).collect(n_episode=6, reset_before_collect=True)
    assert collected.n_collected_episodes == 6 and np.isfinite(collected.returns).all()
    assert set(collected.lens.tolist()) <= set(range(2, 11)) and collected.lens.sum() == collected.n_collected_steps
    before = [parameter.detach().clone() for parameter in algorithm.parameters()]
    train(algorithm, envs, 256)
    assert all(bool(parameter.isfinite().all()) for parameter in algorithm.parameters())
    assert not any(bool((old == new).all()) for old, new in zip(before, algorithm.parameters(), strict=True))
    envs.close()


def test_ppo_learns_in_worker_processes(signal_box: str) -> None:
    envs = SubprocVectorEnv([lambda: gymnasium.make(signal_box, **NGRAMS)] * 2)
    envs.seed(1)
    algorithm = ppo(signal_box, **NGRAMS)
    held_out = Collector(algorithm.policy, DummyVectorEnv([lambda: gymnasium.make(signal_box, **NGRAMS)]))

    def mean_return() -> float:
        # The same fifty episodes each time.
        first = {"seed": 10_000}
        return float(held_out.collect(n_episode=50, reset_before_collect=True, gym_reset_kwargs=first).returns.mean())

    untrained = mean_return()
    train(algorithm, envs, 6144)
    trained = mean_return()
    # Over six seeds: 0.00 before, 0.67 to 1.00 after. Whoever does not read the arms earns 0.25 at best.
    assert untrained < 0.25 and trained > 0.5, (untrained, trained)
    envs.close()
    held_out.env.close()
