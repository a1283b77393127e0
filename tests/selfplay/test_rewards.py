"""What designers are paid: the paper's numbers, ours, and what is no sample."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spade_envs.selfplay import rewards
from spade_envs.selfplay.config import DesignSection
from spade_envs.selfplay.evidence import Design, Evidence
from spade_envs.selfplay.failures import ConfigError, RewardError
from spade_envs.selfplay.outcomes import agent_reward
from spade_envs.selfplay.priors import Prior
from spade_envs.selfplay.trackers import Tracker
from spade_envs.types import StopReason

ALL = (*sorted(rewards.OF_THE_PAPER), "regret_shrunk", "learnability")
PAPER = DesignSection(reward="regret_floored", weight=0, interval=4, guard=False, refusals=False)


def played(plain: tuple[float | None, ...], hinted: tuple[float | None, ...] = (), **rest: object) -> Evidence:
    return replace(Evidence("logic", Design.ADMITTED, plain, hinted), **rest)  # type: ignore[arg-type]


# -- the paper's -------------------------------------------------------------------------------------------------------


def test_the_papers_batch() -> None:
    """Raw .3, .1, -.2 floored to 0, and a time-out; 32 is the paper's scale of 192 trajectories for 24 designs."""
    evidence = [
        played((0.0,) * 10, (1.0,) * 3 + (0.0,) * 7),
        played((0.0,) * 10, (1.0,) + (0.0,) * 9),
        played((1.0, 1.0) + (0.0,) * 8, (0.0,) * 10),
        replace(played(()), design=Design.HUNG),
    ]
    found = rewards.designer_rewards(evidence, PAPER, agents=32)
    assert found == pytest.approx([10.4, 4.0, 0.8, -15.2], abs=1e-12)
    assert math.fsum(value or 0.0 for value in found) == pytest.approx(0.0, abs=1e-12)


def test_the_papers_regret_is_that_of_all_plain_outcomes() -> None:
    seen = played((0.0, 0.0), (1.0, 1.0), later=((1.0, 0.0), (1.0, 1.0)))
    assert rewards.designer_reward(seen, PAPER) == 0.5
    assert rewards.designer_reward(played((1.0,), ()), PAPER) == 0.0


def test_the_papers_blend() -> None:
    """Regret is that of the first cycle, success that of all; .6 of the plateau, .4 of the regret over .15."""
    section = replace(PAPER, reward="blend")
    seen = played((0.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.3), later=((1.0, 0.0),))
    raw = 1.3 / 4 - 1 / 4
    win = 2 / 6
    assert rewards.designer_reward(seen, section) == pytest.approx(
        0.6 * (1 - (0.4 - win) / 0.25) + 0.4 * raw / 0.15, abs=1e-15
    )
    full = played((0.0, 1.0), (1.0, 1.0))
    assert rewards.designer_reward(full, section) == 1.0


@pytest.mark.parametrize(
    ("win", "expected"), [(0.4, 1), (0.6, 1), (0.5, 1), (0.275, 0.5), (0.725, 0.5), (0.15, 0), (0.0, 0), (1.0, 0)]
)
def test_the_plateau(win: float, expected: float) -> None:
    assert rewards.plateau(win) == pytest.approx(expected, abs=1e-12)


def test_solve_rate_is_the_plateau_of_all_plain_outcomes() -> None:
    section = replace(PAPER, reward="solve_rate", plateau=(0.2, 0.4, 0.2))
    assert rewards.designer_reward(played((0.0,), (1.0,), later=((1.0,),)), section) == pytest.approx(0.5)
    assert rewards.designer_reward(played((-1.0,)), section) == 0.0


def test_learning_potential_is_the_distance_to_the_slow_mean() -> None:
    section = replace(PAPER, reward="learning_potential")
    batch = [played((1.0, 0.0)), played((1.0, 1.0), later=((1.0, 1.0),))]
    tracker = Tracker().seen([played((0.0,))]).seen(batch)
    slow = 0.85 * 5 / 6
    assert rewards.designer_reward(batch[0], section, tracker=tracker) == pytest.approx(abs(0.5 - slow))
    assert rewards.designer_reward(batch[1], section, tracker=tracker) == pytest.approx(1 - slow)


