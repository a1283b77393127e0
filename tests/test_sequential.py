"""The probe's statistics: errors and power enumerated afresh, and what must not change a decision."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from benchmarks import enumeration
from spade_envs import sequential
from spade_envs.differences import evidence_above, lower_bound, mean_interval, sign_flip_p
from spade_envs.sequential import FRONTIER, LOOKS, NO_REGRET, TRIVIAL, band, credit, decided, equal_group_share

Outcomes = tuple[list[float | None], list[float | None]]
KINDS = {"+": (0.0, 1.0), "-": (1.0, 0.0), "w": (1.0, 1.0), "l": (0.0, 0.0), "p": (None, 1.0), "h": (0.0, None)}
"""Plain and hinted outcome of a pair: hint alone won, plain alone won, both won, both lost, plain or hinted missing."""


def arms(kinds: str) -> Outcomes:
    """Outcomes of both arms, from one letter per pair."""
    pairs = [KINDS[kind] for kind in kinds]
    return [a for a, _ in pairs], [b for _, b in pairs]


def of(kinds: str) -> sequential.Decision:
    """The decision about such pairs."""
    return band(*arms(kinds))


def ever(table: Sequence[Sequence[int]], points: Sequence[tuple[float, float]], last: int = 64) -> np.ndarray:
    """P(a table ever decides) by a plain forward recursion for each point (for, against)."""
    p, q = (np.array(values)[:, None, None] for values in zip(*points, strict=True))
    reach = np.zeros((len(points), 65, 65))
    reach[:, 0, 0] = 1.0
    total = np.zeros(len(points))
    for n in range(1, last + 1):
        after = reach * (1.0 - p - q)
        after[:, 1:] += reach[:, :-1] * p
        after[:, :, 1:] += reach[:, :, :-1] * q
        reach = after
        if n in LOOKS:
            for against, least in enumerate(table[LOOKS.index(n)]):
                total += reach[:, least:, against].sum(axis=1)
                reach[:, least:, against] = 0.0
    return total


# -- errors and power, enumerated --------------------------------------------------------------------------------


def test_frontier_is_rarely_wrong_whatever_the_discordance() -> None:
    rates = np.concatenate([[0.0, 1e-4, 1e-3], np.linspace(0.005, 1.0, 200), np.linspace(0.5, 0.75, 51)])
    worst = ever(FRONTIER, [(d / 2, d / 2) for d in rates]).max()
    assert 0.0249 < worst <= 0.025


def test_frontier_is_rarely_wrong_between_the_rates_too() -> None:
    assert enumeration.level_bound(FRONTIER) <= 0.025


def test_less_than_no_regret_makes_frontier_rarer() -> None:
    points = [(d * share, d * (1 - share)) for d in (0.1, 0.4, 0.6, 0.9) for share in (0.5, 0.45, 0.3, 0.1)]
    chances = ever(FRONTIER, points).reshape(4, 4)
    assert (np.diff(chances, axis=1) < 0).all()


def test_no_regret_is_rarely_wrong() -> None:
    worst = ever([list(row) for row in NO_REGRET], [(q, q + 0.1) for q in np.linspace(0.0, 0.45, 226)]).max()
    assert 0.049 < worst <= 0.05


def test_trivial_is_rarely_wrong() -> None:
    reach, wrong = np.array([1.0]), 0.0  # by number of failures
    for n in range(1, 65):
        reach = np.convolve(reach, [0.8, 0.2])
        if n in LOOKS and (least := TRIVIAL[LOOKS.index(n)]) is not None:
            wrong += reach[: n - least + 1].sum()
            reach[: n - least + 1] = 0.0
    assert 0.02 < wrong <= 0.025


def test_power_is_what_the_design_asks_for() -> None:
    quick = ever(FRONTIER, [(0.7 * 0.8, 0.2 * 0.3)], last=16)[0]
    slow = ever(FRONTIER, [(0.65 * 0.65, 0.35 * 0.35)])[0]
    assert quick >= 0.8 and slow >= 0.8
    # The other bands may stop first; what is left is enumerated with them.
    assert enumeration.Operating.of_arms(0.2, 0.7).by_16 >= 0.8
    assert enumeration.Operating.of_arms(0.35, 0.65).bands["frontier"] >= 0.8


def test_two_thirds_of_the_pairs_do() -> None:
    ratios = []
    for plain, delta in itertools.product((0.1, 0.3, 0.5), (0.3, 0.4, 0.5, 0.6, 0.7)):
        if plain + delta < 0.951:
            found = enumeration.Operating.of_arms(plain, plain + delta)
            point = enumeration.independent(plain, plain + delta)
            ratios.append(found.pairs / enumeration.fixed_pairs(*point, found.bands["frontier"]))
    assert np.mean(ratios) <= 0.65


def test_every_order_of_eight_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brute force: all 3^8 orders, each decided by ``band``, against the recursion."""
    monkeypatch.setattr(sequential, "mean_interval", lambda differences, span: (-span, span))  # takes most of the time
    d = Fraction(3, 5)
    chance = Fraction(0)
    for order in itertools.product("+-l", repeat=8):
        if of("".join(order)).band == "frontier":
            ties = order.count("l")
            chance += (d / 2) ** (8 - ties) * (1 - d) ** ties
    assert float(chance) == pytest.approx(ever(FRONTIER, [(0.3, 0.3)], last=8)[0], abs=1e-15)
    assert chance > 0


