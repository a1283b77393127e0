"""Designer samples that wait: what an environment is worth shows while it is played for some cycles.

SPADE trains a design several cycles after it was written, with a reward that has seen every play until then (its code
loses the last ones of a run; :meth:`DesignerBuffer.flush` is for those). The older policy that wrote it is corrected
for by truncated importance weights, since its log-probabilities stay as they were sampled.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import codec
from ..types import Trajectory
from .evidence import Design, Evidence
from .steps import DESIGNER
from .trajectories import TrajectoryError, checked

Pay = Callable[[Sequence[Evidence]], Sequence[float | None]]
"""Rewards of designs that were written in one cycle, in order; ``None`` for one that is no sample."""


@dataclass(frozen=True)
class DesignSample:
    """One reply of the designer that waits for its reward."""

    trajectory: Trajectory
    """Its reward is overwritten, its advantage missing (``None``)."""
    evidence: Evidence
    env: str
    """Whose plays count for it; empty where no environment came of it."""


@dataclass(frozen=True)
class Due:
    """Designs of one cycle, paid."""

    cycle: int
    """When they were written."""
    samples: tuple[DesignSample, ...]
    """Each trajectory with its reward, without an advantage: those are computed over this batch."""
    unpaid: int = 0
    """Replies that are no sample."""


@dataclass(frozen=True)
class Waiting:
    """Designs of one cycle, not paid yet."""

    cycle: int
    samples: tuple[DesignSample, ...]


@dataclass(frozen=True)
class DesignerBuffer:
    """Designs that wait. Never changed: every method returns the next state.

    Cycle by cycle: :meth:`played` for what was played again, :meth:`add` for what was designed, :meth:`pop` for what is
    trained on; after the last one, :meth:`flush`. Without a delay :meth:`pop` gives back what :meth:`add` took.

    Raises:
        ValueError: for a delay that is no multiple of the interval: such designs would come due in cycles without any,
            where the paper's code never looks.
    """

    delay: int
    """Cycles from writing to training."""
    interval: int = 1
    """Cycles between designs."""
    waiting: tuple[Waiting, ...] = ()
    """Oldest first."""

    def __post_init__(self) -> None:
        if self.interval < 1 or self.delay < 0 or self.delay % self.interval:
            raise ValueError(
                f"Designs that come every {self.interval} cycles cannot wait {self.delay}: "
                "the delay is 0 or a multiple of the interval, and the interval at least 1."
            )

    def __len__(self) -> int:
        return sum(len(batch.samples) for batch in self.waiting)

    def add(self, cycle: int, samples: Sequence[DesignSample]) -> DesignerBuffer:
        """Let the designs of a cycle wait.

        Raises:
            TrajectoryError: for a trajectory that is not the designer's, or not fit to train on.
            ValueError: when ``cycle`` is not later than that of every design that waits.
        """
        if self.waiting and cycle <= self.waiting[-1].cycle:
            raise ValueError(f"Designs of cycle {cycle} come after those of cycle {self.waiting[-1].cycle}.")
        for sample in samples:
            checked(sample.trajectory)
            if sample.trajectory.role != DESIGNER:
                raise TrajectoryError(f"Trajectory {sample.trajectory.episode_id!r} is not the designer's.")
        if not samples:
            return self
        return dataclasses.replace(self, waiting=(*self.waiting, Waiting(cycle, tuple(samples))))

    def played(self, cycle: int, outcomes: Mapping[str, Sequence[float | None]]) -> DesignerBuffer:
        """Note plain outcomes of a cycle, by environment. Those that no waiting design is about are passed over.

        Raises:
            ValueError: for an outcome outside [-1, 1], or for plays of the cycle that wrote the design: they are in its
                evidence already.
        """
        for env, values in outcomes.items():
            if any(value is not None and not -1 <= value <= 1 for value in values):
                raise ValueError(f"An outcome of {env} is outside [-1, 1]: {list(values)}.")
        return self._changed(lambda sample, designed: _seen(sample, designed, cycle, outcomes))

    def failed(self, env: str, design: Design) -> DesignerBuffer:
        """Note that an environment turned out ``FAULTY`` or ``HUNG`` while it was played again: it is paid as such."""
        return self._changed(lambda sample, _: _with(sample, design=design) if env and sample.env == env else sample)

    def _changed(self, change: Callable[[DesignSample, int], DesignSample]) -> DesignerBuffer:
        """Every design that waits, changed; ``change`` is given the cycle that wrote it as well."""
        batches = (
            Waiting(batch.cycle, tuple(change(sample, batch.cycle) for sample in batch.samples))
            for batch in self.waiting
        )
        return dataclasses.replace(self, waiting=tuple(batches))

    def pop(self, cycle: int, pay: Pay) -> tuple[DesignerBuffer, tuple[Due, ...]]:
        """Take out what is due in ``cycle``, paid by all that is known by now; oldest first, one for each cycle.

        Raises:
            ValueError: when ``pay`` gives a number that is not finite, or not as many as there are designs.
        """
        due = [batch for batch in self.waiting if batch.cycle + self.delay <= cycle]
        left = dataclasses.replace(self, waiting=self.waiting[len(due) :])
        return left, tuple(_paid(batch, pay) for batch in due)

    def flush(self, pay: Pay) -> tuple[DesignerBuffer, tuple[Due, ...]]:
        """Take out everything, at the end of a run; otherwise as :meth:`pop`."""
        return dataclasses.replace(self, waiting=()), tuple(_paid(batch, pay) for batch in self.waiting)

    def to_json(self) -> str:
        """The whole state; :meth:`from_json` gives it back, floats bit by bit."""
        return json.dumps(codec.to_json(self), allow_nan=False, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> DesignerBuffer:
        """Take up a state again.

        Raises:
            ValueError: when it is none.
        """
        return codec.from_json(DesignerBuffer, json.loads(text))


def _seen(
    sample: DesignSample, designed: int, cycle: int, outcomes: Mapping[str, Sequence[float | None]]
) -> DesignSample:
    if not sample.env or sample.env not in outcomes:
        return sample
    if designed >= cycle:
        raise ValueError(f"{sample.env} was designed in cycle {designed}; plays of cycle {cycle} are not later ones.")
    return _with(sample, later=(*sample.evidence.later, tuple(outcomes[sample.env])))


def _with(sample: DesignSample, **changes: Any) -> DesignSample:
    return dataclasses.replace(sample, evidence=dataclasses.replace(sample.evidence, **changes))


def _paid(batch: Waiting, pay: Pay) -> Due:
    rewards = list(pay([sample.evidence for sample in batch.samples]))
    if len(rewards) != len(batch.samples):
        raise ValueError(f"{len(rewards)} rewards for {len(batch.samples)} designs of cycle {batch.cycle}.")
    paid = []
    for sample, reward in zip(batch.samples, rewards, strict=True):
        if reward is None:
            continue
        if not math.isfinite(reward):
            raise ValueError(f"The reward of {sample.trajectory.episode_id!r} is {reward}, not a finite number.")
        trajectory = dataclasses.replace(sample.trajectory, reward=reward, advantage=None)
        paid.append(dataclasses.replace(sample, trajectory=trajectory))
    return Due(batch.cycle, tuple(paid), len(batch.samples) - len(paid))
