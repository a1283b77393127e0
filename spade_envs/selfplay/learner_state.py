"""A learner's files: weights as safetensors, the optimizer and the random state as PyTorch writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from ..errors import StoreError

_WEIGHTS, _REFERENCE, _OPTIMIZER, _NUMBERS = (
    "weights.safetensors",
    "reference.safetensors",
    "optimizer.pt",
    "state.json",
)


@dataclass(frozen=True)
class LearnerState:
    """What a learner has beside its weights."""

    policy_version: int
    skipped: int
    """Steps skipped for a gradient that was not finite."""
    optimizer: Mapping[str, Any]
    """State of the optimizer, as PyTorch gives it."""


def write_state(
    folder: Path, weights: Mapping[str, torch.Tensor], reference: Mapping[str, torch.Tensor], state: LearnerState
) -> None:
    """Write everything into ``folder``; whoever calls makes it whole or not there.

    Raises:
        StoreError: when a file cannot be written.
    """
    try:
        save_file({name: values.detach().contiguous() for name, values in weights.items()}, folder / _WEIGHTS)
        if reference:
            save_file({name: values.contiguous() for name, values in reference.items()}, folder / _REFERENCE)
        torch.save({"optimizer": dict(state.optimizer), "random": _random_state()}, folder / _OPTIMIZER)
        numbers = {"policy_version": state.policy_version, "skipped": state.skipped}
        (folder / _NUMBERS).write_text(json.dumps(numbers) + "\n", encoding="utf-8")
    except (OSError, RuntimeError, SafetensorError) as error:
        # PyTorch tells a full disk as RuntimeError.
        raise StoreError(f"cannot write the learner into {folder}: {error}; is there room on the disk?") from error


def read_state(
    folder: Path, weights: Mapping[str, torch.Tensor], reference: Mapping[str, torch.Tensor]
) -> LearnerState:
    """Read weights into the given tensors, set the random state, and return the rest.

    Raises:
        StoreError: when a file cannot be read, or is of another model.
    """
    try:
        _fill(folder / _WEIGHTS, weights)
        if reference:
            _fill(folder / _REFERENCE, reference)
        kept = torch.load(folder / _OPTIMIZER, map_location="cpu", weights_only=True)
        numbers = json.loads((folder / _NUMBERS).read_text(encoding="utf-8"))
        state = LearnerState(int(numbers["policy_version"]), int(numbers["skipped"]), kept["optimizer"])
        _set_random_state(kept["random"])
    except (OSError, RuntimeError, ValueError, KeyError, SafetensorError) as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"cannot read the learner in {folder}: {error}; take another checkpoint") from error
    return state


def _fill(path: Path, weights: Mapping[str, torch.Tensor]) -> None:
    found = load_file(path)
    shapes = {name: tuple(values.shape) for name, values in weights.items()}
    there = {name: tuple(values.shape) for name, values in found.items()}
    if shapes != there:
        name = min(name for name in {*shapes, *there} if shapes.get(name) != there.get(name))
        raise StoreError(
            f"{path} is of another model: {name} is {there.get(name, 'not there')}, not {shapes.get(name, 'there')}; "
            "go on with the model and the lora_rank that the run began with"
        )
    with torch.no_grad():
        for name, values in weights.items():
            values.copy_(found[name])


def _random_state() -> dict[str, Any]:
    return {"cpu": torch.get_rng_state(), "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []}


def _set_random_state(state: Mapping[str, Any]) -> None:
    torch.set_rng_state(state["cpu"])
    if torch.cuda.is_available() and len(state["cuda"]) == torch.cuda.device_count():
        torch.cuda.set_rng_state_all(state["cuda"])