def test_band_follows_the_tables_on_random_pairs() -> None:
    drawn = random.Random(5)
    for _ in range(60):
        kinds = "".join(drawn.choices("+-wl", [drawn.random() for _ in range(4)], k=64))
        expected = "uncertain"
        for k, n in enumerate(LOOKS):
            found = enumeration.first_band(k, *(np.array([kinds[:n].count(kind)]) for kind in "+-w"))[0]
            if found < 4:
                expected = enumeration.BANDS[found]
                break
        assert of(kinds).band == expected


def test_a_list_of_seeds_in_random_order_is_no_worse() -> None:
    """As many helped as harmed seeds, drawn without replacement: P(frontier) counted for every such list of 64."""
    for each in range(33):
        reach = {(0, 0): 1.0}
        wrong = 0.0
        for n in range(1, 65):
            after: dict[tuple[int, int], float] = {}
            for (x, y), chance in reach.items():
                left = 64 - n + 1
                for nx, ny, count in ((x + 1, y, each - x), (x, y + 1, each - y), (x, y, left - 2 * each + x + y)):
                    if count > 0:
                        after[nx, ny] = after.get((nx, ny), 0.0) + chance * count / left
            reach = after
            if n in LOOKS:
                row = FRONTIER[LOOKS.index(n)]
                gone = [(x, y) for x, y in reach if y < len(row) and x >= row[y]]
                wrong += sum(reach.pop(node) for node in gone)
        assert wrong <= 0.025, each


# -- decisions ---------------------------------------------------------------------------------------------------


def test_bands_are_asked_in_order() -> None:
    assert of("+" * 8).band == "frontier"
    assert of("w" * 31 + "l").band == "trivial"  # no regret is decided by the same look
    assert of("l" * 16).band == "unreachable"
    assert of("l" * 12).band == "uncertain"
    assert of("-" * 16).band == "no_regret"
    assert of("wl" * 16).band == "no_regret"
    assert of("").band == "uncertain"


def test_more_wins_of_the_hint_never_undo_frontier() -> None:
    for table in (FRONTIER, NO_REGRET):
        for row in table:
            assert all(a <= b for a, b in itertools.pairwise(row))
    drawn = random.Random(6)
    for _ in range(60):
        kinds = drawn.choices("+-wl", [5, 1, 1, 2], k=32)
        if of("".join(kinds)).band != "frontier":
            continue
        changed = ["+" if kind != "+" and drawn.random() < 0.3 else kind for kind in kinds]
        assert of("".join(changed)).band == "frontier"


def test_order_within_a_look_does_not_matter() -> None:
    kinds = "+-++l+++-++w"
    shuffled = [kinds[:4], kinds[4:8], kinds[8:]]
    expected = of(kinds)
    for seed in range(10):
        drawn = random.Random(seed)
        order = "".join("".join(drawn.sample(part, len(part))) for part in shuffled)
        found = of(order)
        assert (found.band, found.look, found.reason) == (expected.band, expected.look, expected.reason)


