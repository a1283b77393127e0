"""RLlib finds our ids in its worker processes, and learns from them."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

WHY = "`make integrations` installs RLlib and runs this"
pytest.importorskip("ray.rllib", reason=WHY)

import ray
from ray.rllib.algorithms.ppo import PPOConfig

pytestmark = pytest.mark.usefixtures("one_thread")

BUNDLED = "spade_envs:spade/env-0002-menu"


@pytest.fixture
def two_processors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cluster on this machine that reports to nobody, and leaves nothing in the home folder."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("ray.tune.trainable.trainable.DEFAULT_STORAGE_PATH", str(tmp_path / "results"))
    # Names of sockets must be short, which rules pytest's folders out.
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        try:
            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _temp_dir=folder)
            yield
        finally:
            ray.shutdown()


def config(env_id: str, turns: int) -> PPOConfig:
    """PPO on an id, played by a process of its own."""
    # RLlib's networks take float32 only.
    arguments = {"view": "ngrams", "length": 256, "max_turns": turns}
    return (
        PPOConfig()
        .environment(env_id, env_config=arguments)
        .env_runners(num_env_runners=1, create_local_env_runner=False)
        .training(train_batch_size_per_learner=240, minibatch_size=60, num_epochs=2)
        .debugging(seed=1, log_level="ERROR")
    )


def test_ids_are_found_in_worker_processes(two_processors: None, signal_box: str) -> None:
    returns = {}
    for env_id, turns in ((BUNDLED, 12), (signal_box, 6)):
        algorithm = config(env_id, turns).build_algo()
        for iteration in range(1, 4):
            result = algorithm.train()
            told = result["env_runners"]
            assert told["num_env_steps_sampled"] == 240 and told["num_env_steps_sampled_lifetime"] == 240 * iteration
            assert 2 <= told["episode_len_min"] <= told["episode_len_max"] <= turns
            assert 0.0 <= told["episode_return_min"] <= told["episode_return_max"] <= 1.0
            losses = result["learners"]["default_policy"]
            assert all(math.isfinite(losses[name]) for name in ("total_loss", "policy_loss", "vf_loss", "entropy"))
        returns[env_id] = told["episode_return_max"]
        algorithm.stop()
    assert returns[signal_box] > 0.0, "no train passed in 240 turns"
