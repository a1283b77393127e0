"""Record what verl's core functions give on small tensors, for test_verl_losses.py.

    python tests/training/record_verl.py FOLDER VERSION

FOLDER is where a wheel of verl was unpacked (``pip download --no-deps verl==VERSION``, then unzip it). Its modules
``trainer/ppo/core_algos.py`` and ``trainer/ppo/rollout_corr_helper.py`` are loaded as they are; what they import from
the rest of verl, which needs Ray and a GPU, is replaced: configurations by plain objects, masked sums and means by the
two lines below. All tensors are float64.
"""

from __future__ import annotations

import importlib.util
import json
import random
import sys
import types
from pathlib import Path
from typing import Any

import torch

ROWS, LENGTH = 6, 10
OUT = Path(__file__).with_name("verl_numbers.json")

CASES: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("vanilla", "token-mean", "none", {"loss": "dapo", "delta": 3.0}),
    ("vanilla", "seq-mean-token-mean", "none", {"loss": "grpo", "delta": 3.0}),
    ("vanilla", "seq-mean-token-sum-norm", "none", {"loss": "dr_grpo", "delta": 3.0}),
    ("vanilla", "token-mean", "token_truncate", {"loss": "bnpo", "delta": 3.0}),
    ("vanilla", "seq-mean-token-mean", "sequence_truncate", {"loss": "grpo", "delta": 3.0}),
    ("vanilla", "token-mean", "token_mask", {"loss": "dapo", "delta": 3.0}),
    ("gspo", "seq-mean-token-mean", "none", {"loss": "grpo", "level": "sequence"}),
    ("gspo", "token-mean", "none", {"loss": "dapo", "level": "sequence"}),
    ("cispo", "token-mean", "none", {"loss": "cispo", "eps_low": 1.0}),
    ("cispo", "token-mean", "sequence_mask", {"loss": "cispo", "eps_low": 1.0}),
)
"""verl's loss, its aggregation, the correction, and our names for them."""


def masked_sum(values: torch.Tensor, mask: torch.Tensor, axis: int | None = None) -> torch.Tensor:
    """Where the mask is 0 nothing is added, not even what is no number."""
    kept = torch.where(mask.bool(), values, torch.zeros_like(values)) * mask
    return kept.sum() if axis is None else kept.sum(dim=axis)


def masked_mean(values: torch.Tensor, mask: torch.Tensor, axis: int | None = None) -> torch.Tensor:
    """For metrics only."""
    return masked_sum(values, mask, axis) / (masked_sum(mask, mask, axis) + 1e-8)


class ActorConfig:
    """What the losses read."""

    clip_ratio = 0.2
    clip_ratio_high = 0.28
    global_batch_info: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, low: float) -> None:
        self.clip_ratio_low = low

    def get(self, name: str, otherwise: object = None) -> object:
        """As of a mapping."""
        return {"clip_ratio_c": 3.0}.get(name, otherwise)


def load(folder: Path, name: str) -> Any:
    """One module of verl, among stand-ins for the rest."""
    stand_ins: dict[str, dict[str, Any]] = {
        "omegaconf": {"DictConfig": dict},
        "verl": {},
        "verl.protocol": {"DataProto": object},
        "verl.trainer": {},
        "verl.trainer.config": {"AlgoConfig": type("AlgoConfig", (), {})},
        "verl.trainer.config.algorithm": {"RolloutCorrectionConfig": object},
        "verl.utils": {"as_torch_index": None, "group_mean_std": None},
        "verl.utils.import_utils": {"deprecated": lambda *_: lambda function: function},
        "verl.utils.torch_functional": {"masked_sum": masked_sum, "masked_mean": masked_mean},
        "verl.workers": {},
        "verl.workers.config": {"ActorConfig": ActorConfig},
        "verl.workers.config.actor": {"PolicyLossConfig": object},
    }
    for path, values in stand_ins.items():
        module = sys.modules[path] = types.ModuleType(path)
        module.__dict__.update(values)
        parent, _, child = path.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, module)
    spec = importlib.util.spec_from_file_location(name, folder / "verl" / "trainer" / "ppo" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def inputs() -> dict[str, list[Any]]:
    """Tensors as lists: one row is fully masked, some ratios lie beyond every clip."""
    draw = random.Random(7)

    def noise(size: float, shift: float = 0.0) -> list[list[float]]:
        return [[round(shift + draw.gauss(0, size), 6) for _ in range(LENGTH)] for _ in range(ROWS)]

    logprobs = noise(0.5, -2.0)
    moved = [[[a + b for a, b in zip(*rows, strict=True)] for rows in zip(logprobs, noise(0.9), strict=True)]]
    return {
        "logprobs": logprobs,
        "old": moved[0],
        "sampler": [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(moved[0], noise(0.4), strict=True)],
        "reference": noise(0.5, -2.0),
        "mask": [[float(row != 4 and draw.random() < 0.7) for _ in range(LENGTH)] for row in range(ROWS)],
        "advantages": [round(draw.gauss(0, 1), 6) for _ in range(ROWS)],
    }


def correction(helper: Any, given: dict[str, torch.Tensor], mode: str) -> torch.Tensor | None:
    """verl's weights of the learner against the sampler, capped at 1.5."""
    if mode == "none":
        return None
    level, _, how = mode.partition("_")
    threshold = 1.5 if how == "truncate" else "1e-9_1.5"
    log_ratio = given["old"] - given["sampler"]
    weights: torch.Tensor = helper.compute_rollout_correction_weights(log_ratio, given["mask"], level, threshold)[0]
    return weights


def main() -> None:
    """Write the numbers beside this file."""
    import numpy

    folder, version = Path(sys.argv[1]), sys.argv[2]
    core, helper = load(folder, "core_algos"), load(folder, "rollout_corr_helper")
    lists = inputs()
    given = {name: torch.tensor(values, dtype=torch.float64) for name, values in lists.items()}
    cases = []
    for loss, aggregation, mode, ours in CASES:
        logprobs = given["logprobs"].clone().requires_grad_()
        spread = given["advantages"].unsqueeze(1).expand(ROWS, LENGTH)
        function = getattr(core, f"compute_policy_loss_{loss}")
        config, weights = ActorConfig(ours.get("eps_low", 0.2)), correction(helper, given, mode)
        value, _ = function(given["old"], logprobs, spread, given["mask"], aggregation, config, weights)
        value.backward()
        assert logprobs.grad is not None
        spec = {"correction": mode, "correction_cap": 1.5, "max_length": LENGTH, **ours}
        cases.append({"verl": [loss, aggregation], "spec": spec, "loss": value.item(), "grad": logprobs.grad.tolist()})
    rewards, groups = [1.0, 0.0, 0.0, 1.0, 0.5, 0.25, 0.7, 0.1], ["a", "a", "a", "a", "b", "c", "d", "d"]
    scores = torch.tensor(rewards, dtype=torch.float64).unsqueeze(1)
    advantages = core.compute_grpo_outcome_advantage(scores, torch.ones_like(scores), numpy.array(groups))[0]
    k3 = core.kl_penalty_forward(given["logprobs"], given["reference"], "k3")
    numbers = {
        "verl": version,
        "inputs": lists,
        "cases": cases,
        "k3": k3.tolist(),
        "grpo": {"rewards": rewards, "groups": groups, "advantages": advantages[:, 0].tolist()},
    }
    OUT.write_text(json.dumps(numbers) + "\n", "utf-8")


if __name__ == "__main__":
    main()
