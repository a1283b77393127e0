"""What verl 0.9 loads, by ``VERL_USE_EXTERNAL_MODULES=spade_envs.adapters.verl_plugin``; importing it imports verl.

Settings that go with it::

    actor_rollout_ref.rollout.agent.agent_loop_config_path=loops.yaml   # below
    actor_rollout_ref.rollout.agent.default_agent_loop=spade
    actor_rollout_ref.rollout.n=1
    actor_rollout_ref.rollout.calculate_log_probs=True
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_mini_batch_size=256   # at least the trajectories of a step, which is filled up to it
    algorithm.adv_estimator=spade
    data.train_batch_size=1
    trainer.v1.trainer_mode=spade

    # loops.yaml
    - name: spade
      _target_: spade_envs.adapters.verl_plugin.SpadeAgentLoop
      collector: yours.module:make_collector
"""

from __future__ import annotations

from typing import Any

import tensordict
import torch
import transfer_queue
from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput
from verl.trainer.ppo.core_algos import register_adv_est
from verl.trainer.ppo.v1.trainer_base import register_trainer
from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync

from .collecting import Collector, check_temperature, usable
from .verl import ServerSampler, advantages_of, identity, imported, rows_of

register_adv_est("spade")(identity)

_COLLECTORS: dict[str, tuple[Collector, ServerSampler]] = {}
"""One for each name and process: an agent loop is made anew for every row."""


class SpadeAgentLoop(AgentLoopBase):  # type: ignore[misc]
    """Answers a row with all trajectories of one step of self-play.

    Args:
        collector: ``package.module:function``; the function is given a sampler over verl's servers and verl's
            tokenizer, and gives a :class:`~spade_envs.adapters.collecting.Collector`.
        designer_weight: factor of the designer's advantages.
    """

    def __init__(self, *args: Any, collector: str, designer_weight: float = 1.0, **rest: Any) -> None:
        super().__init__(*args, **rest)
        self.designer_weight = designer_weight
        if collector not in _COLLECTORS:
            rollout = self.rollout_config
            context = int(rollout.prompt_length) + int(rollout.response_length)
            sampler = ServerSampler(self.server_manager, frozenset({int(self.tokenizer.eos_token_id)}), context)
            _COLLECTORS[collector] = imported(collector)(sampler, self.tokenizer), sampler
        self.collector, self.sampler = _COLLECTORS[collector]

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> list[Any]:
        """Collect once; outputs in the collector's order.

        Raises:
            ConfigError: when something was sampled at another temperature than verl trains with.
        """
        found = usable(await self.collector.collect())
        check_temperature(found, float(self.rollout_config.temperature), "actor_rollout_ref.rollout.temperature")
        return [
            AgentLoopOutput(**{**fields, "metrics": AgentLoopMetrics()})
            for fields in rows_of(found, self.designer_weight)
        ]


@register_trainer("spade")
class SpadeTrainer(PPOTrainerSync):  # type: ignore[misc]
    """verl's synchronous trainer, with the advantages that came with the rows."""

    def _compute_advantage(self, batch: Any, metrics: dict[str, Any]) -> Any:
        # verl's own comes first, for what else it does: weights for what sampler and learner differ in, and its masks.
        batch = super()._compute_advantage(batch, metrics)
        fields = transfer_queue.kv_batch_get(
            keys=batch.keys, partition_id=batch.partition_id, select_fields=["response_mask", "extra_fields"]
        )
        masks = fields["response_mask"].unbind()
        advantages = advantages_of([getattr(row, "data", row) for row in fields["extra_fields"]])
        spread = [value * mask.to(torch.float32) for value, mask in zip(advantages, masks, strict=True)]
        nested = torch.nested.as_nested_tensor(spread, layout=torch.jagged)
        metrics["spade/advantage/absolute_mean"] = sum(map(abs, advantages)) / max(len(advantages), 1)
        return transfer_queue.kv_batch_put(
            keys=batch.keys,
            partition_id=batch.partition_id,
            fields=tensordict.TensorDict({"advantages": nested, "returns": nested}, batch_size=len(batch)),
        )
