"""Designs that wait: paid once, on time, by everything that was seen, whatever comes in between."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from spade_envs.selfplay.delay import DesignerBuffer, DesignSample, Due
from spade_envs.selfplay.evidence import Design, Evidence
from spade_envs.selfplay.trajectories import EXAMPLE, TrajectoryError

OUTCOMES = st.one_of(st.none(), st.floats(-1, 1))


def sample(name: str, design: Design = Design.ADMITTED, plain: Sequence[float | None] = (0.0,)) -> DesignSample:
    trajectory = dataclasses.replace(EXAMPLE, role="designer", episode_id=name, group="skill", advantage=None)
    env = name if design is Design.ADMITTED else ""
    return DesignSample(trajectory, Evidence("skill", design, tuple(plain), ()), env)


def pay(evidences: Sequence[Evidence]) -> list[float | None]:
    """The number of plays seen; nothing for what is undecided."""
    return [
        None if evidence.design is Design.UNDECIDED else float(len(evidence.plain) + sum(map(len, evidence.later)))
        for evidence in evidences
    ]


def names(due: Sequence[Due]) -> list[str]:
    return [one.trajectory.episode_id for batch in due for one in batch.samples]


@pytest.mark.parametrize(("delay", "interval"), [(3, 2), (1, 4), (-2, 2), (2, 0)])
def test_a_delay_is_a_multiple_of_the_interval(delay: int, interval: int) -> None:
    with pytest.raises(ValueError, match="multiple of the interval"):
        DesignerBuffer(delay, interval)


def test_without_a_delay_designs_come_back_at_once() -> None:
    buffer, due = DesignerBuffer(0).add(3, [sample("a")]).pop(3, pay)
    assert names(due) == ["a"] and len(buffer) == 0
    assert due[0].cycle == 3 and due[0].samples[0].trajectory.reward == 1.0


def test_the_reward_has_seen_every_play_until_then() -> None:
    buffer = DesignerBuffer(4, 2).add(0, [sample("a"), sample("b")])
    buffer = buffer.played(1, {"a": (1.0, None), "unknown": (1.0,)}).played(2, {"a": (0.5,), "b": (0.0,)})
    for cycle in (2, 3):
        buffer, due = buffer.pop(cycle, pay)
        assert due == ()
    buffer, due = buffer.pop(4, pay)
    assert [one.trajectory.reward for one in due[0].samples] == [4.0, 2.0]
    assert due[0].samples[0].evidence.later == ((1.0, None), (0.5,))
    assert due[0].samples[0].trajectory.advantage is None
    assert len(buffer) == 0


def test_log_probabilities_stay_those_of_the_sampler() -> None:
    one = sample("a")
    early = dataclasses.replace(one, trajectory=dataclasses.replace(one.trajectory, reward=-1.0, advantage=-1.0))
    _, due = DesignerBuffer(1).add(0, [early]).pop(1, pay)
    assert due[0].samples[0].trajectory == dataclasses.replace(one.trajectory, reward=1.0, advantage=None)


def test_the_last_designs_of_a_run_are_trained_on() -> None:
    buffer = DesignerBuffer(4, 2).add(0, [sample("a")]).add(2, [sample("b")])
    buffer, due = buffer.flush(pay)
    assert [batch.cycle for batch in due] == [0, 2] and names(due) == ["a", "b"]
    assert buffer.flush(pay) == (buffer, ())


def test_each_cycle_is_paid_by_itself() -> None:
    seen = []

    def noting(evidences: Sequence[Evidence]) -> list[float | None]:
        seen.append(len(evidences))
        return pay(evidences)

    DesignerBuffer(4, 2).add(0, [sample("a"), sample("b")]).add(2, [sample("c")]).flush(noting)
    assert seen == [2, 1]


def test_what_is_no_sample_is_counted() -> None:
    _, due = DesignerBuffer(0).add(0, [sample("a"), sample("b", Design.UNDECIDED)]).pop(0, pay)
    assert names(due) == ["a"] and due[0].unpaid == 1


def test_refused_replies_wait_too_and_no_play_counts_for_them() -> None:
    buffer = DesignerBuffer(1).add(0, [sample("a", Design.STATIC)]).played(1, {"": (1.0,), "a": (1.0,)})
    _, due = buffer.pop(1, pay)
    assert due[0].samples[0].evidence.later == ()


def test_an_environment_that_hangs_later_is_paid_as_such() -> None:
    buffer = DesignerBuffer(1).add(0, [sample("a"), sample("b")]).failed("a", Design.HUNG)
    _, due = buffer.pop(1, pay)
    assert [one.evidence.design for one in due[0].samples] == [Design.HUNG, Design.ADMITTED]
    refused = DesignerBuffer(1).add(0, [sample("a", Design.STATIC)])
    assert refused.failed("", Design.HUNG) == refused


@pytest.mark.parametrize("reward", [float("nan"), float("inf")])
def test_a_reward_is_a_finite_number(reward: float) -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        DesignerBuffer(0).add(0, [sample("a")]).pop(0, lambda evidences: [reward])


def test_there_are_as_many_rewards_as_designs() -> None:
    with pytest.raises(ValueError, match="0 rewards for 1 designs"):
        DesignerBuffer(0).add(0, [sample("a")]).pop(0, lambda evidences: [])


def test_mistakes_of_the_caller_are_refused() -> None:
    buffer = DesignerBuffer(2).add(1, [sample("a")])
    with pytest.raises(ValueError, match="come after"):
        buffer.add(1, [sample("b")])
    with pytest.raises(ValueError, match="not later ones"):
        buffer.played(1, {"a": (1.0,)})
    with pytest.raises(ValueError, match="outside"):
        buffer.played(2, {"a": (float("nan"),)})
    with pytest.raises(TrajectoryError, match="not the designer's"):
        buffer.add(2, [dataclasses.replace(sample("b"), trajectory=EXAMPLE)])
    with pytest.raises(ValueError, match="unknown key"):
        DesignerBuffer.from_json(json.dumps({**json.loads(buffer.to_json()), "more": 1}))


class Run(RuleBasedStateMachine):
    """Cycles of a run against plain lists; at any moment the state may go through JSON, as in a resume."""

    @initialize(interval=st.integers(1, 3), times=st.integers(0, 3))
    def begin(self, interval: int, times: int) -> None:
        self.buffer = DesignerBuffer(interval * times, interval)
        self.cycle = 0
        self.plays: dict[str, int] = {}
        self.designed: list[tuple[int, str]] = []
        self.trained: list[str] = []

    @rule(count=st.integers(0, 3), outcomes=st.lists(st.lists(OUTCOMES, max_size=3), max_size=12))
    def run_cycle(self, count: int, outcomes: list[list[float | None]]) -> None:
        live = [name for _, name in self.designed if name not in self.trained]
        played = dict(zip(live, outcomes, strict=False))
        self.buffer = self.buffer.played(self.cycle, played)
        for name, values in played.items():
            self.plays[name] += len(values)
        if self.cycle % self.buffer.interval == 0:
            new = [f"{self.cycle}/{number}" for number in range(count)]
            self.buffer = self.buffer.add(self.cycle, [sample(name) for name in new])
            self.designed += [(self.cycle, name) for name in new]
            self.plays |= dict.fromkeys(new, 1)
        self.buffer, due = self.buffer.pop(self.cycle, pay)
        self.take(due)
        expected = [name for cycle, name in self.designed if cycle + self.buffer.delay <= self.cycle]
        assert self.trained == expected
        self.cycle += 1

    def take(self, due: Sequence[Due]) -> None:
        for batch in due:
            for one in batch.samples:
                assert one.trajectory.reward == self.plays[one.trajectory.episode_id]
                self.trained.append(one.trajectory.episode_id)

    @rule()
    def resume(self) -> None:
        text = self.buffer.to_json()
        again = DesignerBuffer.from_json(text)
        assert again == self.buffer and again.to_json() == text
        self.buffer = again

    @invariant()
    def nothing_is_lost(self) -> None:
        if hasattr(self, "buffer"):
            assert len(self.buffer) == len(self.designed) - len(self.trained)

    def teardown(self) -> None:
        if hasattr(self, "buffer"):
            _, due = self.buffer.flush(pay)
            self.take(due)
            assert self.trained == [name for _, name in self.designed]


TestRun = Run.TestCase
TestRun.settings = settings(max_examples=60, stateful_step_count=15, deadline=None)
