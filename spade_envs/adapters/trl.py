"""TRL's ``GRPOTrainer``, with two roles: trajectories from a rollout function, advantages of ours.

TRL computes advantages itself, from rewards of blocks of one size; so the class overrides two methods that are private
there, and the extra ``trl`` names the release they are tested against. One generation is one optimizer step as long
as ``steps_per_generation`` and ``num_iterations`` are left alone.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..selfplay.batch import build_batch
from ..selfplay.config import TrainSection
from ..selfplay.failures import ConfigError
from ..selfplay.steps import AGENT, DESIGNER
from ..selfplay.trajectories import EXAMPLE, inert, of_role, version_of
from ..types import Trajectory
from .collecting import Collecting, Collector, advantage_of, check_temperature, prompt_length

ADVANTAGE, REWARD = "spade_advantage", "spade_reward"
"""Columns that carry ours past what TRL computes."""

Row = dict[str, Any]
RolloutFunction = Callable[[list[Any], Any], Row]
"""``rollout_func(prompts, trainer)`` of TRL."""


def to_trl(trajectories: Sequence[Trajectory]) -> Row:
    """What a ``rollout_func`` returns: lists with one entry for each trajectory.

    ``prompt_ids``, ``completion_ids``, ``logprobs`` and ``env_mask`` are TRL's, the last three of one length each. Its
    mask of tools is 0 where the environment speaks, as ours is.

    Raises:
        TrajectoryError: when one is not fit to train on, or has no advantage.

    >>> to_trl([EXAMPLE])["completion_ids"], to_trl([EXAMPLE])["env_mask"]
    ([[9, 10, 11]], [[1, 1, 0]])
    """
    cuts = [prompt_length(one) for one in trajectories]
    pairs = list(zip(trajectories, cuts, strict=True))
    return {
        "prompt_ids": [list(one.token_ids[:cut]) for one, cut in pairs],
        "completion_ids": [list(one.token_ids[cut:]) for one, cut in pairs],
        "logprobs": [list(one.sampler_logprobs[cut:]) for one, cut in pairs],
        "env_mask": [list(one.loss_mask[cut:]) for one, cut in pairs],
        ADVANTAGE: [advantage_of(one) for one in trajectories],
        REWARD: [one.reward for one in trajectories],
        "spade_role": [one.role for one in trajectories],
        "spade_group": [one.group for one in trajectories],
    }


def fitted(trajectories: Sequence[Trajectory], count: int, weight: float, max_staleness: int) -> tuple[Trajectory, ...]:
    """Exactly ``count`` trajectories: designer first, whole groups left out, inert ones in their place.

    TRL's loss is one mean over both roles, so the designer's weight multiplies its advantages.
    """
    section = TrainSection(batch=count, max_staleness=max_staleness)
    version = max((version_of(one) for one in trajectories), default=0)
    agent, designer = of_role(trajectories, AGENT), of_role(trajectories, DESIGNER)
    batch = build_batch(agent, designer, section, 1.0, version, scale=weight)
    # A step without any trajectory is one of zeros, not the end of the run; token 0 is in every vocabulary.
    return batch.trajectories or (inert(_NOTHING, 2),) * count


_NOTHING = dataclasses.replace(EXAMPLE, token_ids=(0,))


def rollout_function(
    collector: Collector,
    *,
    designer_weight: float = 1.0,
    max_staleness: int = 8,
    published: Callable[[int], None] | None = None,
) -> RolloutFunction:
    """Give TRL's ``rollout_func``: every call is one step of self-play, whatever the rows of the data set say.

    With several processes the first one collects and the others are given their share.

    Args:
        collector: where trajectories come from.
        designer_weight: factor of the designer's advantages, above 0.
        max_staleness: versions by which a trajectory may lag behind the newest one of its batch.
        published: is told the number of optimizer steps taken, before each collection: the policy version.
    """
    collecting: list[Collecting] = []

    def share(prompts: list[Any], trainer: Any) -> Row:
        accelerator = trainer.accelerator
        whole: list[tuple[Trajectory, ...] | None] = [None]
        if accelerator.process_index == 0:
            if published is not None:
                published(trainer.state.global_step)
            if not collecting:
                collecting.append(Collecting(collector))
            found = collecting[0].collect()
            check_temperature(found, trainer.temperature, "GRPOConfig.temperature")
            whole = [fitted(found, len(prompts) * accelerator.num_processes, designer_weight, max_staleness)]
        if accelerator.num_processes > 1:
            from accelerate.utils import broadcast_object_list

            broadcast_object_list(whole, from_process=0)
        start = accelerator.process_index * len(prompts)
        return to_trl((whole[0] or ())[start : start + len(prompts)])

    return share


@functools.cache
def trainer_class() -> Any:
    """Give ``SelfPlayTrainer``, a subclass of ``trl.GRPOTrainer``.

    It takes the same arguments and one more, ``correction_cap`` (2.0; 0 for none): advantages are multiplied by
    ``min(p_learner / p_sampler, cap)`` token by token, which truncates importance weights (design of IMPALA, and of
    TIS) for trajectories that an older policy sampled. TRL's own correction, with vLLM, is used where it is on.

    Raises:
        ConfigError: when TRL is not installed.
    """
    try:
        import trl
    except ImportError as error:
        raise ConfigError("TRL is not installed: pip install 'spade-envs[trl]'.") from error
    import torch

    class SelfPlayTrainer(trl.GRPOTrainer):  # type: ignore[misc]
        """TRL's trainer, with the advantages that came with the trajectories."""

        def __init__(self, *args: Any, correction_cap: float = 2.0, **rest: Any) -> None:
            super().__init__(*args, **rest)
            self.correction_cap = correction_cap

        def _calculate_rewards(self, inputs: Any, prompts: Any, completions: Any, ids: Any) -> Any:
            rewards = torch.tensor([[float(row[REWARD])] for row in inputs], device=self.accelerator.device)
            return self.accelerator.gather(rewards)

        def _generate_and_score_completions(self, inputs: Any) -> Any:
            batch = super()._generate_and_score_completions(inputs)
            like = batch["advantages"]
            advantages = torch.tensor([row[ADVANTAGE] for row in inputs], dtype=torch.float32, device=like.device)
            if self.correction_cap and "importance_sampling_ratio" not in batch:
                advantages = advantages.unsqueeze(1) * self._correction(batch)
            batch["advantages"] = advantages
            return batch

        def _correction(self, batch: Any) -> Any:
            """Truncated importance weights, per token; 1 where nothing is trained."""
            learner = batch.get("old_per_token_logps")
            if learner is None:
                with torch.no_grad():
                    learner = self._get_per_token_logps_and_entropies(
                        self.model,
                        torch.cat([batch["prompt_ids"], batch["completion_ids"]], dim=1),
                        torch.cat([batch["prompt_mask"], batch["completion_mask"]], dim=1),
                        batch["completion_ids"].size(1),
                        batch_size=self.args.per_device_train_batch_size,
                    )[0]
            mask = batch["completion_mask"] * batch["tool_mask"]
            return torch.exp((learner - batch["sampling_per_token_logps"]) * mask).clamp(max=self.correction_cap)

    return SelfPlayTrainer
