"""Stand-ins for engines that cannot be installed beside the others: as much of their public contracts as is used."""

from __future__ import annotations

import dataclasses
import sys
import types
from typing import Any

import torch


class Queue:
    """verl's TransferQueue: rows of named fields, by key."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {}

    def kv_batch_get(self, keys: list[str], partition_id: str, select_fields: list[str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for field in select_fields:
            values = [self.rows[key][field] for key in keys]
            tensors = all(isinstance(value, torch.Tensor) for value in values)
            found[field] = torch.nested.as_nested_tensor(values, layout=torch.jagged) if tensors else values
        return found

    def kv_batch_put(self, keys: list[str], partition_id: str, fields: Any) -> Any:
        for name, values in dict(fields.items()).items():
            for key, value in zip(keys, values.unbind(), strict=True):
                self.rows[key][name] = value
        return Batch(keys, partition_id)


@dataclasses.dataclass
class Batch:
    """verl's ``KVBatchMeta``."""

    keys: list[str]
    partition_id: str

    def __len__(self) -> int:
        return len(self.keys)


@dataclasses.dataclass
class AgentLoopMetrics:
    """Of verl 0.9.1."""

    generate_sequences: float = 0.0
    tool_calls: float = 0.0
    compute_score: float = 0.0
    num_preempted: int = -1


@dataclasses.dataclass
class AgentLoopOutput:
    """Of verl 0.9.1, without pictures and teachers."""

    prompt_ids: list[int]
    response_ids: list[int]
    response_mask: list[int]
    metrics: AgentLoopMetrics
    response_logprobs: list[float] | None = None
    reward_score: float | None = None
    num_turns: int = 0
    extra_fields: dict[str, Any] = dataclasses.field(default_factory=dict)


class AgentLoopBase:
    """Of verl 0.9.1."""

    def __init__(self, trainer_config: Any, server_manager: Any, tokenizer: Any, **rest: Any) -> None:
        self.config = trainer_config.config
        self.rollout_config = self.config.actor_rollout_ref.rollout
        self.server_manager = server_manager
        self.tokenizer = tokenizer


class PPOTrainerSync:
    """Of verl 0.9.1: what its own advantages leave behind is overwritten."""

    def _compute_advantage(self, batch: Any, metrics: dict[str, Any]) -> Any:
        metrics["verl"] = 1.0
        return batch


def install_verl(patch: Any) -> None:
    """Make verl 0.9.1's modules importable, as far as they are used."""
    estimators: dict[str, Any] = {}
    trainers: dict[str, Any] = {}

    def register(where: dict[str, Any]) -> Any:
        return lambda name: lambda made: where.setdefault(name, made)

    modules = {
        "verl.experimental.agent_loop.agent_loop": {
            "AgentLoopBase": AgentLoopBase,
            "AgentLoopMetrics": AgentLoopMetrics,
            "AgentLoopOutput": AgentLoopOutput,
        },
        "verl.trainer.ppo.core_algos": {
            "register_adv_est": register(estimators),
            "get_adv_estimator_fn": estimators.__getitem__,
        },
        "verl.trainer.ppo.v1.trainer_base": {
            "register_trainer": register(trainers),
            "get_trainer_cls": trainers.__getitem__,
        },
        "verl.trainer.ppo.v1.trainer_sync": {"PPOTrainerSync": PPOTrainerSync},
        "transfer_queue": {},
        "tensordict": {"TensorDict": lambda fields, batch_size: fields},
    }
    for path, names in modules.items():
        parts = path.split(".")
        for depth in range(1, len(parts) + 1):
            name = ".".join(parts[:depth])
            if name not in sys.modules or depth == len(parts):
                patch.setitem(sys.modules, name, types.ModuleType(name))
        vars(sys.modules[path]).update(names)