def test_micro_learning_potential_puts_the_middle_late() -> None:
    assert rewards.micro_lp((0.0,), [(1.0, 1.0), (0.0, 1.0)]) == 0.75
    assert rewards.micro_lp((1.0,), [(0.0,)]) == 0.0
    assert rewards.micro_lp((1.0,), [()]) == 0.0


def test_the_papers_scale() -> None:
    assert [rewards.paper_scale(*counts) for counts in ((192, 24, 4), (192, 24, 8), (256, 16, 32), (0, 24, 4))] == [
        32.0,
        50.0,
        50.0,
        1.0,
    ]


# -- ours --------------------------------------------------------------------------------------------------------------


def test_pairs_with_a_missing_side_are_left_out() -> None:
    assert rewards.regret((0.0, None, 1.0, 0.0), (1.0, 1.0, None, 0.0)) == 0.5
    assert rewards.regret((None,), (1.0,)) is None
    assert rewards.regret((1.0,), ()) is None


def test_later_outcomes_are_no_part_of_our_regret() -> None:
    section = DesignSection()
    first = played((0.0, 1.0), (1.0, 1.0))
    assert rewards.designer_reward(first, section) == rewards.designer_reward(
        replace(first, later=((1.0, 1.0),)), section
    )


def test_shrinkage_by_hand() -> None:
    prior = Prior(count=36, total=8, squares=6, noise=0.5)
    mean, variance = 0.2, max(0.01, (6 - 2 * 0.2 * 8 + 36 * 0.04 - 0.5 + 1) / 40)
    sampling = ((0.5**2) * 4 / 3) / 4
    expected = mean + (0.5 - mean) * variance / (variance + sampling)
    assert rewards.regret_shrunk((0.0, 1.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0), prior) == pytest.approx(expected)


def test_more_pairs_shrink_less_and_negative_regret_stays_negative() -> None:
    few = rewards.regret_shrunk((0.0,) * 2, (1.0,) * 2, Prior())
    many = rewards.regret_shrunk((0.0,) * 16, (1.0,) * 16, Prior())
    assert few is not None and many is not None
    assert 0.5 < few < many < 1
    worse = rewards.regret_shrunk((1.0, 1.0), (0.0, 0.0), Prior())
    assert worse == pytest.approx(-few)


def test_learnability_counts_successes() -> None:
    section = DesignSection(reward="learnability")
    assert rewards.designer_reward(played((1.0, 0.0, 0.0, 0.0)), section) == 0.75
    # Half an outcome is no success, so that an environment without any chance in it is not taken for an even one.
    assert rewards.designer_reward(played((0.5, 0.0)), section) == 0.0


@pytest.mark.parametrize(("rate", "plays", "expected"), [(0.5, 16, 0.0705), (0.1, 16, 0.0423), (0.5, 8, 0.0997)])
def test_the_noise_floor(rate: float, plays: int, expected: float) -> None:
    assert round(rewards.noise_floor(rate, plays), 4) == expected


def test_the_noise_floor_of_no_plays_is_an_error() -> None:
    with pytest.raises(RewardError, match="No noise of 0 plays"):
        rewards.noise_floor(0.5, 0)


# -- samples, refusals, errors -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("design", "expected"),
    [
        (Design.STATIC, -1.0),
        (Design.LOAD, -0.8),
        (Design.BEHAVIOUR, -0.5),
        (Design.WORTH, -0.3),
        (Design.FAULTY, -0.5),
        (Design.HUNG, -0.5),
        (Design.UNDECIDED, None),
    ],
)
@pytest.mark.parametrize("reward", ALL)
def test_refusals(design: Design, expected: float | None, reward: str) -> None:
    # A perfect environment, but for what became of it.
    seen = replace(played((0.0, 1.0), (1.0, 1.0)), design=design)
    assert rewards.designer_reward(seen, DesignSection(reward=reward)) == expected
    left_out = expected is not None and design not in (Design.FAULTY, Design.HUNG)
    assert rewards.designer_reward(seen, DesignSection(reward=reward, refusals=False)) == (
        None if left_out else expected
    )


