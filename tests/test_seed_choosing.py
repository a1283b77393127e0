"""Strategies that choose seeds: known answers on small memories."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from spade_envs.memory.choosing import FEW_PROBED, SHOWINGS_PER_BAND, STRATEGIES, Candidate, Chosen, choose

DRAWS = 300


def probed(number: int, band: str = "frontier", plain: float = 0.5, regret: float = 0.4, low: float = 0.3) -> Candidate:
    return Candidate(number, f"{number:03d}", band=band, plain=plain, regret=regret, low=low)


def fresh(number: int) -> Candidate:
    return Candidate(number, f"{number:03d}")


def refused(number: int) -> Candidate:
    return Candidate(number, f"{number:03d}", refused=True)


def draws(candidates: list[Candidate], strategy: str = "balanced", **options: object) -> list[Chosen]:
    return [choose(candidates, strategy, seed=seed, **options) for seed in range(DRAWS)]  # type: ignore[arg-type]


def positives(chosen: list[Chosen]) -> Counter[int]:
    return Counter(one.id for found in chosen for one in found.positives)


def negatives(chosen: list[Chosen]) -> Counter[int]:
    return Counter(one.id for found in chosen for one in found.negatives)


# -- all of them -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_same_arguments_draw_the_same(strategy: str) -> None:
    pool = [probed(at, plain=at / 40, regret=at / 40) for at in range(40)] + [refused(at) for at in range(40, 60)]
    one = draws(pool, strategy)
    assert one == draws(list(reversed(pool)), strategy), "whatever order they come in"
    assert len({found.positives for found in one}) > 10 and len({found.negatives for found in one}) > 3
    assert all(len(set(found.positives)) == 2 and len(found.negatives) == 1 for found in one)
    assert choose([], strategy) == Chosen((), ())
    none = choose(pool, strategy, positives=0, negatives=0)
    assert none == Chosen((), ())


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_does_not_fit_is_passed_over(strategy: str) -> None:
    pool = [probed(at, plain=0.4) for at in range(6)] + [probed(at, "trivial", plain=0.95) for at in range(6, 12)]
    asked: list[int] = []

    def fits(one: Candidate) -> bool:
        asked.append(one.id)
        return one.id % 3 == 0

    found = choose(pool, strategy, positives=4, negatives=4, fits=fits)
    if strategy == "uniform":  # it knows no bands
        assert len(found.positives) == 4 and {one.id for one in found.positives} <= {0, 3, 6, 9}
    else:
        assert {one.id for one in found.positives} == {0, 3} and {one.id for one in found.negatives} == {6, 9}
        assert len(asked) == len(set(asked)), "each is asked about once"


def test_an_unknown_strategy_is_named() -> None:
    with pytest.raises(ValueError, match="no strategy 'best'; allowed: balanced, paper, uniform"):
        choose([], "best")


# -- balanced ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("band", ["frontier", "uncertain"])
def test_a_lucky_single_pair_does_not_win(band: str) -> None:
    lucky = probed(99, band, plain=0.0, regret=1.0, low=-0.13)
    solid = [probed(at, regret=0.35, low=0.2) for at in range(4)]
    many = [replace(one, id=at, sha256=str(at)) for at, one in enumerate(solid * 10)]
    assert positives(draws([*many, lucky]))[99] == 0
    assert positives(draws([*solid, lucky]))[99] == 0, "even as the newest of five"
    # By the paper's rule it is the first of ten.
    lucky = replace(lucky, plain=0.2)
    assert positives(draws([*many, lucky], "paper"))[99] == pytest.approx(DRAWS * 2 / 10, rel=0.25)


def test_the_frontier_comes_first_and_useless_ones_never() -> None:
    pool = [probed(at, "uncertain", low=0.5) for at in range(20)]
    pool += [probed(at, band) for band, at in (("trivial", 20), ("unreachable", 21), ("no_regret", 22))]
    pool += [refused(23), probed(30, low=0.1), probed(31, low=0.1)]
    chosen = positives(draws(pool))
    assert set(chosen) == {30, 31}
    assert set(positives(draws(pool, positives=8))) == {*range(20), 30, 31}
    assert choose(pool[20:24], "balanced").positives == ()


def test_more_regret_that_is_sure_is_shown_more_often() -> None:
    pool = [probed(at, low=0.9 - at / 20) for at in range(18)]
    chosen = positives(draws(pool, positives=1))
    assert chosen[0] > chosen[3] > chosen[9] > 0 and chosen[12] == 0, chosen
    assert chosen[0] == pytest.approx(DRAWS / sum(1 / rank for rank in range(1, 11)), rel=0.2)


def test_newer_ones_win_ties() -> None:
    chosen = positives(draws([probed(at) for at in range(40)], positives=1))
    assert set(chosen) == set(range(30, 40)) and chosen[39] > chosen[31]


def test_what_is_not_probed_yet_gets_a_share_while_little_is_known() -> None:
    for known in (0, FEW_PROBED, 7 * FEW_PROBED):
        pool = [probed(at) for at in range(known)] + [fresh(at) for at in range(100, 140)]
        found = positives(draws(pool, positives=1))
        share = sum(count for number, count in found.items() if number >= 100) / DRAWS
        assert share == pytest.approx(FEW_PROBED / (FEW_PROBED + known), abs=0.07), known
    # Where nothing is of use that was probed, it is the rest that is shown.
    assert set(positives(draws([*(probed(at, "trivial") for at in range(90)), fresh(100)]))) == {100}


def test_what_was_shown_lately_steps_back() -> None:
    pool = [probed(at, low=0.5) for at in range(4)]
    worn = {"003": 2}
    before, after = (positives(draws(pool, positives=1, shown=shown)) for shown in ({}, worn))
    assert before[3] > before[0] and after[3] < after[0], "the newest one is no longer the likeliest"
    often = {one.sha256: SHOWINGS_PER_BAND for one in pool[1:]}
    assert set(positives(draws(pool, positives=1, shown=often))) == {0}
    # One that is uncertain has its turn when the frontier was shown again and again.
    pool = [probed(0, low=0.9), probed(1, "uncertain", low=-0.1)]
    assert set(positives(draws(pool, positives=1, shown={"000": 2 * SHOWINGS_PER_BAND}))) == {1}
    assert set(positives(draws(pool, positives=1))) == {0}


def test_kin_of_what_was_shown_steps_back_too() -> None:
    pool = [replace(probed(at), root="adam") for at in range(3)] + [probed(7)]
    assert set(positives(draws(pool, positives=1, shown={"000": 1, "001": 1, "002": 1}))) == {7}


def test_no_two_of_one_lineage_unless_nothing_else() -> None:
    kin = [replace(probed(at, low=0.8), root="adam") for at in range(10)]
    adam = replace(probed(20, low=0.9), sha256="adam")
    other = probed(21, "uncertain", low=-0.5)
    for found in draws([*kin, adam, other], positives=2):
        assert len(found.positives) == 2 and found.positives[1].id == 21, "the ancestor itself is of the lineage"
    for found in draws([*kin, adam], positives=3):
        assert len(set(found.positives)) == 3


def test_the_wanted_skill_and_contract_come_first() -> None:
    pool = [replace(probed(at, low=0.9), level=at % 3) for at in range(3, 33)]
    near = probed(1, "uncertain", low=-0.2)
    assert {one.level for found in draws(pool) for one in found.positives} == {0}
    for found in draws([one for one in [near, *pool] if one.level or one is near]):
        assert [one.level for one in found.positives] == [0, 1]


# -- negatives ---------------------------------------------------------------------------------------------------


def test_negatives_are_of_both_kinds_newest_first_and_no_kin_of_positives() -> None:
    pool = [probed(1), probed(2)]
    bad = [refused(at) for at in range(100, 200)] + [probed(at, "unreachable") for at in range(200, 203)]
    chosen = negatives(draws([*pool, *bad]))
    assert 0.4 < sum(count for number, count in chosen.items() if number >= 200) / DRAWS < 0.6
    assert min(chosen) >= 168 and chosen[199] > chosen[190] > 0
    kin = [replace(one, root="001") for one in bad]
    assert not negatives(draws([probed(1), *kin]))
    assert set(negatives(draws([*pool[1:], *kin], positives=1))) <= {one.id for one in bad}


def test_a_negative_that_was_shown_waits_for_the_others() -> None:
    bad = [refused(at) for at in range(3)]
    assert set(negatives(draws(bad, shown={"002": 1, "001": 1}))) == {0}
    assert set(negatives(draws(bad))) == {0, 1, 2}


def test_what_is_of_no_use_but_cannot_be_called_a_failure_is_no_negative() -> None:
    assert not negatives(draws([probed(1, "no_regret"), probed(2, "uncertain"), fresh(3), probed(4)]))


# -- the paper's rule, and an even draw --------------------------------------------------------------------------


def test_the_papers_rule() -> None:
    pool = [probed(at, "uncertain", plain=0.5, regret=at / 100, low=-1.0) for at in range(40)]
    pool += [probed(50, plain=0.15, regret=0.9), probed(51, plain=0.85, regret=0.8)]
    pool += [probed(60, plain=0.14, regret=0.99), probed(61, plain=0.86, regret=0.99), fresh(62), refused(63)]
    chosen = draws(pool, "paper")
    top = {50, 51, *range(32, 40)}
    assert set(positives(chosen)) == top and all(len(found.positives) == 2 for found in chosen)
    for count in positives(chosen).values():
        assert count == pytest.approx(DRAWS * 2 / 10, rel=0.3), "each of the ten is as likely"
    assert not negatives(chosen)
    ends = [probed(70, plain=0.9), probed(71, plain=0.1), probed(72, plain=0.91), probed(73, plain=0.09)]
    assert set(negatives(draws([*pool, *ends], "paper"))) == {72, 73}
    assert len(set(positives(draws(pool, "paper", positives=4)))) == 12, "the best 3n where that is more than ten"


def test_an_even_draw_takes_all_that_is_admitted() -> None:
    pool = [probed(0, "trivial"), probed(1, low=0.9), fresh(2), fresh(3), refused(4)]
    chosen = draws(pool, "uniform", positives=1)
    for number in range(4):
        assert positives(chosen)[number] == pytest.approx(DRAWS / 4, rel=0.3)
    assert set(negatives(chosen)) == {0, 4}
    far = [replace(fresh(9), level=1), replace(fresh(10), level=2)]
    assert set(positives(draws([*pool, *far], "uniform", positives=4))) == {0, 1, 2, 3}
    assert set(positives(draws([*pool, *far], "uniform", positives=5))) == {0, 1, 2, 3, 9}
