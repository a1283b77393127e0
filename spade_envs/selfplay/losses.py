"""Policy-gradient losses of one optimizer step that goes through the model in parts.

A loss here is a *sum* over rows, divided by numbers that were counted over the whole step (:class:`~.steps.StepBatch`).
So the gradients of k micro-batches add up to that of one batch, and so do those of k ranks; a framework that averages
over ranks (DDP, FSDP) needs the loss times the number of ranks.

Of each token with mask 1, where r is the ratio of its probability under the weights now and before the step, A the
advantage, and w the correction for the sampler (:func:`correction_weights`):

    -w min(r A, clip(r, 1 - eps_low, 1 + eps_high) A) + kl k3        PPO (arXiv 1707.06347), clip-higher (2503.14476)
    -w stop_gradient(min(r, 1 + eps_high)) A log p + kl k3           ``cispo`` (2506.13585)

With ``level="sequence"`` r is the geometric mean over the trajectory (GSPO, 2507.18071). ``delta`` bounds r before the
minimum is taken (dual clip, 1912.09729). k3 is exp(d) - d - 1 with d = log p_reference - log p, Schulman's estimator of
the KL divergence, times r with ``kl_ratio`` (as TRL does by default).

    ``grpo``              mean over an episode's tokens, then over episodes (2402.03300; SPADE's)
    ``dapo``, ``cispo``   mean over tokens (2503.14476)
    ``bnpo``              the same: what TRL counts per micro-batch is counted per step here
    ``dr_grpo``           sum over tokens, by ``max_length`` and the number of episodes (2503.20783)

All trajectories of one ``episode_id`` are one episode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch

from .failures import ConfigError, RewardError
from .loss_spec import LossSpec as LossSpec
from .loss_stats import RoleStats as RoleStats
from .loss_stats import episode_tokens as episode_tokens
from .loss_stats import loss_metrics as loss_metrics
from .loss_stats import merged as merged
from .steps import Denominator


@dataclass(frozen=True)
class Rows:
    """Trajectories of a micro-batch: B rows of T places. What lies where the mask is 0 has no influence."""

    logprobs_BT: torch.Tensor
    """Under the weights now, with a gradient."""
    mask_BT: torch.Tensor
    """1 where the policy sampled the token."""
    advantages_B: torch.Tensor
    roles: Sequence[str]
    episode_tokens: Sequence[int]
    """Trained tokens of the whole episode that each row belongs to (:func:`episode_tokens`); 0 for padding."""
    sampler_BT: torch.Tensor | None = None
    """Under the sampler; needed for a correction."""
    old_BT: torch.Tensor | None = None
    """Under the weights before the step; ``None`` where those are the weights now."""
    reference_BT: torch.Tensor | None = None
    """Under the reference; needed for ``kl``."""
    entropies_BT: torch.Tensor | None = None
    """Only looked at for the log."""


@dataclass(frozen=True)
class PolicyLoss:
    """Loss of a micro-batch: its part of the step's."""

    loss: torch.Tensor
    """Scalar, with a gradient even where nothing is trained."""
    stats: Mapping[str, RoleStats]
    """By role."""


def policy_loss(
    spec: LossSpec, rows: Rows, denominators: Mapping[str, Denominator], weights: Mapping[str, float]
) -> PolicyLoss:
    """The loss of a micro-batch.

    Args:
        spec: what is minimised.
        rows: the micro-batch.
        denominators: of the whole step, by role.
        weights: factor of each role's loss; 1 where a role is not there.

    Raises:
        RewardError: when shapes differ, or a row is trained on whose role has no denominator.
        ConfigError: when a correction or a KL term lacks its log-probabilities.
    """
    _check(spec, rows, denominators)
    mask = rows.mask_BT.to(rows.logprobs_BT.dtype)
    tokens = _token_losses(spec, rows, mask)
    total = torch.zeros((), dtype=tokens.loss_BT.dtype, device=tokens.loss_BT.device)
    parts: dict[str, RoleStats] = {}
    for role in dict.fromkeys(rows.roles):
        if (denominator := denominators.get(role)) is None:
            continue
        places = [place for place, other in enumerate(rows.roles) if other == role]
        # One role is the usual case, and must sum in the order of other implementations.
        index = slice(None) if len(places) == len(rows.roles) else torch.tensor(places, device=mask.device)
        lengths = torch.tensor([rows.episode_tokens[place] for place in places], device=mask.device)
        part = _aggregated(spec, tokens.loss_BT[index] * mask[index], lengths, denominator)
        total = total + weights.get(role, 1.0) * part
        parts[role] = tokens.stats(index, mask[index], part)
    if not parts:
        total = (rows.logprobs_BT * 0).nan_to_num(0.0).sum()
    return PolicyLoss(total, parts)


def correction_weights(
    old_BT: torch.Tensor, sampler_BT: torch.Tensor, mask_BT: torch.Tensor, mode: str, cap: float
) -> torch.Tensor:
    """Importance weights of the learner's probabilities against the sampler's, without a gradient.

    Truncated (``*_truncate``: at most ``cap``; TIS, Yao et al. 2025) or masked (``*_mask``: 0 beyond ``cap``), of each
    token or of the whole trajectory (``sequence_*``).

    Returns:
        (B, T), or (B, 1) for sequences; 1 everywhere for ``none``.
    """
    return _corrections(old_BT, sampler_BT, mask_BT, mode, cap)[0]


