"""From trajectories of two roles to the batch of one optimizer step, and from there to micro-batches and ranks.

Denominators are counted here, over the whole step, and go along unchanged into every part: so one batch, ``k``
micro-batches and ``k`` ranks are the same step, up to rounding.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from ..types import Trajectory
from .config import TrainSection
from .steps import AGENT, DESIGNER, ROLES, Denominator, StepBatch
from .trajectories import (
    CUT_ENDS,
    MISSING_ENDS,
    TrajectoryError,
    checked,
    inert,
    is_inert,
    of_role,
    scaled,
    trained_episodes,
    trained_tokens,
    version_of,
)

SHORTEST = 2
"""Tokens of an inert trajectory: one that predicts, one that is predicted."""


def build_batch(
    agent: Sequence[Trajectory],
    designer: Sequence[Trajectory],
    section: TrainSection,
    weight: float,
    version: int,
    *,
    overlong: str = "keep",
    scale: float = 1.0,
    stretch: bool = False,
    split_groups: bool = False,
) -> StepBatch:
    """Choose what one optimizer step is trained on.

    In this order what has no outcome is left out, what is stale, agent's episodes that were cut off (``overlong =
    "mask"``), groups without signal (``drop_zero_variance``), and what is more than ``section.batch``: the designer's
    are kept first, and of the rest whole groups in order, each that still fits. Then inert ones fill it up.

    Args:
        agent: the agent's trajectories, with their advantages.
        designer: the designer's, likewise; of any policy version that is not stale.
        section: ``batch``, ``max_staleness`` and ``drop_zero_variance`` are looked at.
        weight: factor of the designer's loss; 0 says that ``scale`` is used in its place, and makes it 1.
        version: policy version that the step starts from.
        overlong: ``[play] overlong``; ``penalise`` is seen to where outcomes become rewards.
        scale: factor of the designer's rewards and advantages (SPADE: ``min(n_agent / n_designer * interval, 50)``).
        stretch: whether padding multiplies the real rewards and advantages by ``batch / real``, as SPADE's code does
            for a loss that is a mean over all trajectories, inert ones too. Not needed with denominators of ours.
        split_groups: whether a group that does not fit gives the episodes that do. Its advantages then no longer sum
            to what they were computed for.

    Raises:
        TrajectoryError: for a trajectory that is not fit to train on, without an advantage, of a later version than
            ``version``, or listed under the wrong role.
        ValueError: for a negative ``weight``, or a ``scale`` not above 0.
    """
    if weight < 0 or scale <= 0:
        raise ValueError(f"The designer's weight is {weight}, its scale {scale}; 0 or more, and above 0.")
    given = {DESIGNER: designer, AGENT: agent}
    left_out: Counter[str] = Counter()
    kept = [one for role in ROLES for one in _fit(given[role], role, version, section, overlong, left_out)]
    silent = _silent_groups(kept)
    if section.drop_zero_variance:
        kept = _without(kept, lambda one: (one.role, one.group) in silent, "zero_variance", left_out)
    if section.batch:
        kept = _within(kept, section.batch, left_out, split_groups=split_groups)
    padding = max(section.batch - len(kept), 0) if kept else 0
    factor = section.batch / len(kept) if stretch and padding else 1.0
    kept = [scaled(one, factor * (scale if one.role == DESIGNER else 1.0)) for one in kept]
    return StepBatch(
        trajectories=(*kept, *[inert(one, SHORTEST) for one in kept[:1]] * padding),
        denominators=denominators(kept),
        weights={DESIGNER: weight or 1.0, AGENT: 1.0},
        padding=padding,
        dropped=dict(left_out),
        zero_variance=dict(Counter(role for role, _ in sorted(silent))),
    )


def denominators(trajectories: Iterable[Trajectory]) -> dict[str, Denominator]:
    """What each role's loss is divided by; a role without trained tokens is not there."""
    every = list(trajectories)
    counted = {
        role: Denominator(tokens=trained_tokens(own), episodes=trained_episodes(own))
        for role in ROLES
        if (own := of_role(every, role))
    }
    return {role: denominator for role, denominator in counted.items() if denominator.tokens}


# -- what is left out ------------------------------------------------------------------------------------------


def _fit(
    trajectories: Sequence[Trajectory],
    role: str,
    version: int,
    section: TrainSection,
    overlong: str,
    left_out: Counter[str],
) -> list[Trajectory]:
    """Those of one role that may be trained on, all of them checked."""
    for one in trajectories:
        checked(one)
        if one.role != role:
            raise TrajectoryError(f"Trajectory {one.episode_id!r} is the {one.role}'s, but listed as the {role}'s.")
        if version_of(one) > version:
            raise TrajectoryError(
                f"Trajectory {one.episode_id!r} is of policy version {one.policy_version}, later than {version}, "
                "which the step starts from: versions are mixed up."
            )
    kept = _without(trajectories, lambda one: one.stop_reason in MISSING_ENDS, "missing", left_out)
    for one in kept:
        if one.advantage is None:
            raise TrajectoryError(
                f"Trajectory {one.episode_id!r} ({role}) has no advantage; compute them over whole groups first."
            )
    kept = _without(kept, lambda one: version - version_of(one) > section.max_staleness, "stale", left_out)
    if role == AGENT and overlong == "mask":
        kept = _without(kept, lambda one: one.stop_reason in CUT_ENDS, "overlong", left_out)
    return kept