def test_what_comes_after_the_decision_is_not_looked_at() -> None:
    for kinds in ("+" * 8, "l" * 16, "-" * 8, "l+-+++++++++++++", "p" + "w+" * 12):
        found = of(kinds)
        assert found.look is not None
        assert found.final and decided(*arms(kinds))
        for more in ("-" * 56, "+" * 56, "p" * 30, "h+" * 20):
            assert of(kinds + more) == found


def test_sampling_goes_on_until_it_is_of_no_use() -> None:
    assert not decided(*arms("+-+-"))
    assert not decided(*arms("+-" * 31))
    assert decided(*arms("+-" * 32))
    assert not decided(*arms("p" * 11))
    assert decided(*arms("ph" * 6))  # 12 missing are too many even beside 64 complete pairs
    assert of("+-" * 32 + "+" * 40) == of("+-" * 32)


def test_arms_of_bad_shape_are_errors() -> None:
    with pytest.raises(ValueError, match="1 plain and 0 hinted"):
        band([1], [])
    for bad in (math.nan, math.inf, 1.5):
        with pytest.raises(ValueError, match="hinted outcome 0"):
            band([1], [bad])


# -- missing data ------------------------------------------------------------------------------------------------


def test_missing_pairs_are_no_pairs() -> None:
    assert of("++++p+++h").band == "uncertain"  # seven complete
    assert of("++++p++++").band == "frontier"
    assert of("++++p++++").pairs == 8


def test_too_many_missing_decide_nothing() -> None:
    assert of("++++p+h+++").band == "uncertain"  # 2 of 10
    assert "2 of 10" in of("++++p+h+++").reason
    assert of("++++p++h++++++").look == 12  # 2 of 14, at the next look


def test_missing_in_one_arm_decides_nothing() -> None:
    assert "unequal" in of("+-" * 9 + "ppp").reason  # 3 of 21 miss the plain outcome only
    assert "15%" not in of("+-" * 9 + "ppp").reason
    held, even = "ppp" + "+" * 24, "php" + "+" * 24  # at the look at 24, 3 of 27 are missing
    assert of(held).band == of(held.replace("p", "h")).band == "uncertain"
    assert of(even).look == 24
    assert of("ppp" + "+" * 32).look == 32  # 3 of 35 are less than a tenth
    assert of("pp" + "+" * 12).look == 12  # two are nothing


# -- graded outcomes and intervals -------------------------------------------------------------------------------


@pytest.mark.parametrize("differences", [[0.5, -0.25, 1.0, 0.0, 0.125], [0.3] * 6, [-1.0, 2.0, 0.7], [0.0, 0.0]])
def test_sign_flips_are_counted_exactly(differences: list[float]) -> None:
    total = round(sum(differences) * 1000)
    signs = list(itertools.product((-1, 1), repeat=len(differences)))
    as_far = sum(round(sum(s * d for s, d in zip(one, differences, strict=True)) * 1000) >= total for one in signs)
    assert sign_flip_p(differences) == as_far / len(signs)


def test_levels_of_sign_flips_sum_to_the_level() -> None:
    assert len(sequential.FLIP_LEVELS) == len(LOOKS)
    assert sum(sequential.FLIP_LEVELS) <= 0.025 + 1e-12


def test_graded_outcomes_decide_too() -> None:
    found = band([-1.0, 0.0] * 32, [1.0, 0.5] * 32)
    assert found.band == "frontier" and found.look is not None and found.look <= 24
    assert band([0.5] * 64, [0.5, 1.0, 0.5, 0.0] * 16).band == "uncertain"
    assert band([1.0, 0.5] * 32, [0.5, -1.0, 1.0, -0.5] * 16).band == "no_regret"
    assert band([0.0] * 16, [0.5] * 16).band == "unreachable"


def test_graded_no_regret_is_asked_at_a_tenth() -> None:
    assert band([1.0] + [0.5] * 63, [1.0] + [0.43] * 63).band == "no_regret"
    assert band([1.0] + [0.5] * 63, [1.0] + [0.6] * 63).band == "uncertain"


def test_graded_frontier_needs_sign_flips_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequential, "FLIP_LEVELS", (0.0,) * len(LOOKS))
    assert band([-1.0, 0.0] * 32, [1.0, 0.5] * 32).band == "uncertain"


