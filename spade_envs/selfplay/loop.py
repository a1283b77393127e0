"""The cycle of self-play: collect, reward, update, publish, verify, remember, checkpoint.

What a cycle draws is written down before anything follows from it, so that a run that is killed at any point goes on
from its last checkpoint without drawing twice, and ends in the same bits, given a sampler that is deterministic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import StoreError
from .batch import build_batch
from .checkpoint import Checkpoints, LoopState
from .collect import Collector
from .config import Config
from .delay import DesignerBuffer
from .events import CycleBegan, CycleEnded, Phase, Result, Saved, Trouble, Watch
from .failures import TrainingError
from .metrics import MetricsLog, MetricsSink
from .priors import Prior
from .records import Collected
from .remember import Rememberer
from .rewarding import Paid, pay
from .sample_texts import write_samples
from .steps import Learner, WeightSync
from .summary import metrics_of
from .telling import designs_of, episodes_of, events_of
from .trackers import Tracker

MOST_IDLE = 3
"""Cycles that design, in a row, without anything to train on, after which a run stops."""


@dataclass(frozen=True)
class Parts:
    """What a run is made of; whoever makes them closes them."""

    learner: Learner
    sync: WeightSync
    collector: Collector
    rememberer: Rememberer
    checkpoints: Checkpoints
    log: MetricsLog
    sinks: tuple[MetricsSink, ...] = ()


class SelfPlay:
    """One run of self-play.

    Args:
        config: of the run; checked.
        parts: what it is made of.
        state: to begin with; the learner has the weights that belong to it.
        watch: told what happens.
    """

    def __init__(self, config: Config, parts: Parts, state: LoopState, watch: Watch = lambda event: None) -> None:
        self.config, self.parts, self.watch = config, parts, watch
        self.state = state
        """After the last cycle that was finished."""

    async def run(self) -> Result:
        """Run the cycles that are left.

        Raises:
            TrainingError: when the run cannot go on; the last checkpoint is its message's business.
            SandboxError: when this machine cannot isolate sources.
        """
        published = await self.parts.sync.publish()
        await self.parts.sync.verify(published, None)
        while self.state.cycle < self.config.run.cycles:
            self.watch(CycleBegan(self.state.cycle))
            await self.cycle()
            if self.state.idle >= MOST_IDLE * self.config.design.interval:
                self.save()
                raise TrainingError(_idle_text(self.state))
        return self.result("done")

    async def cycle(self) -> None:
        """One cycle: nothing of it counts before all of it is done."""
        state, number, parts = self.state, self.state.cycle, self.parts
        last = number + 1 == self.config.run.cycles
        collected = await self._collected(number)
        paid = pay(collected, self.config, state.prior, state.tracker, state.buffer, last=last)
        batch = build_batch(
            paid.agent,
            paid.designer,
            self.config.train,
            self.config.design.weight,
            parts.learner.policy_version,
            overlong=self.config.play.overlong,
        )
        self.watch(Phase(number, "train", 0, 1))
        update = parts.learner.update(batch)
        self.watch(Phase(number, "publish", 0, 1))
        published = await parts.sync.publish()
        checks = await parts.sync.verify(published, update.metrics.get("gap/mean"))
        self.watch(Phase(number, "remember", 0, 1))
        parts.rememberer.remember(collected, state.living, self.config.design.slots)
        self._told(number, collected, paid)
        metrics = metrics_of(collected, paid, batch, update, checks)
        self._log(number, metrics)
        self.state = following(state, collected, paid, update.policy_version, trained=bool(batch.denominators))
        if last or (number + 1) % self.config.run.checkpoint_every == 0:
            self.save()
        self.watch(CycleEnded(number, metrics))

    async def _collected(self, number: int) -> Collected:
        """What the policy drew: as it was written down before a kill, or drawn now."""
        collected = self.parts.checkpoints.draws(number)
        if collected is not None and collected.policy_version != self.parts.learner.policy_version:
            collected = None  # of other weights: a checkpoint was taken away by hand
        if collected is None:
            collected = await self.parts.collector.collect(number, self.state.living)
            self.parts.checkpoints.write_draws(collected)
        return collected

    # -- what is told and kept -------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write a checkpoint of the last finished cycle; where that fails, the run stops.

        Raises:
            TrainingError: with what to do.
        """
        if self.parts.learner.policy_version != self.state.policy_version:
            return  # in the middle of a cycle: its draws are kept, and the checkpoint before is the one to go on from
        try:
            path = self.parts.checkpoints.save(self.state, self.parts.learner)
        except StoreError as error:
            there = self.parts.checkpoints.newest()
            left = f"the run goes on from {there}" if there else "there is no checkpoint to go on from yet"
            raise TrainingError(f"{error}; {left}, once that is mended (--resume)") from error
        self.watch(Saved(self.state.cycle, path))

    def result(self, stopped: str) -> Result:
        """What the run has come to so far."""
        folder = Path(self.config.run.folder)
        return Result(self.state.cycle, self.state.policy_version, folder, dict(self.state.troubles), stopped)

    def _told(self, number: int, collected: Collected, paid: Paid) -> None:
        """Tell of designs and troubles, and write some out for people to read."""
        for event in events_of(collected, paid):
            self.watch(event)
        run = self.config.run
        designs, episodes = designs_of(collected, paid), episodes_of(collected)
        problem = write_samples(Path(run.folder), number, designs, episodes, count=run.samples, seed=run.seed)
        if problem:
            self.watch(Trouble(number, f"samples: {problem}"))

    def _log(self, number: int, metrics: Mapping[str, float]) -> None:
        """Write numbers down; losing some is told and ends nothing."""
        problem = self.parts.log.write(number, metrics)
        if problem:
            self.watch(Trouble(number, f"metrics: {problem}"))
        for sink in self.parts.sinks:
            try:
                sink.write(number, metrics)
            except OSError as error:
                self.watch(Trouble(number, f"metrics: {type(sink).__name__} lost a line: {error}"))


def beginning(config: Config) -> LoopState:
    """The state before the first cycle."""
    return LoopState(0, 0, (), Prior(), Tracker(), DesignerBuffer(config.design.delay, config.design.interval))


def following(state: LoopState, collected: Collected, paid: Paid, version: int, *, trained: bool) -> LoopState:
    """The state after a cycle.

    Args:
        state: before it.
        collected, paid: the cycle.
        version: of the weights after it.
        trained: whether there was anything to train on; a design that waits is something, too.
    """
    return LoopState(
        cycle=state.cycle + 1,
        policy_version=version,
        living=collected.living,
        prior=paid.prior,
        tracker=paid.tracker,
        buffer=paid.buffer,
        troubles=_sum(state.troubles, collected.troubles),
        idle=0 if trained or paid.buffer.waiting else state.idle + 1,
    )


def _sum(before: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted((Counter(before) + Counter(now)).items()))


def _idle_text(state: LoopState) -> str:
    most = ", ".join(f"{what} {count}" for what, count in Counter(state.troubles).most_common(3)) or "none counted"
    return (
        f"{state.idle} cycles in a row had nothing to train on (troubles so far: {most}); the checkpoint of cycle "
        f"{state.cycle} is written: mend what is wrong and go on with --resume"
    )
