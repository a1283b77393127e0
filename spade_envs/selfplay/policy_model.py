"""A causal language model of transformers as a policy: in its precision, with or without adapters, and its
log-probabilities of given tokens. Needs PyTorch (``spade-envs[train]``).
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from .failures import ConfigError
from .logprobs import token_logprobs

_LOGIT_TOLERANCE = 0.05
"""Between a model's logits and its output layer's on its hidden states; kernels differ in rounding only."""


@dataclass(frozen=True, kw_only=True)
class Lora:
    """Low-rank adapters on all linear layers but the output (Hu et al. 2021), as vLLM can load them."""

    rank: int = 32
    alpha: int = 64
    seed: int = 0
    """Of their random half; the other is 0, so that version 0 is the model itself."""


class PolicyModel:
    """A model and how it is run.

    Args:
        model: causal language model of transformers, on the device it is to run on; it is changed in place.
        padding: token for places that nobody looks at.
        lora: adapters to train; ``None`` trains all weights, which are kept in float32.
        dtype: precision to compute in; with ``lora`` also the precision of the frozen weights.
        checkpointing: whether activations are computed again in the backward pass, for large models.
        chunk: tokens whose logits exist at a time; 0 for all.

    Raises:
        ConfigError: for a model whose output is more than a linear layer on its last hidden state.
    """

    def __init__(
        self,
        model: Any,
        *,
        padding: int,
        lora: Lora | None = None,
        dtype: torch.dtype = torch.float32,
        checkpointing: bool = False,
        chunk: int = 2048,
    ) -> None:
        self._padding, self._chunk = padding, chunk
        self._autocast = None if lora is not None or dtype is torch.float32 else dtype
        self.is_lora = lora is not None
        _without_dropout(model)
        model.to(dtype if self.is_lora else torch.float32)
        if checkpointing:
            # The old name warns in new releases.
            enable = getattr(model, "activation_checkpointing_enable", None) or model.gradient_checkpointing_enable
            enable({"use_reentrant": False})
            model.enable_input_require_grads()
        self.model = model if lora is None else _adapted(model, lora)
        self._base = model if lora is None else self.model.get_base_model()
        # Activations are only computed again in a model that is told it trains; it has no dropout.
        self.model.train(checkpointing)
        self.parameters = {name: values for name, values in self.model.named_parameters() if values.requires_grad}
        self._reference: Any = None
        self._check_output()

    @property
    def device(self) -> torch.device:
        """Where it runs."""
        device: torch.device = self.model.device
        return device

    @contextlib.contextmanager
    def computing(self) -> Iterator[None]:
        """Held while the model runs: the precision it computes in."""
        if self._autocast is None:
            yield
        else:
            with torch.autocast(self.device.type, self._autocast):
                yield

    # -- log-probabilities -------------------------------------------------------------------------------------

    def logprobs(
        self, ids_BT: torch.Tensor, mask_BT: torch.Tensor, temperature_B: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities and entropies (B, T - 1) of tokens with mask 1, under their temperature; 0 elsewhere."""
        with self.computing():
            return self._logprobs(self._base, ids_BT, mask_BT, temperature_B)

    def reference_logprobs(
        self, ids_BT: torch.Tensor, mask_BT: torch.Tensor, temperature_B: torch.Tensor
    ) -> torch.Tensor:
        """Log-probabilities under the weights that :meth:`keep_reference` kept, without a gradient."""
        plain = self.model.disable_adapter() if self.is_lora else contextlib.nullcontext()
        with torch.no_grad(), self.computing(), plain:
            model = self._base if self._reference is None else self._reference
            return self._logprobs(model, ids_BT, mask_BT, temperature_B)[0]

    def score(self, sequences: Sequence[tuple[Sequence[int], int]], temperature: float) -> list[list[float]]:
        """Log-probabilities of the tokens of each sequence from the place that stands beside it on."""
        masks = [[int(at >= start) for at in range(len(ids))] for ids, start in sequences]
        ids_BT, mask_BT = self.padded([ids for ids, _ in sequences], masks)
        with torch.no_grad():
            found_BT, _ = self.logprobs(ids_BT, mask_BT, self.tensor([temperature] * len(masks)))
        return [row[start - 1 : len(ids) - 1] for row, (ids, start) in zip(found_BT.tolist(), sequences, strict=True)]

    def _logprobs(
        self, model: Any, ids_BT: torch.Tensor, mask_BT: torch.Tensor, temperature_B: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        # Padding is on the right, where no token before it looks, so there is no attention mask.
        hidden_BTD = model.get_decoder()(input_ids=ids_BT, use_cache=False).last_hidden_state[:, :-1]
        trained_BT = mask_BT[:, 1:] > 0
        hidden_ND, targets_N = hidden_BTD[trained_BT], ids_BT[:, 1:][trained_BT]
        temperatures_N = temperature_B[:, None].expand_as(trained_BT)[trained_BT]
        # A single chunk saves nothing by being computed twice.
        chunk = self._chunk if len(targets_N) > self._chunk else 0
        head = model.get_output_embeddings()
        found = token_logprobs(hidden_ND, head, targets_N, temperatures_N, chunk=chunk, entropy=True)
        empty_BT = torch.zeros(trained_BT.shape, dtype=torch.float32, device=ids_BT.device)
        entropies_N = torch.zeros_like(found.logprobs_N) if found.entropies_N is None else found.entropies_N
        return empty_BT.masked_scatter(trained_BT, found.logprobs_N), empty_BT.masked_scatter(trained_BT, entropies_N)

    def _check_output(self) -> None:
        ids_BT = torch.arange(1, 5, device=self.device)[None]
        with torch.no_grad(), self.computing():
            whole = self.model(input_ids=ids_BT).logits.float()
            hidden = self._base.get_decoder()(input_ids=ids_BT, use_cache=False).last_hidden_state
            parts = self._base.get_output_embeddings()(hidden).float()
        if not torch.allclose(whole, parts, rtol=_LOGIT_TOLERANCE, atol=_LOGIT_TOLERANCE):
            raise ConfigError(
                f"{type(self._base).__name__} does more to its logits than one linear layer (a cap or a scale), which "
                "is not built here; choose another model, or an engine that trains it"
            )

    # -- other weights -----------------------------------------------------------------------------------------

    @property
    def reference(self) -> dict[str, torch.Tensor]:
        """The kept weights by name; none under LoRA, where the model without adapters is the reference."""
        return {} if self._reference is None else dict(self._reference.named_parameters())

    def keep_reference(self) -> None:
        """Make the weights as they are now the reference."""
        if not self.is_lora:
            self._reference = copy.deepcopy(self.model).requires_grad_(False)

    @contextlib.contextmanager
    def shifted(self, scale: float, seed: int) -> Iterator[None]:
        """For a while, adapters whose second half has normal random numbers of this scale added to it."""
        second = {name: values for name, values in self.parameters.items() if "lora_B" in name}
        before = {name: values.detach().clone() for name, values in second.items()}
        generator = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for values in second.values():
                values.add_(scale * torch.randn(values.shape, generator=generator).to(values))
        try:
            yield
        finally:
            with torch.no_grad():
                for name, values in second.items():
                    values.copy_(before[name])

    def save_adapter(self, folder: Path) -> None:
        """Write the adapters as PEFT does, for a server to load.

        Raises:
            ConfigError: when all weights are trained.
        """
        if not self.is_lora:
            raise ConfigError("all weights are trained, so there is no adapter; set engine.lora_rank above 0")
        # Else it asks the hub whether the vocabulary has grown.
        self.model.save_pretrained(folder, save_embedding_layers=False)

    # -- tensors -----------------------------------------------------------------------------------------------

    def padded(self, ids: Sequence[Sequence[int]], masks: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Tokens and masks as (B, T), padded on the right."""
        width = max(map(len, ids))
        return (
            self.tensor([[*row, *[self._padding] * (width - len(row))] for row in ids], torch.long),
            self.tensor([[*row, *[0] * (width - len(row))] for row in masks], torch.long),
        )

    def tensor(self, values: Any, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """On the model's device."""
        return torch.tensor(values, dtype=dtype, device=self.device)


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