def _without(
    trajectories: Iterable[Trajectory], unwanted: Callable[[Trajectory], bool], why: str, left_out: Counter[str]
) -> list[Trajectory]:
    """Those that are wanted; the others are counted."""
    kept = []
    for one in trajectories:
        if unwanted(one):
            left_out[why] += 1
        else:
            kept.append(one)
    return kept


def _silent_groups(trajectories: Sequence[Trajectory]) -> set[tuple[str, str]]:
    """Role and name of groups whose advantages are all exactly 0."""
    heard = {(one.role, one.group) for one in trajectories if one.advantage}
    return {(one.role, one.group) for one in trajectories} - heard


def _within(
    trajectories: Sequence[Trajectory], most: int, left_out: Counter[str], *, split_groups: bool
) -> list[Trajectory]:
    """At most so many: whole groups in order, each that still fits."""
    groups: dict[tuple[str, str], list[int]] = {}
    for place, one in enumerate(trajectories):
        groups.setdefault((one.role, one.group), []).append(place)
    chosen: set[int] = set()
    for places in groups.values():
        for part in _episodes(trajectories, places) if split_groups else [places]:
            if len(chosen) + len(part) <= most:
                chosen.update(part)
    if len(trajectories) > len(chosen):
        left_out["quota"] += len(trajectories) - len(chosen)
    return [one for place, one in enumerate(trajectories) if place in chosen]


def _episodes(trajectories: Sequence[Trajectory], places: Iterable[int]) -> list[list[int]]:
    """Places by episode, in order of each one's first."""
    found: dict[tuple[str, str], list[int]] = {}
    for place in places:
        found.setdefault((trajectories[place].role, trajectories[place].episode_id), []).append(place)
    return list(found.values())


# -- parts of a batch ------------------------------------------------------------------------------------------


def split(batch: StepBatch, micro_tokens: int) -> list[StepBatch]:
    """Micro-batches of at most ``micro_tokens`` tokens each, padding to the longest included; longest first.

    Every trajectory is in one of them, trajectories of one episode in the same one (their loss may be a mean over the
    episode), and one that is longer than ``micro_tokens`` has one to itself. The denominators stay those of the step.
    """
    if micro_tokens < 1:
        raise ValueError(f"A micro-batch has at least one token, not {micro_tokens}.")
    parts: list[list[int]] = []
    width = 0
    for unit in _units(batch):
        if not parts or width * (len(parts[-1]) + len(unit)) > micro_tokens:
            parts.append([])
            width = max(_lengths(batch, unit))  # units come longest first
        parts[-1] += unit
    return [_part(batch, part) for part in parts]


def shard(batch: StepBatch, ranks: int) -> list[StepBatch]:
    """Exactly ``ranks`` batches with about as many tokens each; one may be empty. Otherwise as :func:`split`."""
    if ranks < 1:
        raise ValueError(f"There is at least one rank, not {ranks}.")
    parts: list[list[int]] = [[] for _ in range(ranks)]
    load = [0] * ranks
    for unit in _units(batch):
        lightest = min(range(ranks), key=lambda rank: (load[rank], len(parts[rank]), rank))
        parts[lightest] += unit
        load[lightest] += sum(_lengths(batch, unit))
    return [_part(batch, part) for part in parts]


def _units(batch: StepBatch) -> list[list[int]]:
    """Places that stay together, longest first; inert ones each alone."""
    real: list[int] = []
    padding: list[int] = []
    for place, one in enumerate(batch.trajectories):
        (padding if is_inert(one) else real).append(place)
    units = _episodes(batch.trajectories, real) + [[place] for place in padding]
    return sorted(units, key=lambda unit: (-max(_lengths(batch, unit)), unit[0]))


def _lengths(batch: StepBatch, places: Iterable[int]) -> list[int]:
    return [len(batch.trajectories[place].token_ids) for place in places]


def _part(batch: StepBatch, places: Iterable[int]) -> StepBatch:
    chosen = tuple(batch.trajectories[place] for place in sorted(places))
    # What was left out is told once, by the whole batch: parts may be summed up.
    return dataclasses.replace(
        batch, trajectories=chosen, padding=sum(map(is_inert, chosen)), dropped=_NOTHING, zero_variance=_NOTHING
    )


_NOTHING: Mapping[str, int] = {}
