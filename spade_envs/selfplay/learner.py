"""The learner on one device: a causal language model of transformers, all weights or LoRA, and AdamW.

One optimizer step per batch, so that the weights before the step are those that the loss is computed with: every ratio
begins at 1, and what sampler and learner differ in is corrected (TIS). Needs PyTorch (``spade-envs[train]``).
"""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from ..types import Trajectory
from .batch import split
from .config import TrainSection
from .failures import ConfigError
from .learner_state import LearnerState, read_state, write_state
from .loss_spec import LossSpec
from .loss_stats import RoleStats, loss_metrics, merged
from .losses import Rows, episode_tokens, policy_loss
from .policy_model import Lora, PolicyModel
from .renderers import Example
from .steps import StepBatch, Update


@dataclass
class _Seen:
    """What the micro-batches of a step add up to."""

    stats: list[Mapping[str, RoleStats]]
    loss: float = 0.0
    gap_sum: float = 0.0
    gap_max: float = 0.0
    gap_tokens: int = 0


class HfLearner:
    """Holds the weights and changes them.

    Args:
        model: causal language model of transformers, on the device it is to run on; it is changed in place.
        train: the update.
        max_length: constant of ``dr_grpo``, in tokens.
        padding: token for places that nobody looks at.
        lora: adapters to train; ``None`` trains all weights, which are kept in float32.
        dtype: precision to compute in; with ``lora`` also the precision of the frozen weights.
        checkpointing: whether activations are computed again in the backward pass, for large models.

    Raises:
        ConfigError: for a model whose output is more than a linear layer on its last hidden state.
    """

    def __init__(
        self,
        model: Any,
        train: TrainSection,
        *,
        max_length: int,
        padding: int,
        lora: Lora | None = None,
        dtype: torch.dtype = torch.float32,
        checkpointing: bool = False,
    ) -> None:
        self._train = train
        self._spec = LossSpec.of(train, max_length)
        self.policy = PolicyModel(
            model,
            padding=padding,
            lora=lora,
            dtype=dtype,
            checkpointing=checkpointing,
            chunk=train.logprob_chunk,
        )
        self._optimizer = torch.optim.AdamW(
            self.policy.parameters.values(), lr=train.lr, betas=train.betas, weight_decay=train.weight_decay
        )
        self._version = 0
        self._skipped = 0
        if train.kl:
            self.policy.keep_reference()

    @property
    def policy_version(self) -> int:
        """Optimizer steps taken."""
        return self._version

    @property
    def model(self) -> Any:
        """The model, with its adapters."""
        return self.policy.model

    def computing(self) -> contextlib.AbstractContextManager[None]:
        """Held while the model runs: the precision it computes in."""
        return self.policy.computing()

    # -- the update --------------------------------------------------------------------------------------------

    def update(self, batch: StepBatch) -> Update:
        """Take one optimizer step on the whole batch, ``micro_tokens`` at a time.

        Without trained tokens there is none. With a gradient that is not finite there is none either: metrics tell
        ``skipped`` 1, and ``skipped_total``.
        """
        if not batch.denominators:
            return Update(self._version, {})
        self._optimizer.zero_grad(set_to_none=True)
        lengths, seen = episode_tokens(batch), _Seen([])
        for part in split(batch, self._train.micro_tokens):
            chosen = [one for one in part.trajectories if any(one.loss_mask)]
            if chosen:
                self._backward(chosen, batch, [lengths[one.role, one.episode_id] for one in chosen], seen)
        norm = float(torch.nn.utils.clip_grad_norm_(self.policy.parameters.values(), self._train.clip_norm or math.inf))
        skipped = not (math.isfinite(norm) and math.isfinite(seen.loss))
        if skipped:
            self._skipped += 1
        else:
            self._optimizer.step()
            self._version += 1
        self._optimizer.zero_grad(set_to_none=True)
        return Update(self._version, self._metrics(batch, seen, norm, skipped))

    def _backward(self, chosen: Sequence[Trajectory], batch: StepBatch, lengths: Sequence[int], seen: _Seen) -> None:
        """Add the gradient of one micro-batch."""
        ids_BT, mask_BT = self.policy.padded([one.token_ids for one in chosen], [one.loss_mask for one in chosen])
        temperature_B = self.policy.tensor([one.temperature for one in chosen])
        told = (ids_BT, mask_BT, temperature_B)
        logprobs_BT, entropies_BT = self.policy.logprobs(*told)
        width = mask_BT.shape[1]
        sampler_BT = self.policy.tensor(
            [[*one.sampler_logprobs[1:], *[0.0] * (width - len(one.sampler_logprobs))] for one in chosen]
        )
        rows = Rows(
            logprobs_BT=logprobs_BT,
            mask_BT=mask_BT[:, 1:],
            advantages_B=self.policy.tensor([one.advantage or 0.0 for one in chosen]),
            roles=[one.role for one in chosen],
            episode_tokens=lengths,
            sampler_BT=sampler_BT,
            reference_BT=self.policy.reference_logprobs(*told) if self._train.kl else None,
            entropies_BT=entropies_BT,
        )
        found = policy_loss(self._spec, rows, batch.denominators, batch.weights)
        found.loss.backward()
        seen.loss += float(found.loss.detach())
        seen.stats.append(found.stats)
        newest_B1 = torch.tensor([[one.policy_version == str(self._version)] for one in chosen], device=mask_BT.device)
        gaps_N = (logprobs_BT.detach() - sampler_BT).abs()[(mask_BT[:, 1:] > 0) & newest_B1]
        if gaps_N.numel():
            seen.gap_sum += float(gaps_N.double().sum())
            seen.gap_max = max(seen.gap_max, float(gaps_N.max()))
            seen.gap_tokens += gaps_N.numel()

    def _metrics(self, batch: StepBatch, seen: _Seen, norm: float, skipped: bool) -> dict[str, float]:
        found = {
            "loss": seen.loss,
            "grad_norm": norm,
            "lr": self._train.lr,
            "skipped": float(skipped),
            "skipped_total": float(self._skipped),
            "trained_tokens": float(sum(one.tokens for one in batch.denominators.values())),
            **loss_metrics(merged(seen.stats)),
        }
        if seen.gap_tokens:
            found |= {"gap/mean": seen.gap_sum / seen.gap_tokens, "gap/max": seen.gap_max}
        return {name: value for name, value in found.items() if math.isfinite(value)}

    # -- supervised steps --------------------------------------------------------------------------------------

    def warm_up(
        self, examples: Sequence[Example], *, steps: int, batch: int = 64, lr: float = 2e-3, seed: int = 0
    ) -> list[float]:
        """Imitate examples before the first cycle: the mean loss per token of each step. The version stays 0.

        Args:
            examples: gone through in an order that follows from ``seed``, again and again.
            steps: optimizer steps, with their own AdamW, without weight decay, and a rate that falls to a tenth.
            batch: examples per step.
            lr: learning rate of the first step.
            seed: of the order.

        Raises:
            ConfigError: without examples.
        """
        if not examples:
            raise ConfigError("there are no examples to warm up on; set engine.warm_up to 0")
        optimizer = torch.optim.AdamW(self.policy.parameters.values(), lr=lr, betas=self._train.betas, weight_decay=0.0)
        schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, max(1, steps))
        losses = [self._imitate(chosen, optimizer, schedule) for chosen in _batches(examples, steps, batch, seed)]
        if self._train.kl:
            self.policy.keep_reference()
        return losses

    def _imitate(self, chosen: Sequence[Example], optimizer: Any, schedule: Any) -> float:
        count, total = sum(sum(one.loss_mask) for one in chosen), 0.0
        for part in _alike(chosen):
            ids_BT, mask_BT = self.policy.padded([one.token_ids for one in part], [one.loss_mask for one in part])
            logprobs_BT, _ = self.policy.logprobs(ids_BT, mask_BT, self.policy.tensor([1.0] * len(part)))
            loss = -logprobs_BT.sum() / count
            loss.backward()
            total += float(loss.detach())
        torch.nn.utils.clip_grad_norm_(self.policy.parameters.values(), self._train.clip_norm or math.inf)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)
        return total

    # -- files -------------------------------------------------------------------------------------------------

    def save(self, folder: Path) -> None:
        """Write trained weights, optimizer and random state into ``folder``, which is there and empty.

        Raises:
            StoreError: when they cannot be written; what is there is not whole.
        """
        state = LearnerState(self._version, self._skipped, self._optimizer.state_dict())
        write_state(folder, self.policy.parameters, self.policy.reference, state)

    def load(self, folder: Path) -> None:
        """Take up what :meth:`save` wrote: then everything goes on bit for bit.

        Raises:
            StoreError: when it cannot be read, or is of another model.
        """
        state = read_state(folder, self.policy.parameters, self.policy.reference)
        self._optimizer.load_state_dict(dict(state.optimizer))
        self._version, self._skipped = state.policy_version, state.skipped


def _batches(examples: Sequence[Example], steps: int, batch: int, seed: int) -> Iterator[list[Example]]:
    """Examples of each step: a new order whenever all have been seen."""
    chance, waiting = random.Random(seed), list[Example]()
    for _ in range(steps):
        while len(waiting) < batch:
            waiting += chance.sample(list(examples), len(examples))
        yield waiting[:batch]
        del waiting[:batch]


def _alike(examples: Sequence[Example]) -> list[list[Example]]:
    """Up to four parts of examples of similar length, which need less padding than all together."""
    ordered = sorted(examples, key=lambda one: len(one.token_ids))
    size = -(-len(ordered) // 4)
    return [ordered[start : start + size] for start in range(0, len(ordered), size)]
