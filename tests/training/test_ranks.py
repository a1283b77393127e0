"""k ranks are one batch: two processes that average their gradients, as DDP does, get the gradient of the whole."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import torch.distributed as dist

from spade_envs.selfplay.losses import LossSpec, Rows, policy_loss
from spade_envs.selfplay.steps import AGENT, DESIGNER, Denominator

RANKS = 2
PLACES = ((0, 3, 4), (1, 2, 5))
"""Rows of each rank; roles and tokens are spread unevenly, and rows 2 and 3 are one episode."""
LOSSES = ("grpo", "dapo", "dr_grpo", "cispo")


def gradient(loss: str, places: tuple[int, ...], ranks: int) -> torch.Tensor:
    """Of one weight, through log-probabilities that depend on it; what a rank with these rows computes."""
    draw = torch.Generator().manual_seed(0)
    features = torch.randn(6, 5, 3, generator=draw, dtype=torch.float64)
    mask = torch.tensor([[1] * 5, [1, 0, 0, 0, 1], [1, 1, 0, 0, 0], [0, 1, 1, 1, 0], [0, 0, 1, 0, 0], [0] * 5])
    advantages = torch.tensor([1.5, -0.5, 1.0, 1.0, -2.0, 0.0], dtype=torch.float64)
    roles, counts = [DESIGNER, DESIGNER, AGENT, AGENT, AGENT, AGENT], [5, 2, 5, 5, 1, 0]
    weight = torch.ones(3, dtype=torch.float64, requires_grad=True)
    logprobs = torch.nn.functional.logsigmoid(features @ weight)
    chosen = list(places)
    rows = Rows(
        logprobs_BT=logprobs[chosen],
        mask_BT=mask[chosen],
        advantages_B=advantages[chosen],
        roles=[roles[place] for place in chosen],
        episode_tokens=[counts[place] for place in chosen],
        sampler_BT=logprobs.detach()[chosen] - 0.1,
    )
    denominators = {DESIGNER: Denominator(7, 2), AGENT: Denominator(6, 2)}
    found = policy_loss(LossSpec(max_length=5, loss=loss), rows, denominators, {DESIGNER: 3.0})
    return torch.autograd.grad(found.loss * ranks, weight)[0]


def rank(number: int, folder: str) -> None:
    """One process: its rows, then the mean over ranks."""
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=number, world_size=RANKS)
    means = []
    for loss in LOSSES:
        mean = gradient(loss, PLACES[number], RANKS)
        dist.all_reduce(mean)
        means.append(mean / RANKS)
    if number == 0:
        torch.save(torch.stack(means), f"{folder}/means.pt")
    dist.destroy_process_group()


@pytest.mark.skipif(not dist.is_available() or not dist.is_gloo_available(), reason="this PyTorch has no gloo")
def test_two_ranks_are_one_batch(tmp_path: Path) -> None:
    torch.multiprocessing.spawn(rank, (str(tmp_path),), nprocs=RANKS)
    means = torch.load(tmp_path / "means.pt")
    for mean, loss in zip(means, LOSSES, strict=True):
        whole = gradient(loss, tuple(range(6)), 1)
        assert whole.abs().max() > 0.01
        assert (mean - whole).abs().max() < 1e-15