@dataclass(frozen=True)
class _Tokens:
    """Per token: the loss, and what the log wants to know."""

    loss_BT: torch.Tensor
    clipped_BT: torch.Tensor
    corrected_BT: torch.Tensor
    ratio_BT: torch.Tensor
    weight_BT: torch.Tensor
    kl_BT: torch.Tensor
    entropy_BT: torch.Tensor

    def stats(self, index: slice | torch.Tensor, mask: torch.Tensor, part: torch.Tensor) -> RoleStats:
        """Sums over the rows of a role. One transfer from the device."""
        of_tokens = (self.clipped_BT, self.corrected_BT, self.ratio_BT, self.weight_BT, self.kl_BT, self.entropy_BT)
        with torch.no_grad():
            sums = [(values[index].to(mask.dtype) * mask).sum() for values in of_tokens]
            loss, tokens, *rest = torch.stack([part.detach(), mask.sum(), *sums]).tolist()
        return RoleStats(loss, tokens, *rest)


def _check(spec: LossSpec, rows: Rows, denominators: Mapping[str, Denominator]) -> None:
    shape = tuple(rows.logprobs_BT.shape)
    optional = (rows.sampler_BT, rows.old_BT, rows.reference_BT, rows.entropies_BT)
    shapes = {tuple(tensor.shape) for tensor in (rows.mask_BT, *optional) if tensor is not None}
    lengths = {len(rows.roles), len(rows.episode_tokens), *rows.advantages_B.shape[:1]}
    if len(shape) != 2 or shapes != {shape} or lengths != {shape[0]} or rows.advantages_B.dim() != 1:
        raise RewardError(
            f"Log-probabilities of shape {shape} came with tensors of {sorted(shapes)} and {sorted(lengths)} rows. "
            "All have to be of one micro-batch."
        )
    for role, count in zip(rows.roles, rows.episode_tokens, strict=True):
        if count and role not in denominators:
            raise RewardError(f"A trajectory of role {role!r} has {count} trained tokens, and the step counts none.")
    if spec.correction != "none" and rows.sampler_BT is None:
        raise ConfigError(f"correction {spec.correction!r} needs the sampler's log-probabilities; or choose 'none'.")
    if spec.kl and rows.reference_BT is None:
        raise ConfigError("A KL term needs the reference's log-probabilities; or set kl to 0.")


def _token_losses(spec: LossSpec, rows: Rows, mask: torch.Tensor) -> _Tokens:
    # Where the mask is 0 there may be anything, and 0 * inf would be NaN.
    trained = mask > 0
    logprobs = torch.where(trained, rows.logprobs_BT, 0.0)
    old = logprobs.detach() if rows.old_BT is None else torch.where(trained, rows.old_BT.detach(), 0.0)
    log_ratio = logprobs - old
    if spec.level == "sequence":
        log_ratio = ((log_ratio * mask).sum(-1) / mask.sum(-1).clamp(min=1.0)).unsqueeze(-1)
    ratio = torch.exp(log_ratio)
    surrogate, clipped = _surrogate(spec, ratio, rows.advantages_B.to(ratio.dtype).unsqueeze(1), logprobs)
    weight = corrected = torch.zeros_like(mask)
    if spec.correction != "none" and rows.sampler_BT is not None:
        sampler = torch.where(trained, rows.sampler_BT, 0.0)
        weight, corrected = _corrections(old, sampler, mask, spec.correction, spec.correction_cap)
        surrogate = surrogate * weight
    else:
        weight = torch.ones_like(mask)
    k3 = torch.zeros_like(mask)
    if rows.reference_BT is not None:
        distance = torch.where(trained, rows.reference_BT.detach(), 0.0) - logprobs
        k3 = torch.exp(distance) - distance - 1
        if spec.kl:
            surrogate = surrogate + spec.kl * (k3 * ratio if spec.kl_ratio else k3)
    entropy = torch.zeros_like(mask) if rows.entropies_BT is None else torch.where(trained, rows.entropies_BT, 0.0)
    wide = (values.detach().expand_as(mask) for values in (clipped, corrected, ratio, weight, k3, entropy))
    return _Tokens(surrogate, *wide)


def _surrogate(
    spec: LossSpec, ratio: torch.Tensor, advantages: torch.Tensor, logprobs: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Loss per token without correction and KL, and where it was clipped."""
    high = 1 + spec.eps_high
    if spec.loss == "cispo":
        return -torch.clamp(ratio, max=high).detach() * advantages * logprobs, ratio > high
    bounded = torch.clamp(ratio, max=spec.delta) if spec.delta else ratio
    clipped = torch.clamp(ratio, 1 - spec.eps_low, high)
    out = ((ratio < 1 - spec.eps_low) & (advantages < 0)) | ((ratio > high) & (advantages > 0))
    if spec.delta:
        out = out | ((ratio > spec.delta) & (advantages < 0))
    return -torch.min(bounded * advantages, clipped * advantages), out


def _corrections(
    old: torch.Tensor, sampler: torch.Tensor, mask: torch.Tensor, mode: str, cap: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """The weights, and where they were truncated or masked."""
    if mode == "none":
        return torch.ones_like(old), torch.zeros_like(old)
    difference = (old.detach() - sampler.detach()) * mask
    if mode.startswith("sequence"):
        difference = difference.sum(-1, keepdim=True)
    ratio = torch.exp(difference)
    beyond = ratio > cap
    return (torch.clamp(ratio, max=cap) if mode.endswith("truncate") else ratio.masked_fill(beyond, 0.0)), beyond


def _aggregated(
    spec: LossSpec, masked_BT: torch.Tensor, episode_lengths_B: torch.Tensor, denominator: Denominator
) -> torch.Tensor:
    if spec.loss == "grpo":
        return (masked_BT.sum(-1) / episode_lengths_B.clamp(min=1)).sum() / denominator.episodes
    if spec.loss == "dr_grpo":
        return masked_BT.sum() / (denominator.episodes * spec.max_length)
    return masked_BT.sum() / denominator.tokens
