"""The rollout worker of TRL's asynchronous trainer, on a stand-in for its sample (trl 1.16.0)."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from spade_envs.adapters.trl_async import SelfPlayWorker
from spade_envs.selfplay.failures import TrainingError
from spade_envs.selfplay.trajectories import EXAMPLE
from spade_envs.types import StopReason, Trajectory

PATIENCE = 30.0


@dataclasses.dataclass(slots=True)
class RolloutSample:
    """Its fields."""

    prompt: Any
    completion: Any
    input_ids: Any
    completion_mask: Any
    old_log_probs: Any
    advantage: float
    model_version: int
    group_id: int
    metrics: dict[str, float]
    enqueued_at: float | None = None


class Endless:
    """Two groups of the agent and one of the designer for each step; fails after ``steps``, if it is given."""

    def __init__(self, steps: int | None = None) -> None:
        self.steps = steps
        self.calls = 0
        self.loops: set[int] = set()

    async def collect(self) -> Sequence[Trajectory]:
        self.loops.add(id(asyncio.get_running_loop()))
        if self.calls == self.steps:
            raise OSError("the server is gone")
        self.calls += 1
        made = [dataclasses.replace(EXAMPLE, group=group) for group in "aab"]
        lost = dataclasses.replace(EXAMPLE, advantage=None, stop_reason=StopReason.DEADLINE)
        return [*made, lost, dataclasses.replace(EXAMPLE, group="a", role="designer")]


def worker(collector: Any, **rest: Any) -> SelfPlayWorker:
    return SelfPlayWorker(collector, row=RolloutSample, **rest)


def take(one: SelfPlayWorker, count: int) -> list[RolloutSample]:
    return [one.rollout_buffer.get(timeout=PATIENCE) for _ in range(count)]


def test_samples_come_with_groups_that_are_never_used_twice() -> None:
    collector = Endless()
    one = worker(collector, designer_weight=4.0)
    one.start()
    samples = take(one, 8)
    one.stop()
    assert [sample.group_id for sample in samples] == [0, 0, 1, 2, 3, 3, 4, 5]
    assert [sample.advantage for sample in samples] == [0.5, 0.5, 0.5, 2.0] * 2
    assert samples[3].metrics == {"reward": 1.0, "rewards/designer": 1.0}
    assert one.metrics_queue.get(timeout=PATIENCE) == {"spade/collected": 4.0}
    assert len(collector.loops) == 1
    one.check_health(PATIENCE)


def test_a_full_queue_holds_collecting_up_and_stopping_does_not_wait_for_it() -> None:
    collector = Endless()
    one = worker(collector, ahead=2)
    one.start()
    take(one, 1)
    before = threading.active_count()
    one.stop()
    assert threading.active_count() < before and collector.calls == 1
    assert one.rollout_buffer.qsize() <= 2


def test_a_collector_that_fails_is_told_to_the_trainer() -> None:
    one = worker(Endless(steps=1))
    one.start()
    take(one, 4)
    one._thread.join(PATIENCE)  # type: ignore[union-attr]
    with pytest.raises(TrainingError, match="the server is gone"):
        one.check_health(PATIENCE)
    one.stop()


def test_a_wrong_temperature_is_told_to_the_trainer() -> None:
    one = worker(Endless(), temperature=0.7)
    one.start()
    one._thread.join(PATIENCE)  # type: ignore[union-attr]
    with pytest.raises(TrainingError, match=r"AsyncGRPOConfig\.temperature is 0\.7"):
        one.check_health(PATIENCE)


def test_silence_is_told_unless_the_queue_is_full() -> None:
    one = worker(Endless(), ahead=1)
    with pytest.raises(TrainingError, match="Nothing was collected"):
        one.check_health(-1.0)
    one.rollout_buffer.put(None)
    one.check_health(-1.0)


def test_it_is_told_of_new_weights() -> None:
    one = worker(Endless())
    one.update_model_version(3)
    assert one.model_version == 3
