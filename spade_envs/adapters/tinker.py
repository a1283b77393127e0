"""Tinker: a service that holds the weights. A trajectory becomes a ``Datum``, shifted by one.

Its losses are sums over tokens, so what a role's loss is divided by goes into the advantages. There is no mask: tokens
with advantage 0 train nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..selfplay.failures import ConfigError
from ..selfplay.steps import StepBatch
from ..selfplay.trajectories import is_inert
from ..types import Trajectory
from .collecting import advantage_of, check_temperature, per_token


@dataclass(frozen=True)
class Datum:
    """What a ``tinker.Datum`` holds; all four are one shorter than the trajectory.

    Place ``i`` of the input predicts place ``i + 1`` of the trajectory, which is place ``i`` of the other three.
    """

    input_tokens: list[int]
    target_tokens: list[int]
    logprobs: list[float]
    advantages: list[float]


def to_tinker(trajectory: Trajectory, factor: float = 1.0) -> Datum:
    """Shift a trajectory by one.

    Args:
        trajectory: at least two tokens.
        factor: of its advantage, which becomes one number per target, 0.0 where the policy did not sample it.

    Raises:
        TrajectoryError: when it is not fit to train on, or has no advantage.

    >>> from spade_envs.selfplay.trajectories import EXAMPLE
    >>> to_tinker(EXAMPLE).target_tokens, to_tinker(EXAMPLE).advantages
    ([8, 9, 10, 11], [0.0, 0.5, 0.5, 0.0])
    """
    advantages = per_token(trajectory, advantage_of(trajectory) * factor)
    return Datum(
        input_tokens=list(trajectory.token_ids[:-1]),
        target_tokens=list(trajectory.token_ids[1:]),
        logprobs=list(trajectory.sampler_logprobs[1:]),
        advantages=advantages[1:],
    )


def data(batch: StepBatch) -> list[Datum]:
    """A whole step: each role's loss is its sum over tokens, times its weight, divided by its tokens.

    Inert trajectories are left out, since nothing asks for a batch of one size.
    """
    return [
        to_tinker(one, batch.weights[one.role] / batch.denominators[one.role].tokens)
        for one in batch.trajectories
        if not is_inert(one) and any(one.loss_mask)
    ]


def step(client: Any, batch: StepBatch, adam: Any, loss: str = "importance_sampling") -> Any:
    """Take one optimizer step with a ``TrainingClient``; what its ``forward_backward`` answers.

    Args:
        client: ``ServiceClient().create_lora_training_client(...)``.
        batch: as :func:`~spade_envs.selfplay.batch.build_batch` makes it.
        adam: ``tinker.AdamParams``.
        loss: ``importance_sampling``, ``ppo`` or ``cispo``.

    Raises:
        ConfigError: when tinker is not installed, or something was sampled at another temperature than 1: the service
            divides logits by nothing.
    """
    check_temperature(batch.trajectories, 1.0, "Tinker's temperature when it trains")
    sent = client.forward_backward(as_tinker(data(batch)), loss)
    done = client.optim_step(adam)
    answer = sent.result()
    done.result()
    return answer


def as_tinker(forms: Sequence[Datum]) -> list[Any]:
    """The same as objects of the ``tinker`` package.

    Raises:
        ConfigError: when it is not installed.
    """
    try:
        import tinker
    except ImportError as error:
        raise ConfigError("Tinker is not installed: pip install tinker.") from error
    return [
        tinker.Datum(
            model_input=tinker.ModelInput.from_ints(form.input_tokens),
            loss_fn_inputs={
                "target_tokens": tinker.TensorData(
                    data=form.target_tokens, dtype="int64", shape=[len(form.target_tokens)]
                ),
                "logprobs": tinker.TensorData(data=form.logprobs, dtype="float32", shape=[len(form.logprobs)]),
                "advantages": tinker.TensorData(data=form.advantages, dtype="float32", shape=[len(form.advantages)]),
            },
        )
        for form in forms
    ]
