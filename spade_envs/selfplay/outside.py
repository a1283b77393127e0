"""Self-play for an engine that takes the step itself: cycles of trajectories with their advantages, ready to train.

The engine keeps the weights and samples from them; what is drawn, checked, paid and remembered is ours, in the folder
of the run, and goes on from there when the engine takes up a checkpoint of its own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from ..types import Trajectory
from .checkpoint import Checkpoints
from .config import Config
from .events import CycleBegan, CycleEnded, Watch
from .loop import beginning, following
from .metrics import METRICS_FILE, MetricsLog
from .rewarding import pay
from .run_folder import note, settle
from .runs import alone, desks, task_of
from .sampling import Renderer, Sampler
from .steps import StepBatch, Update
from .summary import metrics_of
from .tasks import Task
from .telling import events_of


@dataclass(frozen=True)
class _Engine:
    sampler: Sampler
    renderer: Renderer
    lockstep: bool


class _Elsewhere:
    """The weights are the engine's: nothing of them is in our checkpoints."""

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler

    @property
    def policy_version(self) -> int:
        """Of the weights that the engine samples from."""
        return self._sampler.policy_version

    def update(self, batch: StepBatch) -> Update:
        """Never asked for."""
        raise AssertionError("the engine takes the step")

    def save(self, folder: Path) -> None:
        """Nothing to write."""

    def load(self, folder: Path) -> None:
        """Nothing to read."""


class OutsideCycles:
    """A source of trajectories for ``spade_envs.adapters``; an asynchronous context manager.

    Args:
        config: with ``engine = "external"``; how much is trained at a time is the engine's to say.
        sampler: draws from the engine's newest weights.
        renderer: of the engine's tokenizer.
        lockstep: whether the sampler batches (:meth:`~spade_envs.selfplay.sampling.Sampler.seat`).
        resume: go on with the run in ``run.folder``.
        task: in place of the one that ``design.task`` names.
        watch: told what happens.
    """

    def __init__(
        self,
        config: Config,
        sampler: Sampler,
        renderer: Renderer,
        *,
        lockstep: bool = False,
        resume: bool = False,
        task: Task | None = None,
        watch: Watch = lambda event: None,
    ) -> None:
        self.config, self.watch = config, watch
        self._engine, self._resume, self._task = _Engine(sampler, renderer, lockstep), resume, task
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> OutsideCycles:
        """Open memory, gate and boxes.

        Raises:
            ConfigError, TrainingError, StoreError: as :func:`~spade_envs.selfplay.runs.train`.
        """
        self.config.check()
        folder = settle(self.config, resume=self._resume)
        try:
            self._open(folder)
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    def _open(self, folder: Path) -> None:
        self._stack.enter_context(alone(folder))
        note(self.config)
        task = self._task or task_of(self.config)
        self._collector, self._rememberer = desks(self.config, folder, self._stack, task, self._engine, self.watch)
        self._checkpoints = Checkpoints(folder, self.config.run.keep)
        self._learner = _Elsewhere(self._engine.sampler)
        newest = self._checkpoints.newest()
        self.state = beginning(self.config) if newest is None else self._checkpoints.load(newest, self._learner)
        self._log = MetricsLog(folder / METRICS_FILE, resume_at=self.state.cycle if self._resume else None)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def collect(self) -> Sequence[Trajectory]:
        """One cycle's trajectories of both roles, each with its advantage: those of one optimizer step.

        Raises:
            SandboxError: this machine cannot isolate sources.
            StoreError: when a file of the run cannot be read or written.
        """
        state, number = self.state, self.state.cycle
        self.watch(CycleBegan(number))
        collected = await self._collector.collect(number, state.living)
        last = number + 1 == self.config.run.cycles
        paid = pay(collected, self.config, state.prior, state.tracker, state.buffer, last=last)
        self._rememberer.remember(collected, state.living, self.config.design.slots)
        for event in events_of(collected, paid):
            self.watch(event)
        version = self._learner.policy_version
        metrics = metrics_of(collected, paid, StepBatch((), {}, {}), Update(version, {}), {})
        self._log.write(number, metrics)
        self.state = following(state, collected, paid, version, trained=bool(paid.agent or paid.designer))
        self._checkpoints.save(self.state, self._learner)
        self.watch(CycleEnded(number, metrics))
        return (*paid.designer, *paid.agent)
