"""Advantages: the numbers of each convention, and what holds for all of them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spade_envs.selfplay.advantages import CONVENTIONS, advantages, role_convention, without_signal
from spade_envs.selfplay.failures import ConfigError, RewardError

REWARDS = st.lists(st.floats(-100, 100), min_size=2, max_size=12)
NAMES = sorted(CONVENTIONS)


@pytest.mark.parametrize(
    ("convention", "expected"),
    [("trl", 0.865875), ("verl", 0.866024), ("slime", 0.866024), ("spade", 0.99999998), ("centred", 0.5)],
)
def test_two_of_four_succeed(convention: str, expected: float) -> None:
    digits = len(str(expected)) - 2
    found = advantages([1.0, 0.0, 0.0, 1.0], ["a"] * 4, convention)
    assert [round(value or 0.0, digits) for value in found] == [expected, -expected, -expected, expected]


def test_mean_only_of_three() -> None:
    assert advantages([1.0, 1.0, 0.0], [0, 0, 0]) == pytest.approx((1 / 3, 1 / 3, -2 / 3), abs=1e-15)


@pytest.mark.parametrize("convention", NAMES)
@given(reward=st.floats(-1e6, 1e6), count=st.integers(2, 40))
def test_equal_rewards_give_exactly_zero(convention: str, reward: float, count: int) -> None:
    assert advantages([reward] * count, ["a"] * count, convention) == (0.0,) * count


@pytest.mark.parametrize("convention", NAMES)
@given(rewards=REWARDS)
def test_a_group_sums_to_zero(convention: str, rewards: list[float]) -> None:
    found = advantages(rewards, ["a"] * len(rewards), convention)
    size = math.fsum(abs(value or 0.0) for value in found)
    # What cancels in the mean of close rewards is divided by their small spread.
    spread = max(rewards) - min(rewards)
    noise = 1e-13 * (1 + max(map(abs, rewards))) / min(1.0, (spread or 1.0) if convention != "centred" else 1.0)
    assert abs(math.fsum(value or 0.0 for value in found)) <= 1e-12 * size + len(rewards) * noise


@pytest.mark.parametrize("convention", NAMES)
@given(rewards=REWARDS, data=st.data())
def test_order_does_not_matter(convention: str, rewards: list[float], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(rewards))))
    found = advantages(rewards, ["a"] * len(rewards), convention)
    moved = advantages([rewards[place] for place in order], ["a"] * len(rewards), convention)
    assert moved == tuple(found[place] for place in order)


@pytest.mark.parametrize("convention", NAMES)
@given(rewards=st.lists(st.integers(-8, 8), min_size=2, max_size=12), shift=st.integers(-50, 50))
def test_only_differences_count(convention: str, rewards: list[int], shift: int) -> None:
    groups = ["a"] * len(rewards)
    shifted = advantages([float(reward + shift) for reward in rewards], groups, convention)
    assert shifted == pytest.approx(advantages([float(reward) for reward in rewards], groups, convention), abs=1e-9)


@pytest.mark.parametrize("convention", NAMES)
def test_groups_know_nothing_of_each_other(convention: str) -> None:
    mixed = advantages([1.0, 5.0, 0.0, 7.0], ["a", "b", "a", "b"], convention)
    assert (mixed[0], mixed[2]) == advantages([1.0, 0.0], ["a", "a"], convention)
    assert (mixed[1], mixed[3]) == advantages([5.0, 7.0], ["b", "b"], convention)


@pytest.mark.parametrize("convention", NAMES)
def test_one_alone(convention: str) -> None:
    assert advantages([0.3], ["a"], convention) == ((0.3 / 1.000001,) if convention == "verl" else (0.0,))


@pytest.mark.parametrize("convention", NAMES)
def test_missing_rewards_count_for_nobody(convention: str) -> None:
    found = advantages([1.0, None, 0.0, None], ["a", "a", "a", "b"], convention)
    assert found[1] is None and found[3] is None
    assert (found[0], found[2]) == advantages([1.0, 0.0], ["a", "a"], convention)


@pytest.mark.parametrize("reward", [math.nan, math.inf, -math.inf])
def test_no_number_is_an_error(reward: float) -> None:
    with pytest.raises(RewardError, match="Reward 1 of group 'a'"):
        advantages([0.0, reward], ["a", "a"])


def test_unlike_lengths_are_an_error() -> None:
    with pytest.raises(RewardError, match="2 rewards came with 1 groups"):
        advantages([0.0, 1.0], ["a"])


def test_an_unknown_convention_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"'zscore'.*centred, slime, spade, trl, verl"):
        advantages([0.0], ["a"], "zscore")


def test_designers_are_never_divided_by_their_spread() -> None:
    assert {role_convention("designer", name) for name in NAMES} == {"centred"}
    assert [role_convention("agent", name) for name in NAMES] == NAMES


def test_groups_without_signal() -> None:
    assert without_signal([1.0, 1.0, 0.0, 0.5, 0.2, None], ["a", "a", "b", "b", "c", "d"]) == {"a", "c", "d"}
