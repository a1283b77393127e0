"""slime (and miles, which has the same flags): a rollout function that gives samples with advantages of ours.

With ``--disable-rewards-normalization`` a sample's reward is its advantage, for each of its tokens. slime's own loss is
a mean over episodes, inert ones included.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Sequence
from typing import Any

from ..selfplay.batch import build_batch
from ..selfplay.config import TrainSection
from ..selfplay.failures import ConfigError, TrainingError
from ..selfplay.steps import AGENT, DESIGNER
from ..selfplay.trajectories import CUT_ENDS, is_inert, of_role, scaled, trained_tokens, version_of
from ..types import Trajectory
from .collecting import Collecting, Collector, advantage_of, check_temperature, numbered, prompt_length

Row = dict[str, Any]
ESTIMATORS = ("grpo", "gspo", "cispo")
"""Those that take a sample's reward for the advantage of each of its tokens."""


def to_slime(trajectory: Trajectory, index: int, episode: int, group: int) -> Row:
    """Fields of a slime ``Sample``: ``loss_mask`` and ``rollout_log_probs`` are as long as the response.

    ``status`` is the text that its ``Sample.Status`` is made from, ``rollout_id`` the number of the episode, which its
    loss averages over.

    Raises:
        TrajectoryError: when it is not fit to train on, or has no advantage.

    >>> from spade_envs.selfplay.trajectories import EXAMPLE
    >>> row = to_slime(EXAMPLE, index=0, episode=0, group=0)
    >>> row["response_length"], row["loss_mask"], row["reward"]
    (3, [1, 1, 0], 0.5)
    """
    cut = prompt_length(trajectory)
    return {
        "index": index,
        "group_index": group,
        "rollout_id": episode,
        "tokens": list(trajectory.token_ids),
        "response_length": len(trajectory.token_ids) - cut,
        "loss_mask": list(trajectory.loss_mask[cut:]),
        "rollout_log_probs": list(trajectory.sampler_logprobs[cut:]),
        "reward": advantage_of(trajectory),
        "weight_versions": [trajectory.policy_version],
        "status": "truncated" if trajectory.stop_reason in CUT_ENDS else "completed",
        "metadata": {"raw_reward": trajectory.reward, "role": trajectory.role, "group": trajectory.group},
    }


def rows_of(trajectories: Sequence[Trajectory]) -> list[Row]:
    """Those of one step, numbered; each inert one is an episode of its own."""
    names = [f"{place}" if is_inert(one) else f"{one.role} {one.episode_id}" for place, one in enumerate(trajectories)]
    groups = numbered(f"{one.role} {one.group}" for one in trajectories)
    return [
        to_slime(one, place, episode, group)
        for place, (one, episode, group) in enumerate(zip(trajectories, numbered(names), groups, strict=True))
    ]


def sample_of(kind: Any, row: Row) -> Any:
    """A ``Sample`` of whatever version is installed, from what :func:`to_slime` gives.

    Episodes are told by ``rollout_id`` where the class has it, else by ``group_id``, as in versions before; other
    fields that it does not have are left out.
    """
    names = {one.name for one in dataclasses.fields(kind)}
    episode = "rollout_id" if "rollout_id" in names else "group_id"
    values = {**row, "status": kind.Status(row["status"]), episode: row["rollout_id"]}
    return kind(**{name: value for name, value in values.items() if name in names})


def fitted(
    trajectories: Sequence[Trajectory], episodes: int, weight: float, max_staleness: int
) -> tuple[Trajectory, ...]:
    """Trajectories of exactly so many episodes, which is what slime counts: designer first, whole groups left out.

    Inert ones take the place of what lacks, and then real advantages are multiplied by all / real, since slime's mean
    counts inert ones too (as SPADE's code does). Without any trajectory there is nothing to give.
    """
    parts: dict[tuple[str, str], list[Trajectory]] = {}
    for one in trajectories:
        parts.setdefault((one.role, one.episode_id), []).append(one)
    firsts = [part[0] for part in parts.values()]
    section = TrainSection(batch=episodes, max_staleness=max_staleness)
    version = max((version_of(one) for one in trajectories), default=0)
    batch = build_batch(of_role(firsts, AGENT), of_role(firsts, DESIGNER), section, 1.0, version)
    real = [one for one in batch.trajectories if not is_inert(one)]
    stretch = episodes / len(real) if real else 1.0
    kept = [
        scaled(sibling, stretch * (weight if one.role == DESIGNER else 1.0))
        for one in real
        for sibling in parts[one.role, one.episode_id]
    ]
    return (*kept, *batch.trajectories[len(real) :])


def rollout_function(
    collector: Collector, *, designer_weight: float = 1.0, max_staleness: int = 8
) -> Callable[..., Any]:
    """Give what ``--rollout-function-path`` names: write ``generate = rollout_function(...)`` into a module of yours.

    A step has ``--global-batch-size`` episodes, as :func:`fitted` chooses them. Evaluation answers nothing.

    Raises:
        ConfigError: by the function, when slime is not installed or its flags would change advantages.
        TrainingError: by the function, when nothing was collected: slime has no steps without samples.
    """
    collecting: list[Collecting] = []

    def generate(args: Any, rollout_id: int, data_source: Any, evaluation: bool = False) -> Any:
        base, types = _slime()
        if evaluation:
            return base.RolloutFnEvalOutput(data={})
        check_flags(args)
        if not collecting:
            collecting.append(Collecting(collector))
        found = collecting[0].collect()
        check_temperature(found, args.rollout_temperature, "--rollout-temperature")
        chosen = fitted(found, args.global_batch_size, designer_weight, max_staleness)
        if not chosen:
            raise TrainingError(f"Step {rollout_id}: nothing was collected that could be trained on.")
        samples = [sample_of(types.Sample, row) for row in rows_of(chosen)]
        metrics = {
            "spade/collected": len(found),
            "spade/trained": sum(not is_inert(one) for one in chosen),
            "spade/trained_tokens": trained_tokens(chosen),
        }
        return base.RolloutFnTrainOutput(samples=[[one] for one in samples], metrics=metrics)

    return generate


def check_flags(args: Any) -> None:
    """See that slime takes rewards for advantages.

    Raises:
        ConfigError: naming the flags to change.
    """
    wrong = []
    if getattr(args, "rewards_normalization", True):
        wrong.append("give --disable-rewards-normalization")
    if args.advantage_estimator not in ESTIMATORS:
        wrong.append(f"give --advantage-estimator {' or '.join(ESTIMATORS)}")
    if getattr(args, "normalize_advantages", False):
        wrong.append("leave --normalize-advantages out")
    if wrong:
        raise ConfigError(f"slime would not train on these advantages as they are: {', '.join(wrong)}.")


def _slime() -> tuple[Any, Any]:
    try:
        return importlib.import_module("slime.rollout.base_types"), importlib.import_module("slime.utils.types")
    except ImportError as error:
        # The package of that name on PyPI is about something else.
        raise ConfigError("slime is not installed: install it from its repository, not from PyPI.") from error
