"""TRL's ``AsyncGRPOTrainer`` (``trl.experimental.async_grpo``): a rollout worker that gives it what self-play collects.

Advantages travel with each sample there, so nothing is overridden. Its loss is the clipped one over all tokens, with
the sampler's log-probabilities as the old ones, and it drops what is stale. It needs a GPU, so tests see its contract
alone.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..selfplay.failures import ConfigError, TrainingError
from ..selfplay.steps import DESIGNER
from ..selfplay.trajectories import version_of
from ..types import Trajectory
from .collecting import Collector, advantage_of, check_temperature, usable

Row = dict[str, Any]


def to_trl_async(trajectory: Trajectory, group_id: int, weight: float = 1.0) -> Row:
    """Fields of a ``RolloutSample``: whole sequences, unshifted, each array as long as the trajectory.

    Args:
        trajectory: what is trained.
        group_id: a number that trajectories of one group share, and no others.
        weight: factor of the advantage.

    Raises:
        TrajectoryError: when it is not fit to train on, or has no advantage.
    """
    return {
        "prompt": [],
        "completion": [],
        "input_ids": np.asarray(trajectory.token_ids, dtype=np.int64),
        "completion_mask": np.asarray(trajectory.loss_mask, dtype=np.int64),
        "old_log_probs": np.asarray(trajectory.sampler_logprobs, dtype=np.float32),
        "advantage": advantage_of(trajectory) * weight,
        "model_version": version_of(trajectory),
        "group_id": group_id,
        "metrics": {"reward": trajectory.reward, f"rewards/{trajectory.role}": trajectory.reward},
    }


class SelfPlayWorker:
    """TRL's ``RolloutWorkerProtocol``: collects in a thread and fills the queue that the trainer empties.

    Args:
        collector: where trajectories come from.
        temperature: ``AsyncGRPOConfig.temperature``, which the trainer divides logits by.
        designer_weight: factor of the designer's advantages.
        ahead: samples that may wait in the queue before collecting pauses.
        row: makes a sample from its fields; TRL's ``RolloutSample`` when left out.

    Raises:
        ConfigError: when ``row`` is left out and TRL has no ``RolloutSample``.
    """

    def __init__(
        self,
        collector: Collector,
        *,
        temperature: float = 1.0,
        designer_weight: float = 1.0,
        ahead: int = 256,
        row: Any = None,
    ) -> None:
        self.rollout_buffer: queue.Queue[Any] = queue.Queue(maxsize=ahead)
        self.metrics_queue: queue.Queue[dict[str, float]] = queue.Queue()
        self.model_version = 0
        self._collector = collector
        self._temperature = temperature
        self._weight = designer_weight
        self._row = row or _sample_class()
        self._stopped = threading.Event()
        self._failure: BaseException | None = None
        self._alive = time.monotonic()
        self._groups = 0
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to collect."""
        self._thread = threading.Thread(target=self._run, name="spade-envs-worker", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread; what waits in the queue stays there."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def update_model_version(self, model_version: int) -> None:
        """Note which weights the server has now."""
        self.model_version = model_version

    def check_health(self, stale_after_s: float) -> None:
        """See that trajectories still come.

        Raises:
            TrainingError: when collecting failed, or gave nothing for so many seconds while the queue was not full.
        """
        if self._failure is not None:
            raise TrainingError(f"Collecting failed: {self._failure}") from self._failure
        silent = time.monotonic() - self._alive
        if silent > stale_after_s and not self.rollout_buffer.full():
            raise TrainingError(f"Nothing was collected for {silent:.0f} seconds; {stale_after_s:.0f} are allowed.")

    def _run(self) -> None:
        try:
            # One loop for all steps, so that connections live on.
            with asyncio.Runner() as runner:
                while not self._stopped.is_set():
                    self._push(runner.run(self._step()))
        except BaseException as error:
            self._failure = error

    async def _step(self) -> Sequence[Trajectory]:
        return usable(await self._collector.collect())

    def _push(self, trajectories: Sequence[Trajectory]) -> None:
        check_temperature(trajectories, self._temperature, "AsyncGRPOConfig.temperature")
        numbers: dict[tuple[str, str], int] = {}
        for one in trajectories:
            number = numbers.setdefault((one.role, one.group), self._groups + len(numbers))
            row = self._row(**to_trl_async(one, number, self._weight if one.role == DESIGNER else 1.0))
            while not self._stopped.is_set():
                try:
                    self.rollout_buffer.put(row, timeout=0.1)
                    self._alive = time.monotonic()
                    break
                except queue.Full:
                    continue
        self._groups += len(numbers)
        self.metrics_queue.put({"spade/collected": float(len(trajectories))})


def _sample_class() -> Any:
    try:
        from trl.experimental.async_grpo.async_rollout_worker import RolloutSample
    except Exception as error:
        raise ConfigError(f"TRL's asynchronous trainer cannot be imported ({error}): pip install trl.") from error
    return RolloutSample
