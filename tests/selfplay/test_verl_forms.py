"""verl without verl: rows, the advantage estimator, and a sampler over a stand-in for its servers."""

from __future__ import annotations

import asyncio
import dataclasses
import types
from typing import Any

import numpy as np
import pytest

from spade_envs.adapters import verl
from spade_envs.selfplay.failures import ConfigError
from spade_envs.selfplay.sampling import Draw, Drawn
from spade_envs.selfplay.trajectories import EXAMPLE, TrajectoryError, inert
from spade_envs.types import Stop, StopReason


class Servers:
    """verl's server manager, 0.9.1."""

    def __init__(self, **changes: Any) -> None:
        self.asked: list[tuple[str, Any]] = []
        self.changes = changes

    async def generate(self, request_id: str, *, prompt_ids: list[int], sampling_params: dict[str, Any]) -> Any:
        self.asked.append((request_id, sampling_params))
        if "error" in self.changes:
            raise self.changes["error"]
        return types.SimpleNamespace(
            **{
                "token_ids": [5, 2],
                "log_probs": [-0.5, -0.25],
                "stop_reason": "completed",
                "extra_fields": {"max_global_steps": 4},
                **self.changes,
            }
        )


def drawn(servers: Servers, **changes: Any) -> tuple[Drawn | Stop, verl.ServerSampler]:
    sampler = verl.ServerSampler(servers, frozenset({2}), 10)
    draw = Draw(**{"key": "k", "tokens": (1, 2, 3), "seed": 6, "max_tokens": 4, "temperature": 0.6, **changes})
    with sampler.seat():
        return asyncio.run(sampler.draw(draw)), sampler


def test_a_sampler_draws_from_verls_servers() -> None:
    servers = Servers()
    found, sampler = drawn(servers, max_tokens=40)
    assert found == Drawn((5, 2), (-0.5, -0.25), True, 4) and sampler.policy_version == 4
    ((key, asked),) = servers.asked
    assert key == "k" and (asked["temperature"], asked["top_k"], asked["max_tokens"], asked["seed"]) == (0.6, -1, 7, 6)
    ended, _ = drawn(Servers(token_ids=[5, 6]), top_k=3)
    assert isinstance(ended, Drawn) and not ended.ended


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"error": OSError("gone")}, StopReason.SERVER_ERROR),
        ({"log_probs": None}, StopReason.SERVER_ERROR),
        ({"log_probs": [-0.5]}, StopReason.SERVER_ERROR),
        ({"token_ids": [], "log_probs": []}, StopReason.SERVER_ERROR),
        ({"stop_reason": "aborted"}, StopReason.SERVER_ERROR),
    ],
)
def test_servers_that_fail_stop_the_episode(changes: dict[str, Any], reason: StopReason) -> None:
    found, _ = drawn(Servers(**changes))
    assert isinstance(found, Stop) and found.reason is reason


def test_without_room_nothing_is_asked() -> None:
    servers = Servers()
    found, _ = drawn(servers, tokens=tuple(range(10)))
    assert isinstance(found, Stop) and found.reason is StopReason.CONTEXT_FULL and not servers.asked


def test_rows_of_verl_tell_versions_and_turns_and_leave_inert_ones_out() -> None:
    two = dataclasses.replace(
        EXAMPLE, loss_mask=(0, 1, 0, 1, 1), sampler_logprobs=(0.0, -1.0, 0.0, -1.0, -1.0), policy_version="3"
    )
    designer = dataclasses.replace(EXAMPLE, role="designer")
    rows = verl.rows_of([two, inert(EXAMPLE, 2), designer], designer_weight=3.0)
    assert [row["num_turns"] for row in rows] == [4, 2]
    assert rows[0]["extra_fields"]["min_global_steps"] == rows[0]["extra_fields"]["max_global_steps"] == 3
    assert verl.advantages_of([row["extra_fields"] for row in rows]) == [0.5, 1.5]
    with pytest.raises(TrajectoryError, match="default_agent_loop=spade"):
        verl.advantages_of([{}])


def test_verls_estimator_gives_rewards_back() -> None:
    rewards = np.array([[0.0, 0.0, 0.5], [0.0, -1.0, 0.0]])
    mask = np.array([[1, 0, 1], [1, 1, 0]])

    class Rewards:
        def sum(self, axis: int, keepdim: bool) -> Any:
            return rewards.sum(axis, keepdims=keepdim)

    advantages, returns = verl.identity(Rewards(), mask, config=None, index=None)
    assert advantages.tolist() == returns.tolist() == [[0.5, 0.0, 0.5], [-1.0, -1.0, 0.0]]


def test_collectors_are_named() -> None:
    assert verl.imported("spade_envs.adapters.verl:to_verl") is verl.to_verl
    for name in ("spade_envs.adapters.verl:nothing", "no.such.module:f", "", "json"):
        with pytest.raises(ConfigError, match=r"package\.module:function"):
            verl.imported(name)
