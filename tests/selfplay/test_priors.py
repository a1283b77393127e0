"""The prior of regrets and the tracker of skills: what they learn, and that they survive a checkpoint."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spade_envs.selfplay.evidence import Design, Evidence
from spade_envs.selfplay.failures import RewardError
from spade_envs.selfplay.outcomes import mean_variance
from spade_envs.selfplay.priors import LEAST_VARIANCE, START_VARIANCE, Prior
from spade_envs.selfplay.trackers import SkillTrack, Tracker


def with_regret(hinted_wins: int, pairs: int = 16) -> Evidence:
    hinted = (1.0,) * hinted_wins + (0.0,) * (pairs - hinted_wins)
    return Evidence("logic", Design.ADMITTED, (0.0,) * pairs, hinted)


def test_a_new_prior_is_weak_and_about_zero() -> None:
    assert (Prior().mean, Prior().variance) == (0.0, START_VARIANCE)


def test_one_environment_by_hand() -> None:
    prior = Prior().seen([with_regret(8)])
    noise = 16 / 15 * 0.25 / 16
    assert prior.mean == pytest.approx(0.5 / 5)
    spread = 0.25 - 2 * 0.1 * 0.5 + 0.01
    assert prior.variance == pytest.approx((spread - noise + 4 * 0.25) / 5)


def test_it_finds_mean_and_spread_of_many() -> None:
    prior = Prior(fading=1.0)
    for _ in range(50):
        prior = prior.seen([with_regret(4), with_regret(12)])
    assert prior.mean == pytest.approx(0.5, abs=0.02)
    # True regrets of .25 and .75 have variance 1/16; the sampling variance is taken off.
    assert prior.variance == pytest.approx(1 / 16 - mean_variance([1.0] * 4 + [0.0] * 12), abs=0.01)


def test_noise_alone_leaves_the_least_variance() -> None:
    prior = Prior(fading=1.0)
    for _ in range(200):
        prior = prior.seen([with_regret(2)])
    assert prior.variance == LEAST_VARIANCE


def test_old_regrets_fade() -> None:
    prior = Prior()
    for _ in range(60):
        prior = prior.seen([with_regret(16)])
    before = prior.mean
    for _ in range(60):
        prior = prior.seen([with_regret(0)])
    assert before > 0.8 and prior.mean < 0.05


def test_what_was_not_measured_teaches_nothing() -> None:
    assert Prior(fading=1.0).seen([Evidence("logic", Design.STATIC), Evidence("a", Design.ADMITTED, (1.0,))]) == Prior(
        fading=1.0
    )


@given(values=st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=64))
def test_a_mean_is_never_known_for_sure(values: list[float]) -> None:
    assert mean_variance(values) > 0


def test_the_least_variance_falls_with_the_pairs() -> None:
    found = [mean_variance([0.0] * count) for count in (1, 2, 4, 8, 16)]
    assert found == sorted(found, reverse=True) and found[0] > 10 * found[-1]


@given(wins=st.lists(st.integers(0, 16), max_size=6))
def test_states_survive_a_checkpoint_to_the_bit(wins: list[int]) -> None:
    evidence = [with_regret(count) for count in wins]
    prior, tracker = Prior().seen(evidence).seen(evidence), Tracker().seen(evidence).seen(evidence[:1])
    assert Prior.from_json(prior.to_json()) == prior
    assert Tracker.from_json(tracker.to_json()) == tracker


@pytest.mark.parametrize("text", ["", "[]", '{"count": "much"}', '{"wins": 1}', "null", '{"count": NaN}'])
def test_other_states_are_errors(text: str) -> None:
    with pytest.raises(RewardError, match=r"Prior\.to_json"):
        Prior.from_json(text)
    with pytest.raises(RewardError, match=r"Tracker\.to_json"):
        Tracker.from_json(text)


def test_a_mean_that_is_no_number_is_an_error() -> None:
    text = Tracker((SkillTrack("a", math.nan, 0.0),)).to_json()
    with pytest.raises(RewardError, match="finite"):
        Tracker.from_json(text)


def test_a_skills_means() -> None:
    tracker = Tracker().seen([Evidence("a", Design.ADMITTED, (0.0, 0.0)), Evidence("b", Design.ADMITTED, (None,))])
    assert tracker.tracks == (SkillTrack("a", 0.0, 0.0),)
    # One step for the skill, by the mean of all its outcomes.
    tracker = tracker.seen(
        [Evidence("a", Design.ADMITTED, (1.0, 1.0, 1.0)), Evidence("a", Design.ADMITTED, (0.0,), later=((1.0, 0.0),))]
    )
    mean = 4 / 6
    track = tracker.track("a")
    assert track is not None
    assert (track.fast, track.slow) == pytest.approx((0.98 * mean, 0.85 * mean))
    assert tracker.potential("a") == pytest.approx(0.13 * mean / (2 * 0.13))
    assert tracker.potential("b") == 0.0


def test_gains_and_outcomes_are_checked() -> None:
    with pytest.raises(RewardError, match="0 < slow < fast"):
        Tracker(fast_gain=0.5, slow_gain=0.5)
    with pytest.raises(RewardError):
        Tracker().seen([Evidence("a", Design.ADMITTED, (math.nan,))])
    with pytest.raises(RewardError):
        Prior().seen([Evidence("a", Design.ADMITTED, (math.nan,), (0.0,))])
