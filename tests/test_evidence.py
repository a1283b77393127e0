"""The statistics that rules decide by, against other ways to compute them."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from spade_envs.evidence import association, binomial_tail, exceeds, most_common

NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)
"""Exact for polynomials of degree below 80, which the densities here are."""


def lower_bound(successes: int, trials: int, alpha: float) -> float:
    """The Clopper-Pearson bound as what it is: a quantile of Beta(successes, trials - successes + 1)."""
    if successes == 0:
        return 0.0
    scale = successes * math.comb(trials, successes)

    def below(x: float) -> float:
        at = (NODES + 1) * x / 2
        return float(scale * x / 2 * np.sum(WEIGHTS * at ** (successes - 1) * (1 - at) ** (trials - successes)))

    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < alpha else (low, middle)
    return low


def test_the_bound_computed_here_is_the_textbook_one() -> None:
    assert lower_bound(10, 10, 0.05) == pytest.approx(0.05 ** (1 / 10))
    assert lower_bound(1, 10, 0.05) == pytest.approx(1 - 0.95 ** (1 / 10))
    assert lower_bound(3, 20, 0.025) == pytest.approx(0.0320709, abs=1e-6)


@pytest.mark.parametrize("trials", [1, 2, 5, 16, 64])
@pytest.mark.parametrize("alpha", [0.005, 0.05, 0.3])
def test_exceeds_compares_the_exact_bound(trials: int, alpha: float) -> None:
    for successes in range(trials + 1):
        bound = lower_bound(successes, trials, alpha)
        for rate in (0.01, 0.05, 0.1, 0.5, 0.9, bound - 1e-6, bound + 1e-6):
            if 0.0 <= rate <= 1.0:
                assert exceeds(successes, trials, rate, alpha) == (bound > rate), (successes, rate)


def test_no_success_exceeds_nothing() -> None:
    assert not exceeds(0, 16, 0.0, 1.1) and exceeds(1, 16, 0.0, 0.001)


@pytest.mark.parametrize("trials", [0, 1, 3, 7])
@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1, 20), Fraction(1, 2), Fraction(4, 5), Fraction(1)])
def test_the_tail_counts_outcomes(trials: int, rate: Fraction) -> None:
    chances = [Fraction(0)] * (trials + 1)
    for outcome in itertools.product((0, 1), repeat=trials):
        wins = sum(outcome)
        chances[wins] += rate**wins * (1 - rate) ** (trials - wins)
    for successes in range(-1, trials + 2):
        exact = float(sum(chances[max(0, successes) :]))
        assert binomial_tail(successes, trials, float(rate)) == pytest.approx(exact, abs=1e-15)


def test_the_tail_is_a_probability_and_falls() -> None:
    tails = [binomial_tail(successes, 80, 0.37) for successes in range(83)]
    assert tails[0] == 1.0 and tails[-1] == tails[-2] == 0.0
    assert all(0.0 <= later <= earlier <= 1.0 for earlier, later in itertools.pairwise(tails))
    assert tails[80] == pytest.approx(0.37**80, rel=1e-12)


def test_association_is_the_diagonal_against_the_rest() -> None:
    rng = np.random.default_rng(3)
    for count in (2, 3, 9):
        table = rng.random((count, count)) < 0.5
        rest = table[~np.eye(count, dtype=bool)]
        expected = np.diag(table).mean() - rest.mean()
        assert association(count, lambda i, j, table=table: bool(table[i, j])) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["1", "2", "3", "4"], 1.0),  # each text tells its own answer only
        (["1", "1", "1", "1"], 0.0),  # one answer everywhere tells nothing
        (["2", "3", "4", "1"], -1 / 3),  # a text tells another's answer
        (["9", "9", "9", "9"], 0.0),
        (["1"], 0.0),
        ([], 0.0),
    ],
)
def test_association_of_texts_and_answers(answers: list[str], expected: float) -> None:
    texts = ["1", "2", "3", "4"] if answers[:2] != ["1", "1"] else ["1"] * 4
    assert association(len(answers), lambda i, j: texts[i] == answers[j]) == pytest.approx(expected)


def test_fewer_than_two_pairs_are_not_even_asked() -> None:
    def never(i: int, j: int) -> bool:
        raise AssertionError

    assert association(0, never) == association(1, never) == 0.0


def test_most_common() -> None:
    assert most_common("abcbc") == "b"
    assert most_common(["x"]) == "x"
    assert most_common([("a",), ("b",), ("b",)]) == ("b",)
    assert most_common([2, 1, 1.0, 2, True]) == 1
    assert most_common([]) is None
