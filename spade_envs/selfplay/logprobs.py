"""Log-probabilities of given tokens from hidden states, without all logits in memory at once.

A head of 150,000 tokens on a sequence of 16,384 makes 10 GB of logits in float32, and as much again for their gradient.
Here they exist for one chunk of tokens at a time: each chunk is a checkpoint, whose logits the backward pass computes
once more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.utils.checkpoint import checkpoint

from .failures import RewardError


@dataclass(frozen=True)
class TokenLogprobs:
    """Of N tokens, in float32."""

    logprobs_N: torch.Tensor
    """Natural logarithm of each token's probability, with a gradient."""
    entropies_N: torch.Tensor | None
    """Entropy of the distribution each was drawn from, in nats, without a gradient; ``None`` if not asked for."""


def token_logprobs(
    hidden_ND: torch.Tensor,
    head: Callable[[torch.Tensor], torch.Tensor],
    targets_N: torch.Tensor,
    temperatures_N: torch.Tensor | float = 1.0,
    *,
    chunk: int = 2048,
    entropy: bool = False,
) -> TokenLogprobs:
    """Log-probabilities of ``targets_N`` under ``softmax(head(hidden) / temperature)``.

    Give only the places that are trained on: hidden states of places *before* the tokens, flattened.

    Args:
        hidden_ND: last hidden states, N places of width D.
        head: from hidden states to logits, such as ``model.get_output_embeddings()``; whatever follows it in the model
            (a soft cap, a scale) has to be part of it.
        targets_N: the tokens.
        temperatures_N: what divides the logits, above 0: one number, or one per token.
        chunk: tokens whose logits exist at a time; 0 for all, without checkpoints.
        entropy: whether to compute entropies.

    Raises:
        RewardError: when numbers of tokens differ.
    """
    count = targets_N.shape[0]
    if hidden_ND.dim() != 2 or hidden_ND.shape[0] != count:
        raise RewardError(f"Hidden states of shape {tuple(hidden_ND.shape)} came with {count} tokens.")
    if isinstance(temperatures_N, torch.Tensor) and temperatures_N.shape != targets_N.shape:
        raise RewardError(f"Temperatures of shape {tuple(temperatures_N.shape)} came with {count} tokens.")
    step = chunk or max(count, 1)
    logprobs, entropies = [], []
    for start in range(0, max(count, 1), step):
        part = slice(start, start + step)
        temperatures = temperatures_N[part] if isinstance(temperatures_N, torch.Tensor) else temperatures_N
        inputs = (hidden_ND[part], targets_N[part], temperatures, head, entropy)
        if chunk and torch.is_grad_enabled():
            # The head draws no random numbers, so there is no random state to keep.
            of_chunk = checkpoint(_of_chunk, *inputs, use_reentrant=False, preserve_rng_state=False)
        else:
            of_chunk = _of_chunk(*inputs)
        logprobs.append(of_chunk[0])
        entropies.append(of_chunk[1])
    return TokenLogprobs(torch.cat(logprobs), torch.cat(entropies) if entropy else None)


def _of_chunk(
    hidden: torch.Tensor,
    targets: torch.Tensor,
    temperatures: torch.Tensor | float,
    head: Callable[[torch.Tensor], torch.Tensor],
    entropy: bool,
) -> tuple[torch.Tensor, torch.Tensor]:
    logits = head(hidden).float()
    if isinstance(temperatures, torch.Tensor):
        logits = logits / temperatures.to(logits.dtype).unsqueeze(-1)
    elif temperatures != 1:
        logits = logits / temperatures
    total = torch.logsumexp(logits, dim=-1)
    logprobs = logits.gather(-1, targets.unsqueeze(-1)).squeeze(-1) - total
    if not entropy:
        return logprobs, total.detach()
    with torch.no_grad():
        # H = log Z - E[logit]
        entropies = total - (torch.softmax(logits, dim=-1) * logits).sum(-1)
    return logprobs, entropies
