"""Environments that teach nothing earn their designer nothing."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from spade_envs.selfplay.advantages import advantages
from spade_envs.selfplay.config import DesignSection
from spade_envs.selfplay.evidence import Design, Evidence
from spade_envs.selfplay.priors import Prior
from spade_envs.selfplay.rewards import blend, designer_reward, noise_floor, regret_floored, regret_shrunk

REGRETS = ("regret_shrunk", "regret_floored", "blend")
PLAYS = 8
START = Prior()
LEARNT = Prior(count=40, total=8, squares=4, noise=1)
"""As after some cycles: environments earn about .2."""


def of(
    plain: tuple[float, ...], hinted: tuple[float, ...], section: DesignSection, prior: Prior | None = None
) -> float:
    found = designer_reward(Evidence("logic", Design.ADMITTED, plain, hinted), section, prior)
    assert found is not None
    return found


@pytest.mark.parametrize("prior", [Prior(), LEARNT])
@pytest.mark.parametrize("reward", REGRETS)
def test_a_password_earns_a_quarter_at_most(reward: str, prior: Prior) -> None:
    """Never solved without the hint, always with it."""
    password = of((0.0,) * PLAYS, (1.0,) * PLAYS, DesignSection(reward=reward), prior)
    assert password <= 0.25
    lesson = of((1.0,) + (0.0,) * (PLAYS - 1), (1.0,) * PLAYS, DesignSection(reward=reward), prior)
    assert lesson > 2 * password


def test_without_the_guard_a_password_earns_it_all() -> None:
    unguarded = DesignSection(reward="regret_floored", guard=False)
    assert of((0.0,) * PLAYS, (1.0,) * PLAYS, unguarded) == 1.0


def test_a_later_success_lifts_the_guard() -> None:
    seen = Evidence("logic", Design.ADMITTED, (0.0,) * PLAYS, (1.0,) * PLAYS, later=((0.0, 1.0),))
    found = designer_reward(seen, DesignSection())
    assert found is not None and found > 0.25


def test_a_coin_flip_earns_nothing_on_average() -> None:
    """Both arms are coins. Over all outcomes of 4 pairs, each as likely, the shrunk regret averages exactly 0."""
    coins = list(itertools.product((0.0, 1.0), repeat=4))
    found = [regret_shrunk(plain, hinted, Prior()) or 0.0 for plain in coins for hinted in coins]
    assert math.fsum(found) == pytest.approx(0.0, abs=1e-12)
    floored = math.fsum(regret_floored(plain, hinted) for plain in coins for hinted in coins) / len(coins) ** 2
    # What a floor makes of the same noise, and what the log reports it as.
    assert floored == pytest.approx(noise_floor(0.5, 4), abs=0.005)


def test_a_balanced_coin_flip_earns_nothing() -> None:
    plain, hinted = (0.0, 1.0) * 4, (1.0, 0.0) * 4
    assert of(plain, hinted, DesignSection()) == 0.0
    assert of(plain, hinted, DesignSection(reward="regret_floored")) == 0.0


def test_noise_earns_less_than_in_the_papers_reward() -> None:
    draw = random.Random(0)
    ours, floored, blended = [], [], []
    for _ in range(2000):
        plain, hinted = (tuple(float(draw.random() < 0.5) for _ in range(16)) for _ in range(2))
        ours.append(regret_shrunk(plain, hinted, Prior()) or 0.0)
        floored.append(regret_floored(plain, hinted))
        raw = math.fsum(hinted) / 16 - math.fsum(plain) / 16
        blended.append((blend(0.0, raw, (0.4, 0.6, 0.25))) / 0.4)
    assert abs(math.fsum(ours) / 2000) < 0.01
    assert math.fsum(floored) / 2000 == pytest.approx(noise_floor(0.5, 16), abs=0.005)
    assert math.fsum(blended) / 2000 > 0.25


def test_an_environment_that_is_always_won_earns_nothing() -> None:
    always = (1.0,) * PLAYS
    for reward in ("regret_shrunk", "regret_floored", "blend", "solve_rate", "learnability", "micro_lp"):
        assert of(always, always, DesignSection(reward=reward)) == 0.0
    # With a prior that expects something it earns next to nothing of it, which is less than others do.
    learnt = of(always, always, DesignSection(), LEARNT)
    assert 0 < learnt < LEARNT.mean / 4
    others = [of((0.0, 1.0) * 4, (1.0,) * PLAYS, DesignSection(), LEARNT), learnt]
    assert (advantages(others, ["logic"] * 2)[1] or 0.0) < -0.1


@pytest.mark.parametrize("reward", [*REGRETS, "solve_rate", "learnability", "learning_potential", "micro_lp"])
def test_an_environment_that_hangs_is_punished(reward: str) -> None:
    """The paper's blend pays one in full: plain 0 and 1, hinted 1."""
    seen = Evidence("logic", Design.HUNG, (0.0, 1.0), (1.0, 1.0))
    assert designer_reward(seen, DesignSection(reward=reward)) == -0.5