@pytest.mark.parametrize("reward", ALL)
def test_what_nobody_played_is_no_sample(reward: str) -> None:
    for seen in (played(()), played((None, None), (1.0, 1.0))):
        assert rewards.designer_reward(seen, DesignSection(reward=reward)) is None


@pytest.mark.parametrize("reward", ALL)
@pytest.mark.parametrize("wrong", [math.nan, math.inf, 1.5])
@pytest.mark.parametrize("where", ["plain", "hinted", "later"])
def test_what_is_no_outcome_is_an_error(reward: str, wrong: float, where: str) -> None:
    arms = {"plain": (0.0, 1.0), "hinted": (1.0, 1.0), "later": ((0.0, 1.0),)}
    arms[where] = (0.0, wrong) if where != "later" else ((0.0, wrong),)
    with pytest.raises(RewardError, match=r"An outcome is (nan|inf|1\.5)"):
        rewards.designer_reward(Evidence("logic", Design.ADMITTED, **arms), DesignSection(reward=reward))  # type: ignore[arg-type]


def test_an_unknown_reward_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"'fame'.*regret_shrunk.*blend"):
        rewards.designer_reward(played((0.0,), (1.0,)), DesignSection(reward="fame"))


def test_arms_of_unlike_length_are_an_error() -> None:
    with pytest.raises(RewardError, match="2 plain outcomes came with 1 hinted"):
        rewards.regret((0.0, 1.0), (1.0,))


@given(outcomes=st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=1, max_size=12))
@pytest.mark.parametrize("reward", ALL)
def test_every_reward_is_bounded(reward: str, outcomes: list[tuple[float, float]]) -> None:
    plain, hinted = zip(*outcomes, strict=True)
    found = rewards.designer_reward(played(plain, hinted), DesignSection(reward=reward, guard=False))
    assert found is not None and -2 <= found <= 2


def test_skills_are_centred_apart_and_missing_ones_stay_missing() -> None:
    evidence = [
        replace(played((0.0,), (1.0,)), skill="a"),
        replace(played((0.0,), (0.0,)), skill="a"),
        replace(played((0.0,), (1.0,)), skill="b"),
        replace(played(()), skill="a", design=Design.UNDECIDED),
    ]
    section = replace(PAPER, weight=1.0)
    assert rewards.designer_rewards(evidence, section) == (0.5, -0.5, 0.0, None)
    # Three samples, so that the scale of 6 trajectories over an interval of 4 is 8.
    assert rewards.designer_rewards(evidence, PAPER, agents=6) == (4.0, -4.0, 0.0, None)


def test_our_rewards_are_left_as_they_are() -> None:
    evidence = [played((0.0,), (1.0,)), played((0.0,), (0.0,))]
    raw = tuple(rewards.designer_reward(item, DesignSection()) for item in evidence)
    assert rewards.designer_rewards(evidence, DesignSection()) == raw
    scaled = rewards.designer_rewards(evidence, DesignSection(weight=0), agents=4)
    assert scaled[0] is not None and scaled[0] > 0 and scaled[0] == pytest.approx(-(scaled[1] or 0.0))


# -- agents ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stop", [StopReason.NO_EOS, StopReason.CONTEXT_FULL])
def test_overlong_episodes(stop: StopReason) -> None:
    assert [agent_reward(0.0, stop, how) for how in ("keep", "mask", "penalise")] == [0.0, 0.0, -1.0]


def test_a_turn_limit_is_not_overlong_and_missing_stays_missing() -> None:
    assert agent_reward(0.0, StopReason.TURN_LIMIT, "penalise") == 0.0
    assert agent_reward(None, StopReason.NO_EOS, "penalise") is None
    with pytest.raises(RewardError):
        agent_reward(math.nan, StopReason.TERMINATED)
    with pytest.raises(ConfigError, match="keep, mask, penalise"):
        agent_reward(0.0, StopReason.TERMINATED, "drop")