def test_many_small_gains_and_few_large_losses_are_no_frontier(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mean 0, and sign flips alone would say frontier in four of ten probes; bets do not."""
    monkeypatch.setattr(sequential, "mean_interval", lambda differences, span: (-span, span))
    drawn = random.Random(7)
    wrong = alone = 0
    for _ in range(150):
        pairs = [(0.9, 1.0) if drawn.random() < 0.9 else (1.0, 0.1) for _ in range(64)]
        wrong += band(*zip(*pairs, strict=True)).band == "frontier"
        gains = [b - a for a, b in pairs]
        alone += any(sign_flip_p(gains[:n]) <= level for n, level in zip(LOOKS, sequential.FLIP_LEVELS, strict=True))
    assert wrong <= 5 and alone >= 40


def test_caller_can_say_that_outcomes_are_graded() -> None:
    assert band([0] * 8, [1] * 8, graded=True).band == "uncertain"
    assert band([0] * 24, [1] * 24, graded=True).band == "frontier"


def test_bets_are_a_martingale() -> None:
    """The mean evidence over every way that four fair differences can fall is what was staked."""
    for mean, values in ((0.0, (-1.0, 1.0)), (0.25, (-0.5, 1.0))):
        runs = list(itertools.product(values, repeat=4))
        assert np.mean([evidence_above(run, mean, 1.0) for run in runs]) == pytest.approx(1.0)
    assert np.mean([evidence_above(run, 0.1, 1.0) for run in itertools.product((-1.0, 1.0), repeat=4)]) < 1.0


def test_interval_of_equal_differences_is_not_a_point() -> None:
    for kinds in ("++++++++", "l" * 16, "-" * 8, "w" * 31 + "w"):
        low, high = of(kinds).interval
        assert high - low > 0.1
        assert low <= of(kinds).regret <= high
    assert of("").interval == (-1.0, 1.0)


def test_interval_holds_delta_at_the_stop() -> None:
    """Exactly, at the looks up to 16 for independent arms .2 and .7: the share of stops whose interval misses delta."""
    p, q, delta = 0.56, 0.06, 0.5
    bounds: dict[tuple[int, int, int], bool] = {}
    for n in LOOKS[:4]:
        for x, y in itertools.product(range(n + 1), repeat=2):
            if x + y <= n:
                low, high = mean_interval([1.0] * x + [-1.0] * y + [0.0] * (n - x - y), 1.0)
                bounds[n, x, y] = low <= delta <= high
    reach, missed = {(0, 0): 1.0}, 0.0
    for n in range(1, 17):
        after: dict[tuple[int, int], float] = {}
        for (x, y), chance in reach.items():
            for node, share in (((x + 1, y), p), ((x, y + 1), q), ((x, y), 1 - p - q)):
                after[node] = after.get(node, 0.0) + chance * share
        reach = after
        if n in LOOKS:
            gone = [node for node in reach if not bounds[n, *node]]
            missed += sum(reach.pop(node) for node in gone)
    assert 0.0 < missed <= 0.05


def test_bounds_turn_with_the_differences() -> None:
    low, high = mean_interval([0.5, -0.25, 1.0, 1.0], 2.0)
    assert mean_interval([-0.5, 0.25, -1.0, -1.0], 2.0) == (-high, -low)
    assert lower_bound([], 0.025, 1.0) == -1.0


# -- credit ------------------------------------------------------------------------------------------------------


def test_a_password_earns_a_quarter() -> None:
    assert credit(1.0, plain_successes=0) == 0.25
    assert credit(1.0, plain_successes=1) == 1.0
    assert credit(0.015, plain_successes=0) == pytest.approx(0.1)
    assert credit(-1.0, plain_successes=0) == 0.0
    with pytest.raises(ValueError, match="finite"):
        credit(math.nan, 1)


def test_groups_of_equal_rewards() -> None:
    for rate, size in ((0.3, 4), (0.0, 8), (1.0, 2)):
        exact = sum(
            math.prod(rate if won else 1 - rate for won in group)
            for group in itertools.product((0, 1), repeat=size)
            if len(set(group)) == 1
        )
        assert equal_group_share(rate, size) == pytest.approx(exact)
    with pytest.raises(ValueError, match="rate"):
        equal_group_share(1.1, 4)
