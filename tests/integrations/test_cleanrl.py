"""A single-file learner in CleanRL's manner, on Gymnasium's own vector environments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

WHY = "`make integrations` installs PyTorch and runs this"
pytest.importorskip("torch", reason=WHY)

import torch
from torch import nn
from torch.distributions import Categorical

pytestmark = pytest.mark.usefixtures("one_thread")


def make_env(env_id: str, arguments: dict[str, Any]) -> Callable[[], gym.Env[Any, Any]]:
    """What vector environments make their members with."""

    def thunk() -> gym.Env[Any, Any]:
        return gym.wrappers.RecordEpisodeStatistics(gym.make(env_id, **arguments))

    return thunk


class Agent(nn.Module):
    """Actor and critic with a common first layer."""

    def __init__(self, envs: gym.vector.SyncVectorEnv) -> None:
        super().__init__()
        width = int(np.prod(envs.single_observation_space.shape))
        self.network = nn.Sequential(nn.Linear(width, 64), nn.Tanh())
        self.actor = nn.Linear(64, int(envs.single_action_space.n))
        self.critic = nn.Linear(64, 1)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        hidden = self.network(observations)
        logits = self.actor(hidden).masked_fill(masks == 0, -1e9)
        return Categorical(logits=logits), self.critic(hidden).squeeze(-1)


def train(env_id: str, seed: int, updates: int, **arguments: Any) -> tuple[list[float], list[float]]:
    """Advantage actor-critic over 32 turns of four environments; the losses, and the return of each episode."""
    torch.manual_seed(seed)
    envs = gym.vector.SyncVectorEnv([make_env(env_id, arguments)] * 4)
    agent = Agent(envs)
    optimizer = torch.optim.Adam(agent.parameters(), lr=1e-2)
    losses, returns = [], []
    observations, infos = envs.reset(seed=seed)
    before = np.zeros(4, dtype=bool)
    for _ in range(updates):
        turns = []
        for _ in range(32):
            seen, masks = torch.as_tensor(observations), torch.as_tensor(infos["action_mask"])
            choice, value = agent(seen, masks)
            action = choice.sample()
            observations, rewards, terminations, truncations, infos = envs.step(action.numpy())
            over = terminations | truncations
            # A step that only begins an episode is no turn.
            turns.append((choice.log_prob(action), value, choice.entropy(), rewards, over, ~before))
            returns += infos["episode"]["r"][infos["_episode"]].tolist() if "episode" in infos else []
            before = over
        with torch.no_grad():
            following = agent(torch.as_tensor(observations), torch.as_tensor(infos["action_mask"]))[1]
        parts = []
        for logp, value, entropy, rewards, over, played in reversed(turns):
            following = torch.as_tensor(rewards, dtype=torch.float32) + 0.9 * following * torch.as_tensor(~over)
            advantage = following - value
            loss = -logp * advantage.detach() + 0.5 * advantage**2 - 0.01 * entropy
            parts.append(loss[torch.as_tensor(played)])
        total = torch.cat(parts).mean()
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        losses.append(float(total.detach()))
    envs.close()
    return losses, returns


def test_a_few_updates_on_the_bundled_id() -> None:
    losses, returns = train("spade_envs:spade/env-0002-menu", seed=1, updates=3, view="ngrams", max_turns=8)
    assert len(losses) == 3 and np.isfinite(losses).all()
    assert len(returns) >= 40 and set(returns) <= {0.0, 1.0}


def test_it_learns(signal_box: str) -> None:
    losses, returns = train(signal_box, seed=1, updates=60, view="ngrams", length=256)
    assert np.isfinite(losses).all()
    first, last = np.mean(returns[:100]), np.mean(returns[-100:])
    # Over six seeds: 0.06 to 0.11 before, 0.82 to 0.90 after. Whoever does not read the arms earns 0.25 at best.
    assert first < 0.25 and last > 0.5, (first, last)
