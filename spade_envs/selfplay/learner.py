"""The learner on one device: a causal language model of transformers, all weights or LoRA, and AdamW.

One optimizer step per batch, so that the weights before the step are those that the loss is computed with: every ratio
begins at 1, and what sampler and learner differ in is corrected (TIS). Needs PyTorch (``spade-envs[train]``).
"""

from __future__ import annotations

import contextlib
import copy
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
from .logprobs import token_logprobs
from .loss_spec import LossSpec
from .loss_stats import RoleStats, loss_metrics, merged
from .losses import Rows, episode_tokens, policy_loss
from .renderers import Example
from .steps import StepBatch, Update

_LOGIT_TOLERANCE = 0.05


@dataclass(frozen=True, kw_only=True)
class Lora:
    """Low-rank adapters on all linear layers but the output (Hu et al. 2021), as vLLM can load them."""

    rank: int = 32
    alpha: int = 64
    seed: int = 0
    """Of their random half; the other is 0, so that version 0 is the model itself."""


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
        self._padding = padding
        self._autocast = None if lora is not None or dtype is torch.float32 else dtype
        _without_dropout(model)
        model.to(dtype if lora is not None else torch.float32)
        if checkpointing:
            model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
            model.enable_input_require_grads()
        self.model = model if lora is None else _adapted(model, lora)
        self._base = self.model if lora is None else self.model.get_base_model()
        self._is_lora = lora is not None
        # Activations are only computed again in a model that is told it trains; it has no dropout.
        self.model.train(checkpointing)
        self._parameters = {name: p for name, p in self.model.named_parameters() if p.requires_grad}
        self._optimizer = torch.optim.AdamW(
            self._parameters.values(), lr=train.lr, betas=train.betas, weight_decay=train.weight_decay
        )
        self._version = 0
        self._skipped = 0
        self._reference: Any = None
        self._keep_reference()
        self._check_output()

    @property
    def policy_version(self) -> int:
        """Optimizer steps taken."""
        return self._version

    @contextlib.contextmanager
    def computing(self) -> Iterator[None]:
        """Held while the model runs: the precision it computes in."""
        if self._autocast is None:
            yield
        else:
            with torch.autocast(self.model.device.type, self._autocast):
                yield

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
        norm = float(torch.nn.utils.clip_grad_norm_(self._parameters.values(), self._train.clip_norm or math.inf))
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
        ids_BT, mask_BT = self._padded([one.token_ids for one in chosen], [one.loss_mask for one in chosen])
        temperature_B = self._tensor([one.temperature for one in chosen])
        with self.computing():
            logprobs_BT, entropies_BT = self._logprobs(ids_BT, mask_BT, temperature_B)
            reference_BT = self._reference_logprobs(ids_BT, mask_BT, temperature_B) if self._train.kl else None
        sampler_BT = self._sampler_logprobs(chosen, mask_BT)
        rows = Rows(
            logprobs_BT=logprobs_BT,
            mask_BT=mask_BT[:, 1:],
            advantages_B=self._tensor([one.advantage or 0.0 for one in chosen]),
            roles=[one.role for one in chosen],
            episode_tokens=lengths,
            sampler_BT=sampler_BT,
            reference_BT=reference_BT,
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

    # -- log-probabilities -------------------------------------------------------------------------------------

    def _logprobs(
        self, ids_BT: torch.Tensor, mask_BT: torch.Tensor, temperature_B: torch.Tensor, model: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities and entropies (B, T - 1) of the tokens with mask 1, under their temperature; 0 elsewhere.

        Padding is on the right, where no token before it looks, so there is no attention mask.
        """
        base = self._base if model is None else model
        hidden_BTH = base.get_decoder()(input_ids=ids_BT, use_cache=False).last_hidden_state[:, :-1]
        trained_BT = mask_BT[:, 1:] > 0
        hidden_ND, targets_N = hidden_BTH[trained_BT], ids_BT[:, 1:][trained_BT]
        temperatures_N = temperature_B[:, None].expand_as(trained_BT)[trained_BT]
        # A single chunk saves nothing by being computed twice.
        chunk = self._train.logprob_chunk if len(targets_N) > self._train.logprob_chunk else 0
        head = base.get_output_embeddings()
        found = token_logprobs(hidden_ND, head, targets_N, temperatures_N, chunk=chunk, entropy=True)
        empty_BT = torch.zeros(trained_BT.shape, dtype=torch.float32, device=ids_BT.device)
        entropies_N = torch.zeros_like(found.logprobs_N) if found.entropies_N is None else found.entropies_N
        return empty_BT.masked_scatter(trained_BT, found.logprobs_N), empty_BT.masked_scatter(trained_BT, entropies_N)

    def _reference_logprobs(
        self, ids_BT: torch.Tensor, mask_BT: torch.Tensor, temperature_B: torch.Tensor
    ) -> torch.Tensor:
        with torch.no_grad(), self.model.disable_adapter() if self._is_lora else contextlib.nullcontext():
            return self._logprobs(ids_BT, mask_BT, temperature_B, self._reference)[0]

    def _keep_reference(self) -> None:
        """The weights as they are now are what ``kl`` is measured against; under LoRA, those without adapters."""
        if self._train.kl and not self._is_lora:
            self._reference = copy.deepcopy(self.model).requires_grad_(False)

    def _check_output(self) -> None:
        ids_BT = torch.arange(1, 5, device=self.model.device)[None]
        with torch.no_grad(), self.computing():
            whole = self.model(input_ids=ids_BT).logits.float()
            hidden = self._base.get_decoder()(input_ids=ids_BT, use_cache=False).last_hidden_state
            parts = self._base.get_output_embeddings()(hidden).float()
        if not torch.allclose(whole, parts, rtol=_LOGIT_TOLERANCE, atol=_LOGIT_TOLERANCE):
            raise ConfigError(
                f"{type(self._base).__name__} does more to its logits than one linear layer (a cap or a scale), which "
                "is not built here; choose another model, or an engine that trains it"
            )

    # -- tensors -----------------------------------------------------------------------------------------------

    def _padded(self, *columns: Sequence[Sequence[int]]) -> list[torch.Tensor]:
        """Tokens and masks as (B, T), padded on the right."""
        width = max(map(len, columns[0]))
        fills = (self._padding, 0)
        return [
            self._tensor([[*row, *[fill] * (width - len(row))] for row in rows], torch.long)
            for fill, rows in zip(fills, columns, strict=True)
        ]

    def _sampler_logprobs(self, chosen: Sequence[Trajectory], mask_BT: torch.Tensor) -> torch.Tensor:
        width = mask_BT.shape[1]
        return self._tensor(
            [[*one.sampler_logprobs[1:], *[0.0] * (width - len(one.sampler_logprobs))] for one in chosen]
        )

    def _tensor(self, values: Any, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        return torch.tensor(values, dtype=dtype, device=self.model.device)

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
        optimizer = torch.optim.AdamW(self._parameters.values(), lr=lr, betas=self._train.betas, weight_decay=0.0)
        schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, max(1, steps))
        losses = [self._imitate(chosen, optimizer, schedule) for chosen in _batches(examples, steps, batch, seed)]
        self._keep_reference()
        return losses

    def _imitate(self, chosen: Sequence[Example], optimizer: Any, schedule: Any) -> float:
        ids_BT, mask_BT = self._padded([one.token_ids for one in chosen], [one.loss_mask for one in chosen])
        with self.computing():
            logprobs_BT, _ = self._logprobs(ids_BT, mask_BT, self._tensor([1.0] * len(chosen)))
        loss = -logprobs_BT.sum() / mask_BT[:, 1:].sum()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._parameters.values(), self._train.clip_norm or math.inf)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)
        return float(loss.detach())

    # -- files -------------------------------------------------------------------------------------------------

    def save(self, folder: Path) -> None:
        """Write trained weights, optimizer and random state into ``folder``, which is there and empty.

        Raises:
            StoreError: when they cannot be written; what is there is not whole.
        """
        reference = {} if self._reference is None else dict(self._reference.named_parameters())
        state = LearnerState(self._version, self._skipped, self._optimizer.state_dict())
        write_state(folder, self._parameters, reference, state)

    def load(self, folder: Path) -> None:
        """Take up what :meth:`save` wrote: then everything goes on bit for bit.

        Raises:
            StoreError: when it cannot be read, or is of another model.
        """
        reference = {} if self._reference is None else dict(self._reference.named_parameters())
        state = read_state(folder, self._parameters, reference)
        self._optimizer.load_state_dict(dict(state.optimizer))
        self._version, self._skipped = state.policy_version, state.skipped

    def save_adapter(self, folder: Path) -> None:
        """Write the adapters as PEFT does, for a server to load.

        Raises:
            ConfigError: when all weights are trained.
        """
        if not self._is_lora:
            raise ConfigError("all weights are trained, so there is no adapter; set engine.lora_rank above 0")
        self.model.save_pretrained(folder)


def _batches(examples: Sequence[Example], steps: int, batch: int, seed: int) -> Iterator[list[Example]]:
    """Examples of each step: a new order whenever all have been seen."""
    chance, waiting = random.Random(seed), list[Example]()
    for _ in range(steps):
        while len(waiting) < batch:
            waiting += chance.sample(list(examples), len(examples))
        yield waiting[:batch]
        del waiting[:batch]


def _adapted(model: Any, lora: Lora) -> Any:
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(
        r=lora.rank, lora_alpha=lora.alpha, lora_dropout=0.0, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    with torch.random.fork_rng(devices=[model.device] if model.device.type == "cuda" else []):
        torch.manual_seed(lora.seed)
        return get_peft_model(model, config)


def _without_dropout(model: Any) -> None:
    """Chance in the forward pass would make the learner's probabilities differ from the sampler's."""
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
        if isinstance(getattr(module, "attention_dropout", None), float):
            module.attention_dropout = 0.0
