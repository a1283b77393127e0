"""Losses, gradients, KL and advantages are verl's: numbers that its own functions gave (record_verl.py) to 1e-8."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from spade_envs.selfplay.advantages import advantages
from spade_envs.selfplay.losses import LossSpec, Rows, policy_loss
from spade_envs.selfplay.steps import AGENT, Denominator

NUMBERS: dict[str, Any] = json.loads(Path(__file__).with_name("verl_numbers.json").read_text("utf-8"))
GIVEN = {name: torch.tensor(values, dtype=torch.float64) for name, values in NUMBERS["inputs"].items()}


def ours(spec: LossSpec, **given: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    mask = GIVEN["mask"]
    logprobs = GIVEN["logprobs"].clone().requires_grad_()
    # verl leaves fully masked rows out of its mean over sequences, as we do with episodes.
    denominator = Denominator(int(mask.sum()), int((mask.sum(-1) > 0).sum()))
    rows = Rows(
        logprobs_BT=logprobs,
        mask_BT=mask,
        advantages_B=GIVEN["advantages"],
        roles=[AGENT] * len(mask),
        episode_tokens=[int(count) for count in mask.sum(-1)],
        sampler_BT=GIVEN["sampler"],
        old_BT=GIVEN["old"],
        **given,
    )
    loss = policy_loss(spec, rows, {AGENT: denominator}, {}).loss
    return loss, torch.autograd.grad(loss, logprobs)[0]


def test_the_numbers_are_of_this_version() -> None:
    assert NUMBERS["verl"] == "0.9.1"
    assert (GIVEN["mask"].sum(-1) == 0).any()


@pytest.mark.parametrize(
    "case", NUMBERS["cases"], ids=lambda case: "-".join((*case["verl"], case["spec"]["correction"]))
)
def test_loss_and_gradient(case: dict[str, Any]) -> None:
    loss, gradient = ours(LossSpec(**case["spec"]))
    assert loss.item() == pytest.approx(case["loss"], abs=1e-8, rel=0)
    expected = torch.tensor(case["grad"], dtype=torch.float64)
    assert (gradient - expected).abs().max() < 1e-8
    assert expected.abs().max() > 1e-3


def test_k3() -> None:
    """The KL term alone, since no advantage is left."""
    spec = LossSpec(max_length=10, loss="dapo", kl=1.0, correction="none")
    without = LossSpec(max_length=10, loss="dapo", correction="none")
    found = ours(spec, reference_BT=GIVEN["reference"])[0] - ours(without)[0]
    k3, mask = torch.tensor(NUMBERS["k3"], dtype=torch.float64), GIVEN["mask"]
    assert found.item() == pytest.approx(((k3 * mask).sum() / mask.sum()).item(), abs=1e-12)


def test_advantages() -> None:
    recorded = NUMBERS["grpo"]
    found = advantages(recorded["rewards"], recorded["groups"], "verl")
    # For a sample alone verl makes a mean and a standard deviation in float32, whose 1 + 1e-6 is off by 5e-8.
    bounds = [3e-8 if recorded["groups"].count(group) == 1 else 1e-8 for group in recorded["groups"]]
    differences = [abs((mine or 0.0) - other) for mine, other in zip(found, recorded["advantages"], strict=True)]
    assert all(difference <= bound for difference, bound in zip(differences, bounds, strict=True))
