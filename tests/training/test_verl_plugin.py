"""What verl loads: on verl itself where it is installed, else on stand-ins for version 0.9.1."""

from __future__ import annotations

import asyncio
import dataclasses
import importlib
import sys
import types
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from engine_stand_ins import AgentLoopBase, Batch, PPOTrainerSync, Queue, install_verl  # noqa: E402

from spade_envs.selfplay.failures import ConfigError  # noqa: E402
from spade_envs.selfplay.sampling import Draw, Drawn  # noqa: E402
from spade_envs.selfplay.trajectories import EXAMPLE, inert  # noqa: E402
from spade_envs.types import Trajectory  # noqa: E402

PLUGIN = "spade_envs.adapters.verl_plugin"


@pytest.fixture(scope="module")
def plugin() -> Iterator[Any]:
    """The module, imported once: verl lets no name be registered twice."""
    with pytest.MonkeyPatch.context() as patch:
        try:
            import verl  # noqa: F401
        except ImportError:
            install_verl(patch)
        sys.modules.pop(PLUGIN, None)
        loaded = importlib.import_module(PLUGIN)
        # A loop and a trainer of verl start servers and workers; what is ours is seen without.
        patch.setattr(loaded.AgentLoopBase, "__init__", AgentLoopBase.__init__)
        patch.setattr(loaded.PPOTrainerSync, "_compute_advantage", PPOTrainerSync._compute_advantage)
        yield loaded
        sys.modules.pop(PLUGIN, None)


class Both:
    """A collector of both roles, and what it was made with."""

    made: list[tuple[Any, Any]]

    async def collect(self) -> Sequence[Trajectory]:
        designer = dataclasses.replace(EXAMPLE, role="designer", advantage=-0.25)
        return [EXAMPLE, inert(EXAMPLE, 3), dataclasses.replace(EXAMPLE, advantage=-0.5), designer]


def make(sampler: Any, tokenizer: Any) -> Both:
    """What ``collector`` names."""
    Both.made.append((sampler, tokenizer))
    return Both()


class Servers:
    async def generate(self, request_id: str, *, prompt_ids: list[int], sampling_params: dict[str, Any]) -> Any:
        extra = {"max_global_steps": 3}
        return types.SimpleNamespace(token_ids=[1], log_probs=[-0.5], stop_reason="completed", extra_fields=extra)


def loop_of(plugin: Any, temperature: float = 1.0, **rest: Any) -> Any:
    rollout = types.SimpleNamespace(prompt_length=6, response_length=6, temperature=temperature)
    config = types.SimpleNamespace(actor_rollout_ref=types.SimpleNamespace(rollout=rollout))
    return plugin.SpadeAgentLoop(
        trainer_config=types.SimpleNamespace(config=config),
        server_manager=Servers(),
        tokenizer=types.SimpleNamespace(eos_token_id=1),
        collector=f"{__name__}:make",
        **rest,
    )


def test_a_row_is_answered_with_a_whole_step(plugin: Any) -> None:
    Both.made = []
    outputs = asyncio.run(loop_of(plugin, designer_weight=2.0).run({}, global_steps=4, uid="u"))
    assert all(isinstance(output, plugin.AgentLoopOutput) for output in outputs)
    assert [output.extra_fields["spade_advantage"] for output in outputs] == [0.5, -0.5, -0.5]
    assert [output.extra_fields["spade_role"] for output in outputs] == ["agent", "agent", "designer"]
    for output in outputs:
        assert len(output.response_ids) == len(output.response_mask) == len(output.response_logprobs) == 3
        assert sum(output.response_mask) == 2 and output.extra_fields["reward_extra_info"] == {}
    loop_of(plugin)
    assert len(Both.made) == 1, "one collector for each process"
    drawn = asyncio.run(Both.made[0][0].draw(Draw("k", (5,), 0, 4, 1.0)))
    assert drawn == Drawn((1,), (-0.5,), True, 3)


def test_verl_has_to_train_at_the_temperature_of_sampling(plugin: Any) -> None:
    Both.made = []
    with pytest.raises(ConfigError, match=r"rollout\.temperature is 0\.6"):
        asyncio.run(loop_of(plugin, temperature=0.6).run({}))


def test_advantages_of_the_trainer_are_those_that_came_with_the_rows(
    plugin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = Queue()
    monkeypatch.setattr(plugin.transfer_queue, "kv_batch_get", queue.kv_batch_get, raising=False)
    monkeypatch.setattr(plugin.transfer_queue, "kv_batch_put", queue.kv_batch_put, raising=False)
    rows = {"u_0_0": ([1, 1, 0], 0.5), "u_0_1": ([1, 0, 0, 1, 1], -2.0), "pad_0_0": ([0], 0.5)}
    for key, (mask, advantage) in rows.items():
        queue.rows[key] = {"response_mask": torch.tensor(mask), "extra_fields": {"spade_advantage": advantage}}
    queue.rows["u_0_1"]["extra_fields"] = types.SimpleNamespace(data={"spade_advantage": -2.0})
    trainer = plugin.SpadeTrainer.__new__(plugin.SpadeTrainer)
    metrics: dict[str, float] = {}
    batch = trainer._compute_advantage(Batch(list(rows), "train"), metrics)
    assert len(batch) == 3 and metrics == {"verl": 1.0, "spade/advantage/absolute_mean": 1.0}
    for key, (mask, advantage) in rows.items():
        assert queue.rows[key]["advantages"].tolist() == [advantage * bit for bit in mask]
        assert queue.rows[key]["returns"].tolist() == queue.rows[key]["advantages"].tolist()


def test_names_are_registered(plugin: Any) -> None:
    estimators = importlib.import_module("verl.trainer.ppo.core_algos")
    trainers = importlib.import_module("verl.trainer.ppo.v1.trainer_base")
    assert trainers.get_trainer_cls("spade") is plugin.SpadeTrainer
    rewards = torch.tensor([[0.0, 0.0, 0.5], [0.0, -1.0, 0.0]])
    mask = torch.tensor([[1, 0, 1], [1, 1, 0]])
    advantages, returns = estimators.get_adv_estimator_fn("spade")(rewards, mask, config=None, index=None)
    assert advantages.tolist() == returns.tolist() == [[0.5, 0.0, 0.5], [-1.0, -1.0, 0.0]]
