"""Losses in closed form, and that a step is the sum of its parts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch

from spade_envs.selfplay.advantages import advantages
from spade_envs.selfplay.config import TrainSection
from spade_envs.selfplay.failures import ConfigError, RewardError
from spade_envs.selfplay.losses import (
    LossSpec,
    RoleStats,
    Rows,
    correction_weights,
    episode_tokens,
    loss_metrics,
    merged,
    policy_loss,
)
from spade_envs.selfplay.steps import AGENT, DESIGNER, Denominator, StepBatch
from spade_envs.types import StopReason, Trajectory

PLAIN = LossSpec(max_length=8, loss="dapo", correction="none")


def one(spec: LossSpec, log_ratios: Sequence[float], advantage: float, **given: torch.Tensor) -> tuple[float, float]:
    """Loss of one row with these log-ratios, and the gradient by the first log-probability."""
    logprobs = torch.tensor([[-1.0] * len(log_ratios)], dtype=torch.float64, requires_grad=True)
    rows = Rows(
        logprobs_BT=logprobs,
        mask_BT=torch.ones_like(logprobs),
        advantages_B=torch.tensor([advantage], dtype=torch.float64),
        roles=[AGENT],
        episode_tokens=[len(log_ratios)],
        old_BT=logprobs.detach() - torch.tensor([log_ratios], dtype=torch.float64),
        **given,
    )
    loss = policy_loss(spec, rows, {AGENT: Denominator(len(log_ratios), 1)}, {}).loss
    return loss.item(), torch.autograd.grad(loss, logprobs)[0][0, 0].item()


# -- closed forms ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "log_ratio", "advantage", "loss", "gradient"),
    [
        (PLAIN, 0.3, 1.0, -1.28, 0.0),
        (PLAIN, 0.3, -1.0, 1.349859, 1.349859),
        (PLAIN, -0.5, 1.0, -0.606531, -0.606531),
        (PLAIN, -0.5, -1.0, 0.8, 0.0),
        (replace(PLAIN, delta=1.3), 0.3, -1.0, 1.3, 0.0),
        (replace(PLAIN, delta=1.3), 0.3, 1.0, -1.28, 0.0),
        (replace(PLAIN, loss="cispo"), 0.3, 1.0, 1.28, -1.28),
        (replace(PLAIN, loss="cispo"), -0.5, 1.0, 0.606531, -0.606531),
    ],
)
def test_one_token(spec: LossSpec, log_ratio: float, advantage: float, loss: float, gradient: float) -> None:
    assert one(spec, [log_ratio], advantage) == pytest.approx((loss, gradient), abs=1e-6)


def test_the_ratio_of_a_sequence() -> None:
    spec = replace(PLAIN, level="sequence", eps_high=0.5)
    ratio = 1.142631  # exp of the mean of .3, -.1 and .2
    assert one(spec, [0.3, -0.1, 0.2], 1.0) == pytest.approx((-ratio, -ratio / 3), abs=1e-6)


@pytest.mark.parametrize(("with_ratio", "expected"), [(False, 0.0214028), (True, 0.0214028 * 1.349859)])
def test_k3(with_ratio: bool, expected: float) -> None:
    spec = replace(PLAIN, kl=1.0, kl_ratio=with_ratio)
    reference = torch.tensor([[-0.8]], dtype=torch.float64)
    assert one(spec, [0.3], 0.0, reference_BT=reference)[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("none", [[1.0, 1.0]]),
        ("token_truncate", [[2.0, 1.105171]]),
        ("token_mask", [[0.0, 1.105171]]),
        ("sequence_truncate", [[2.0]]),
        ("sequence_mask", [[0.0]]),
    ],
)
def test_corrections(mode: str, expected: list[list[float]]) -> None:
    old, sampler, mask = torch.tensor([[0.9, 0.1]]), torch.zeros(1, 2), torch.ones(1, 2)
    found = correction_weights(old, sampler, mask, mode, 2.0)
    assert torch.allclose(found, torch.tensor(expected), atol=1e-6)
    below = correction_weights(-old, sampler, mask, mode, 2.0)
    assert mode == "none" or torch.allclose(
        below, torch.exp(-old if mode.startswith("token") else -old.sum(-1, keepdim=True))
    )


def test_what_is_masked_has_no_part_in_a_sequences_correction() -> None:
    mask = torch.tensor([[1.0, 0.0]])
    found = correction_weights(torch.tensor([[0.1, 50.0]]), torch.zeros(1, 2), mask, "sequence_mask", 2.0)
    assert found.item() == pytest.approx(math.exp(0.1))


@pytest.mark.parametrize(
    ("loss", "expected"), [("dapo", 1 / 3), ("bnpo", 1 / 3), ("grpo", 1 / 2), ("dr_grpo", 2 / 16), ("cispo", 1 / 3)]
)
def test_means(loss: str, expected: float) -> None:
    """Rows of 2 and 4 tokens whose losses are 1 and 0."""
    rows = Rows(
        logprobs_BT=torch.full((2, 4), -1.0, requires_grad=True),
        mask_BT=torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1]]),
        advantages_B=torch.tensor([1.0 if loss == "cispo" else -1.0, 0.0]),
        roles=[AGENT, AGENT],
        episode_tokens=[2, 4],
    )
    found = policy_loss(replace(PLAIN, loss=loss), rows, {AGENT: Denominator(6, 2)}, {})
    assert found.loss.item() == pytest.approx(expected)


def test_siblings_are_one_episode() -> None:
    """Two trajectories of one episode, of 1 and 3 tokens, weigh what one of 4 tokens does."""
    rows = Rows(
        logprobs_BT=torch.zeros(2, 3, requires_grad=True),
        mask_BT=torch.tensor([[1, 0, 0], [1, 1, 1]]),
        advantages_B=torch.tensor([-1.0, -1.0]),
        roles=[AGENT, AGENT],
        episode_tokens=[4, 4],
    )
    spec = replace(PLAIN, loss="grpo")
    found = policy_loss(spec, rows, {AGENT: Denominator(4, 1)}, {})
    assert found.loss.item() == pytest.approx(1.0)
    (gradient,) = torch.autograd.grad(found.loss, rows.logprobs_BT)
    assert torch.equal(gradient, torch.tensor([[0.25, 0, 0], [0.25, 0.25, 0.25]]))


# -- a whole step ------------------------------------------------------------------------------------------------------

SPECS = {
    **{loss: replace(PLAIN, loss=loss) for loss in ("grpo", "dapo", "dr_grpo", "bnpo", "cispo")},
    "gspo": replace(PLAIN, loss="grpo", level="sequence"),
    "all": replace(PLAIN, loss="grpo", kl=0.1, kl_ratio=True, delta=1.5, correction="token_truncate"),
    "sequence mask": replace(PLAIN, loss="dr_grpo", kl=0.1, correction="sequence_mask"),
}
ROLES = [DESIGNER] * 3 + [AGENT] * 6 + [AGENT]
WEIGHTS = {DESIGNER: 2.5, AGENT: 1.0}


def step() -> tuple[Rows, dict[str, Denominator]]:
    """Ten rows of two roles, two of them of one episode, the last one padding."""
    draw = torch.Generator().manual_seed(0)

    def noise(size: float) -> torch.Tensor:
        return size * torch.randn(10, 7, generator=draw, dtype=torch.float64)

    logprobs = noise(0.5) - 2
    mask = (torch.rand(10, 7, generator=draw) < 0.6).long()
    mask[9] = 0
    counts = mask.sum(-1).tolist()
    counts[4] = counts[5] = counts[4] + counts[5]
    rows = Rows(
        logprobs_BT=logprobs,
        mask_BT=mask,
        advantages_B=noise(1.0)[:, 0] * (mask.sum(-1) > 0),
        roles=ROLES,
        episode_tokens=counts,
        sampler_BT=logprobs + noise(0.3),
        old_BT=logprobs + noise(0.3),
        reference_BT=logprobs + noise(0.2),
        entropies_BT=noise(0.1).abs(),
    )
    denominators = {
        DESIGNER: Denominator(int(mask[:3].sum()), 3),
        AGENT: Denominator(int(mask[3:].sum()), 5),
    }
    return rows, denominators


def some(rows: Rows, places: Sequence[int]) -> Rows:
    values: dict[str, Any] = {}
    for name, value in vars(rows).items():
        values[name] = value[list(places)] if isinstance(value, torch.Tensor) else [value[place] for place in places]
    return Rows(**values)


def gradient(
    spec: LossSpec, rows: Rows, denominators: Mapping[str, Denominator], parts: Sequence[Sequence[int]]
) -> tuple[float, torch.Tensor, dict[str, RoleStats]]:
    """What the micro-batches add up to."""
    leaf = rows.logprobs_BT.clone().requires_grad_()
    whole, total, stats = replace(rows, logprobs_BT=leaf), 0.0, []
    for places in parts:
        found = policy_loss(spec, some(whole, places), denominators, WEIGHTS)
        found.loss.backward()
        total += found.loss.item()
        stats.append(found.stats)
    assert leaf.grad is not None
    return total, leaf.grad, merged(stats)


@pytest.mark.parametrize("name", sorted(SPECS))
def test_one_batch_is_k_micro_batches(name: str) -> None:
    rows, denominators = step()
    loss, whole, stats = gradient(SPECS[name], rows, denominators, [range(10)])
    assert whole.abs().max() > 1e-3
    for parts in ([[place] for place in range(10)], [[9, 3, 0], [4, 1], [5, 8, 2], [6, 7]]):
        total, split, sums = gradient(SPECS[name], rows, denominators, parts)
        assert total == pytest.approx(loss, abs=1e-14)
        assert (split - whole).abs().max() < 1e-15
        assert loss_metrics(sums) == pytest.approx(loss_metrics(stats), abs=1e-12)


@pytest.mark.parametrize("name", sorted(SPECS))
def test_roles_do_not_mix(name: str) -> None:
    rows, denominators = step()
    loss, both, stats = gradient(SPECS[name], rows, denominators, [range(10)])
    alone = {AGENT: denominators[AGENT]}
    agents = some(rows, range(3, 10))
    agent_loss, agent, _ = gradient(SPECS[name], agents, alone, [range(7)])
    assert torch.allclose(both[3:], agent, atol=1e-15, rtol=0)
    assert stats[AGENT].loss == pytest.approx(agent_loss)
    assert loss == pytest.approx(2.5 * stats[DESIGNER].loss + stats[AGENT].loss)


@pytest.mark.parametrize("name", sorted(SPECS))
def test_what_is_masked_may_be_anything(name: str) -> None:
    rows, denominators = step()
    loss, expected, stats = gradient(SPECS[name], rows, denominators, [range(10)])
    masked = rows.mask_BT == 0
    junk = {
        field: value.masked_fill(masked, junk)
        for field, junk in (
            ("logprobs_BT", -math.inf),
            ("sampler_BT", math.nan),
            ("old_BT", 7e5),
            ("reference_BT", math.nan),
            ("entropies_BT", math.inf),
        )
        if isinstance(value := getattr(rows, field), torch.Tensor)
    }
    found, moved, sums = gradient(SPECS[name], replace(rows, **junk), denominators, [range(10)])
    assert found == loss
    assert torch.equal(moved, expected)
    assert sums == stats


@pytest.mark.parametrize("name", sorted(set(SPECS) - {"all", "sequence mask"}))
@pytest.mark.parametrize("convention", ["centred", "spade", "trl", "verl", "slime"])
def test_equal_rewards_have_no_gradient(name: str, convention: str) -> None:
    rows, denominators = step()
    equal = advantages([0.7] * 10, ["a"] * 10, convention)
    given = replace(rows, advantages_B=torch.tensor(equal, dtype=torch.float64))
    _, found, _ = gradient(SPECS[name], given, denominators, [range(10)])
    assert torch.equal(found, torch.zeros_like(found))


def test_padding_alone_has_a_gradient_of_zero() -> None:
    rows, denominators = step()
    for known in (denominators, {}):
        padding = some(rows, [9])
        leaf = padding.logprobs_BT.clone().requires_grad_()
        found = policy_loss(SPECS["all"], replace(padding, logprobs_BT=leaf), known, WEIGHTS)
        found.loss.backward()
        assert found.loss.item() == 0 and leaf.grad is not None and not leaf.grad.any()


def test_metrics() -> None:
    rows = Rows(
        logprobs_BT=torch.zeros(1, 4),
        mask_BT=torch.tensor([[1, 1, 1, 0]]),
        advantages_B=torch.tensor([1.0]),
        roles=[AGENT],
        episode_tokens=[3],
        sampler_BT=torch.tensor([[-1.0, 0.0, 0.0, -9.0]]) - math.log(2),
        old_BT=torch.tensor([[-math.log(2), 0.0, 0.0, -9.0]]),
        reference_BT=torch.tensor([[math.log(2), 0.0, 0.0, 9.0]]),
        entropies_BT=torch.tensor([[3.0, 0.0, 0.0, 9.0]]),
    )
    spec = LossSpec(max_length=4, correction_cap=2.0)
    found = loss_metrics(policy_loss(spec, rows, {AGENT: Denominator(3, 1)}, {}).stats)
    # Ratios 2, 1, 1; corrections e, 2, 2 of which the first is truncated.
    assert found == pytest.approx(
        {
            "agent/loss": -(1.28 * 2 + 2 + 2) / 4,
            "agent/ratio": 4 / 3,
            "agent/ratio_clipped": 1 / 3,
            "agent/tis": 2.0,
            "agent/tis_clipped": 1 / 3,
            "agent/kl": (2 - math.log(2) - 1) / 3,
            "agent/entropy": 1.0,
        },
        rel=1e-6,
    )


def test_tokens_of_an_episode() -> None:
    def trajectory(role: str, episode: str, mask: tuple[int, ...]) -> Trajectory:
        zeros = (0.0,) * len(mask)
        return Trajectory(role, "g", episode, "0", (0,) * len(mask), mask, zeros, 1.0, 0.0, 0.0, StopReason.TERMINATED)

    rows = (
        trajectory(DESIGNER, "a", (0, 1, 1)),
        trajectory(AGENT, "a", (1, 0)),
        trajectory(AGENT, "b", (0, 1)),
        trajectory(AGENT, "a", (1, 1)),
        trajectory(AGENT, "pad", (0, 0)),
    )
    found = episode_tokens(StepBatch(rows, {}, {}))
    assert found == {(DESIGNER, "a"): 2, (AGENT, "a"): 3, (AGENT, "b"): 1, (AGENT, "pad"): 0}


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"loss": "ppo"}, "train.loss is 'ppo'. Choose one of: grpo, dapo, dr_grpo, bnpo, cispo"),
        ({"level": "word"}, "Choose one of: token, sequence"),
        ({"correction": "clip"}, "token_truncate"),
        ({"max_length": 0}, "at least 1"),
        ({"eps_low": 1.5}, "between 0 and 1"),
        ({"eps_high": -0.1}, "0 or more"),
        ({"eps_high": math.nan}, "0 or more"),
        ({"delta": 1.1}, r"at least 1 \+ eps_high"),
        ({"kl": -1.0}, "0 or more"),
        ({"correction_cap": 0.0}, "above 0"),
        ({"loss": "cispo", "delta": 3.0}, "no second clip"),
    ],
)
def test_what_is_no_loss(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        LossSpec(**{"max_length": 8, **wrong})


def test_a_section_becomes_a_loss() -> None:
    section = TrainSection(loss="grpo", delta=3.0, kl=0.01, kl_ratio=True, correction="token_mask", correction_cap=3.0)
    assert LossSpec.of(section, 99) == LossSpec(
        max_length=99, loss="grpo", delta=3.0, kl=0.01, kl_ratio=True, correction="token_mask", correction_cap=3.0
    )
    assert LossSpec.of(TrainSection(), 8) == LossSpec(max_length=8)


def test_what_does_not_belong_together() -> None:
    rows, denominators = step()
    with pytest.raises(RewardError, match="of one micro-batch"):
        policy_loss(PLAIN, replace(rows, roles=[AGENT]), denominators, {})
    with pytest.raises(RewardError, match="of one micro-batch"):
        policy_loss(PLAIN, replace(rows, old_BT=torch.zeros(10, 6)), denominators, {})
    with pytest.raises(RewardError, match="'designer' has"):
        policy_loss(PLAIN, rows, {AGENT: denominators[AGENT]}, {})
    with pytest.raises(ConfigError, match="needs the sampler's"):
        policy_loss(SPECS["all"], replace(rows, sampler_BT=None), denominators, {})
    with pytest.raises(ConfigError, match="needs the reference's"):
        policy_loss(SPECS["all"], replace(rows, reference_BT=None), denominators, {})
