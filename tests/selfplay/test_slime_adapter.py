"""slime's contract, on stand-ins for its dataclasses: what a rollout function gives, and which flags are refused."""

from __future__ import annotations

import dataclasses
import enum
import types
from collections.abc import Sequence
from typing import Any

import pytest

from spade_envs.adapters import slime
from spade_envs.selfplay.failures import ConfigError, TrainingError
from spade_envs.selfplay.trajectories import EXAMPLE, is_inert
from spade_envs.types import StopReason, Trajectory


class Given:
    """A collector that gives what it was given."""

    def __init__(self, *steps: Sequence[Trajectory]) -> None:
        self.steps = list(steps)

    async def collect(self) -> Sequence[Trajectory]:
        return self.steps.pop(0)


class Status(enum.Enum):
    COMPLETED = "completed"
    TRUNCATED = "truncated"


@dataclasses.dataclass
class Sample:
    """Fields of slime's ``Sample`` at 624b824a8 that are set here; earlier, ``rollout_id`` was ``group_id``."""

    group_index: int | None = None
    index: int | None = None
    rollout_id: int | None = None
    tokens: list[int] = dataclasses.field(default_factory=list)
    response_length: int = 0
    reward: float | None = None
    loss_mask: list[int] | None = None
    weight_versions: list[str] = dataclasses.field(default_factory=list)
    rollout_log_probs: list[float] | None = None
    status: Status = Status.COMPLETED
    metadata: dict[str, Any] = dataclasses.field(default_factory=dict)
    Status = Status


@dataclasses.dataclass
class EarlierSample:
    """At bf14dc21."""

    index: int | None = None
    group_id: int | None = None
    tokens: list[int] = dataclasses.field(default_factory=list)
    status: Status = Status.COMPLETED
    Status = Status


@dataclasses.dataclass
class TrainOutput:
    samples: list[list[Sample]]
    metrics: dict[str, Any]


@dataclasses.dataclass
class EvalOutput:
    data: dict[str, Any]


@pytest.fixture
def slime_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    base = types.SimpleNamespace(RolloutFnTrainOutput=TrainOutput, RolloutFnEvalOutput=EvalOutput)
    monkeypatch.setattr(slime, "_slime", lambda: (base, types.SimpleNamespace(Sample=Sample)))


def flags(**changes: Any) -> Any:
    return types.SimpleNamespace(
        **{
            "global_batch_size": 4,
            "rollout_temperature": 1.0,
            "rewards_normalization": False,
            "advantage_estimator": "grpo",
            "normalize_advantages": False,
            **changes,
        }
    )


def turns() -> list[Trajectory]:
    """Two episodes of the agent, one of them in two trajectories, and one of the designer."""
    agent = [dataclasses.replace(EXAMPLE, episode_id=name, advantage=0.5) for name in ("a", "a")]
    agent.append(dataclasses.replace(EXAMPLE, episode_id="b", advantage=-0.5, stop_reason=StopReason.NO_EOS))
    return [*agent, dataclasses.replace(EXAMPLE, role="designer", episode_id="a", group="s", advantage=1.0)]


@pytest.mark.usefixtures("slime_is_there")
def test_slime_counts_episodes() -> None:
    generate = slime.rollout_function(Given(turns(), turns(), turns()), designer_weight=2.0)
    output = generate(flags(), 0, None)
    samples = [one for group in output.samples for one in group]
    assert [one.rollout_id for one in samples] == [0, 1, 1, 2, 3]
    assert [one.reward for one in samples] == pytest.approx([2 * 4 / 3, 2 / 3, 2 / 3, -2 / 3, 0.0])
    assert [one.status.value for one in samples] == ["completed"] * 3 + ["truncated", "completed"]
    assert sum(map(sum, (one.loss_mask or [] for one in samples))) == output.metrics["spade/trained_tokens"] == 8
    assert {one.metadata["role"] for one in samples[1:4]} == {"agent"} and samples[1].metadata["raw_reward"] == 4 / 3
    exact = [one for group in generate(flags(global_batch_size=3), 1, None).samples for one in group]
    assert [one.reward for one in exact] == [2.0, 0.5, 0.5, -0.5]
    fewer = [one for group in generate(flags(global_batch_size=2), 2, None).samples for one in group]
    assert [(one.rollout_id, one.metadata["role"]) for one in fewer] == [(0, "designer"), (1, "agent")]
    assert fewer[1].loss_mask is not None and not any(fewer[1].loss_mask)


@pytest.mark.usefixtures("slime_is_there")
def test_slime_without_samples_is_told() -> None:
    with pytest.raises(TrainingError, match="Step 3"):
        slime.rollout_function(Given([]))(flags(), 3, None)
    assert slime.rollout_function(Given())(flags(), 3, None, evaluation=True) == EvalOutput({})


def test_earlier_samples_have_another_name_for_episodes() -> None:
    row = slime.to_slime(EXAMPLE, index=3, episode=5, group=0)
    earlier = slime.sample_of(EarlierSample, row)
    assert (earlier.group_id, earlier.index) == (5, 3)
    assert slime.sample_of(Sample, row).rollout_id == 5


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rewards_normalization": True}, "--disable-rewards-normalization"),
        ({"advantage_estimator": "ppo"}, "--advantage-estimator grpo"),
        ({"normalize_advantages": True}, "--normalize-advantages"),
        ({"rollout_temperature": 0.6}, "--rollout-temperature"),
    ],
)
@pytest.mark.usefixtures("slime_is_there")
def test_flags_that_would_change_advantages_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        slime.rollout_function(Given(turns()))(flags(**changes), 0, None)


def test_slimes_fitted_batches_hold_whole_episodes() -> None:
    chosen = slime.fitted(turns(), 5, 1.0, 8)
    assert [is_inert(one) for one in chosen] == [False] * 4 + [True] * 2
    assert slime.fitted([], 5, 1.0, 8) == ()
