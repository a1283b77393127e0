"""The batch of a step: who is in it, what it is divided by, and that its parts make up the whole."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spade_envs.selfplay.batch import build_batch, shard, split
from spade_envs.selfplay.config import TrainSection
from spade_envs.selfplay.steps import Denominator, StepBatch
from spade_envs.selfplay.trajectories import EXAMPLE, TrajectoryError, is_inert
from spade_envs.types import StopReason, Trajectory

TRAIN = TrainSection()


def one(
    group: str = "g", advantage: float | None = 0.5, *, length: int = 4, trained: int = 2, **rest: Any
) -> Trajectory:
    """A trajectory whose last tokens are trained."""
    mask = (0,) * (length - trained) + (1,) * trained
    changes = {
        "group": group,
        "advantage": advantage,
        "token_ids": tuple(range(length)),
        "loss_mask": mask,
        "sampler_logprobs": tuple(-0.25 * bit for bit in mask),
        **rest,
    }
    return dataclasses.replace(EXAMPLE, **changes)


def agents(*groups: tuple[str, int], **rest: Any) -> list[Trajectory]:
    """Groups of so many, alternately good and bad, each an episode of its own."""
    return [
        one(group, (-1.0) ** number, episode_id=f"{group}/{number}", **rest)
        for group, count in groups
        for number in range(count)
    ]


def designs(count: int, **rest: Any) -> list[Trajectory]:
    return agents(("skill", count), role="designer", **rest)


def built(agent: list[Trajectory], designer: list[Trajectory], weight: float = 1.0, **rest: Any) -> StepBatch:
    train = {key: rest.pop(key) for key in ("batch", "max_staleness", "drop_zero_variance") if key in rest}
    return build_batch(agent, designer, dataclasses.replace(TRAIN, **train), weight, rest.pop("version", 0), **rest)


# -- what is in it ---------------------------------------------------------------------------------------------


def test_the_designer_comes_first_and_everything_is_counted() -> None:
    batch = built(agents(("a", 2), trained=3), designs(3), 0.5)
    assert [t.role for t in batch.trajectories] == ["designer"] * 3 + ["agent"] * 2
    assert batch.denominators == {"designer": Denominator(6, 3), "agent": Denominator(6, 2)}
    assert batch.weights == {"designer": 0.5, "agent": 1.0}
    assert (batch.padding, batch.dropped, batch.zero_variance) == (0, {}, {})


def test_turns_of_one_episode_count_as_one() -> None:
    turns = [one(episode_id="e", trained=1), one(episode_id="e", trained=2), one(episode_id="f", trained=0)]
    assert built(turns, []).denominators == {"agent": Denominator(3, 1)}


def test_a_role_without_trained_tokens_has_no_denominator() -> None:
    assert built([one(trained=0)], designs(1)).denominators == {"designer": Denominator(2, 1)}


def test_whole_groups_of_the_agent_make_room_for_the_designer() -> None:
    batch = built(agents(("a", 4), ("b", 4), ("c", 2), ("d", 1)), designs(3), batch=10)
    assert Counter(t.group for t in batch.trajectories) == {"skill": 3, "a": 4, "c": 2, "d": 1}
    assert batch.dropped == {"quota": 4}
    assert batch.padding == 0


def test_a_group_is_split_only_when_asked_and_then_between_episodes() -> None:
    agent = agents(("a", 4)) + [one("b", 1.0, episode_id=episode) for episode in "xxyyy"]
    whole, parts = built(agent, [], batch=6), built(agent, [], batch=6, split_groups=True)
    assert Counter(t.group for t in whole.trajectories) == {"a": 4, "inert": 2}
    assert [t.episode_id for t in parts.trajectories[4:]] == ["x", "x"]
    assert (whole.dropped, parts.dropped) == ({"quota": 5}, {"quota": 3})


def test_too_many_designs_are_trimmed_as_groups_too() -> None:
    batch = built(agents(("a", 2)), designs(3) + agents(("other", 2), role="designer"), batch=4)
    assert [t.group for t in batch.trajectories] == ["skill"] * 3 + ["inert"]
    assert batch.dropped == {"quota": 4}


def test_groups_of_both_roles_may_share_a_name() -> None:
    batch = built(agents(("skill", 2)), designs(3), batch=4)
    assert [t.role for t in batch.trajectories if not is_inert(t)] == ["designer"] * 3


def test_padding_is_last_inert_and_in_no_denominator() -> None:
    batch = built(agents(("a", 2)), designs(1), batch=6)
    assert batch.padding == 3
    assert all(is_inert(t) and t.advantage == 0 and not any(t.loss_mask) for t in batch.trajectories[3:])
    assert batch.denominators == built(agents(("a", 2)), designs(1)).denominators


def test_nothing_is_not_padded() -> None:
    batch = built([], [], batch=6)
    assert (batch.trajectories, batch.denominators, batch.padding) == ((), {}, 0)


def test_stale_ones_are_left_out_and_counted() -> None:
    agent = [one(policy_version=str(version), episode_id=str(version)) for version in (7, 8, 12)]
    batch = built(agent, designs(1, policy_version="3"), version=12, max_staleness=4)
    assert [t.policy_version for t in batch.trajectories] == ["8", "12"]
    assert batch.dropped == {"stale": 2}


def test_missing_outcomes_need_no_advantage_and_are_left_out() -> None:
    ends = (StopReason.SERVER_ERROR, StopReason.ENV_HUNG, StopReason.DEADLINE)
    agent = agents(("a", 2)) + [one("a", None, stop_reason=reason) for reason in ends]
    batch = built(agent, [])
    assert (len(batch.trajectories), batch.dropped) == (2, {"missing": 3})


@pytest.mark.parametrize("reason", [StopReason.NO_EOS, StopReason.CONTEXT_FULL])
def test_overlong_episodes_of_the_agent_are_left_out_on_request(reason: StopReason) -> None:
    agent, designer = [one(stop_reason=reason), one()], [one(role="designer", stop_reason=reason)]
    for overlong in ("keep", "penalise"):
        assert built(agent, designer, overlong=overlong).dropped == {}
    batch = built(agent, designer, overlong="mask")
    assert [t.role for t in batch.trajectories] == ["designer", "agent"]
    assert batch.dropped == {"overlong": 1}
    assert batch.denominators["agent"] == Denominator(2, 1)


def test_the_turn_limit_is_no_want_of_tokens() -> None:
    assert built([one(stop_reason=StopReason.TURN_LIMIT)], [], overlong="mask").dropped == {}


def test_groups_without_signal_are_counted_and_left_out_on_request() -> None:
    agent = [one("flat", 0.0), one("flat", -0.0), *agents(("a", 2))]
    designer = [one("single", 0.0, role="designer"), *designs(2)]
    batch = built(agent, designer)
    assert (len(batch.trajectories), batch.dropped) == (7, {})
    assert batch.zero_variance == {"designer": 1, "agent": 1}
    without = built(agent, designer, drop_zero_variance=True)
    assert without.dropped == {"zero_variance": 3} and without.zero_variance == batch.zero_variance
    assert without.denominators == {"designer": Denominator(4, 2), "agent": Denominator(4, 2)}


def test_what_is_left_out_makes_room() -> None:
    agent = [one("old", policy_version="0"), one("flat", 0.0, policy_version="9"), one("a", policy_version="9")]
    batch = built(agent, [], version=9, max_staleness=1, drop_zero_variance=True, batch=1)
    assert [t.group for t in batch.trajectories] == ["a"]
    assert batch.dropped == {"stale": 1, "zero_variance": 1}


# -- weights and scales ----------------------------------------------------------------------------------------


def test_the_papers_scale_multiplies_the_designers_rewards_instead_of_its_loss() -> None:
    batch = built(agents(("a", 1)), [one(role="designer", advantage=-0.25, reward=0.5)], 0.0, scale=32.0)
    designer, agent = batch.trajectories
    assert (designer.advantage, designer.reward, agent.advantage, agent.reward) == (-8.0, 16.0, 1.0, 1.0)
    assert batch.weights == {"designer": 1.0, "agent": 1.0}


def test_the_papers_stretch_makes_up_for_padding() -> None:
    agent, designer = agents(("a", 3)), [one(role="designer", advantage=0.5)]
    batch = built(agent, designer, batch=6, stretch=True, scale=2.0)
    assert [t.advantage for t in batch.trajectories] == [1.5, 1.5, -1.5, 1.5, 0.0, 0.0]
    assert [t.reward for t in batch.trajectories] == [3.0, 1.5, 1.5, 1.5, 0.0, 0.0]
    assert built(agent, designer, batch=4, stretch=True).trajectories[0].advantage == 0.5
    assert built(agent, designer, batch=6).trajectories[0].advantage == 0.5
    assert built(agent, designer, stretch=True).trajectories[0].advantage == 0.5


@pytest.mark.parametrize(("weight", "scale"), [(-1.0, 1.0), (1.0, 0.0)])
def test_weight_and_scale_have_a_range(weight: float, scale: float) -> None:
    with pytest.raises(ValueError, match="weight"):
        built([one()], [], weight, scale=scale)


# -- what is refused -------------------------------------------------------------------------------------------


def test_an_advantage_has_to_be_there() -> None:
    with pytest.raises(TrajectoryError, match="has no advantage"):
        built([one(advantage=None)], [])


def test_a_later_version_than_the_learners_is_a_mistake() -> None:
    with pytest.raises(TrajectoryError, match="later than 3"):
        built([one(policy_version="4")], [], version=3)


def test_a_role_under_the_others_name_is_a_mistake() -> None:
    with pytest.raises(TrajectoryError, match="is the designer's, but listed as the agent's"):
        built(designs(1), [])


def test_broken_ones_are_refused_even_if_they_were_left_out() -> None:
    with pytest.raises(TrajectoryError, match="reward is nan"):
        built([one(policy_version="0", reward=float("nan"))], [], version=99)


# -- parts -----------------------------------------------------------------------------------------------------


@st.composite
def batches(draw: st.DrawFn) -> StepBatch:
    """Batches of both roles, some episodes of several trajectories, some inert."""
    shapes = draw(st.lists(st.tuples(st.integers(2, 40), st.integers(0, 4), st.booleans()), min_size=1, max_size=20))
    made = [
        one(
            f"g{episode}",
            length=length,
            trained=length // 2,
            episode_id=f"e{episode}",
            role="designer" if is_designer else "agent",
        )
        for length, episode, is_designer in shapes
    ]
    agent = [t for t in made if t.role == "agent"]
    designer = [t for t in made if t.role == "designer"]
    return built(agent, designer, 2.0, batch=draw(st.integers(0, 30)))


def check_parts(batch: StepBatch, parts: list[StepBatch]) -> None:
    """Every trajectory once, episodes whole, denominators and weights those of the step."""
    assert Counter(t for part in parts for t in part.trajectories) == Counter(batch.trajectories)
    assert sum(part.padding for part in parts) == batch.padding
    homes: dict[tuple[str, str], set[int]] = {}
    for number, part in enumerate(parts):
        assert (part.denominators, part.weights) == (batch.denominators, batch.weights)
        assert (part.dropped, part.zero_variance) == ({}, {})
        order = [(is_inert(t), t.role == "agent") for t in part.trajectories]
        assert order == sorted(order)
        for t in part.trajectories:
            if not is_inert(t):
                homes.setdefault((t.role, t.episode_id), set()).add(number)
    assert all(len(numbers) == 1 for numbers in homes.values())


@given(batches(), st.integers(1, 200))
def test_micro_batches_make_up_the_batch(batch: StepBatch, micro_tokens: int) -> None:
    parts = split(batch, micro_tokens)
    check_parts(batch, parts)
    for part in parts:
        padded = max(len(t.token_ids) for t in part.trajectories) * len(part.trajectories)
        alone = len({(t.role, t.episode_id) for t in part.trajectories}) == 1
        assert padded <= micro_tokens or alone
    widths = [max(len(t.token_ids) for t in part.trajectories) for part in parts]
    assert widths == sorted(widths, reverse=True)


@given(batches(), st.integers(1, 6))
def test_ranks_make_up_the_batch(batch: StepBatch, ranks: int) -> None:
    parts = shard(batch, ranks)
    assert len(parts) == ranks
    check_parts(batch, parts)


def test_micro_batches_are_filled() -> None:
    batch = built([one(length=length, episode_id=str(length)) for length in (4, 10, 5, 9, 3)], [])
    assert [[len(t.token_ids) for t in part.trajectories] for part in split(batch, 20)] == [[10, 9], [4, 5, 3]]
    assert len(split(batch, 1)) == 5


def test_ranks_are_balanced() -> None:
    batch = built([one(length=length, episode_id=str(length)) for length in (10, 8, 6, 4)], [])
    assert [sum(len(t.token_ids) for t in part.trajectories) for part in shard(batch, 2)] == [14, 14]
    assert [len(part.trajectories) for part in shard(batch, 6)] == [1, 1, 1, 1, 0, 0]


@pytest.mark.parametrize("cut", [split, shard])
def test_parts_are_at_least_one(cut: Any) -> None:
    assert cut(built([], []), 1) == ([] if cut is split else [built([], [])])
    with pytest.raises(ValueError, match="at least one"):
        cut(built([], []), 0)
