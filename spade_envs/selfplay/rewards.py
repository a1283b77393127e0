"""What designers are paid: pure functions of outcomes. Needs no PyTorch.

"Paper" is arXiv 2608.19197 with its code. An outcome is in [-1, 1], ``None`` where missing; a number that is not finite
is an error everywhere, never a reward.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from .advantages import advantages
from .config import DesignSection
from .evidence import Design, Evidence
from .failures import ConfigError, RewardError
from .outcomes import agent_reward as agent_reward
from .outcomes import differences, mean_outcome, mean_variance, present, solve_rate
from .priors import Prior
from .trackers import Tracker

REFUSALS: Mapping[Design, float] = {
    Design.STATIC: -1.0,
    Design.LOAD: -0.8,
    Design.BEHAVIOUR: -0.5,
    Design.WORTH: -0.3,
}
"""The sooner a reply fails, the less it is worth; every one of them is worth less than an environment of no use (0)."""
FAULT_PENALTY = -0.5
"""Of an environment that fails or hangs while it is played; the paper's for time-outs."""
GUARDED = 0.25
"""Most credit for regret without a plain success: a password that only the hint tells is no lesson."""
REGRET_SCALE = 0.15
"""Regret that ``blend`` pays in full (paper)."""
PLATEAU_SHARE = 0.6
"""Share of the plateau in ``blend``; the rest is regret's (paper)."""
LARGEST_SCALE = 50.0
"""Bound of :func:`paper_scale`."""
OF_THE_PAPER = frozenset({"regret_floored", "blend", "solve_rate", "learning_potential", "micro_lp"})
"""Rewards that are centred per skill when they are made, as the paper's code does."""


# -- one environment ---------------------------------------------------------------------------------------------------


def regret(plain: Sequence[float | None], hinted: Sequence[float | None]) -> float | None:
    """Mean of hinted minus plain outcome over complete pairs; ``None`` without any. Ours: the paper's is unpaired.

    >>> regret((0.0, 0.0, None), (1.0, 0.0, 1.0))
    0.5
    """
    pairs = differences(plain, hinted)
    return math.fsum(pairs) / len(pairs) if pairs else None


def regret_floored(
    plain: Sequence[float | None], hinted: Sequence[float | None], later: Sequence[Sequence[float | None]] = ()
) -> float:
    """``max(0, mean hinted - mean plain)`` over all plain outcomes there are, later ones included (paper).

    Where nothing was played with the hint its mean counts as 0. The floor makes noise pay: see :func:`noise_floor`.
    And where the policy learns, plain outcomes of later cycles shrink it.
    """
    return max(0.0, mean_outcome(hinted) - mean_outcome(plain, *later))


def noise_floor(solve_rate: float, plays: int) -> float:
    """What :func:`regret_floored` pays where the true regret is 0: E[max(0, noise)].

    ``sqrt(2 p (1 - p) / k) / sqrt(2 pi)`` for k plays in each arm that succeed with probability p, in the normal
    approximation.

    >>> round(noise_floor(0.5, 16), 4), round(noise_floor(0.1, 16), 4), round(noise_floor(0.5, 8), 4)
    (0.0705, 0.0423, 0.0997)
    """
    if plays < 1 or not 0 <= solve_rate <= 1:
        raise RewardError(f"No noise of {plays} plays at rate {solve_rate}: needed are 1 or more, and 0 to 1.")
    return math.sqrt(2 * solve_rate * (1 - solve_rate) / plays) / math.sqrt(2 * math.pi)


def regret_shrunk(plain: Sequence[float | None], hinted: Sequence[float | None], prior: Prior) -> float | None:
    """Posterior mean of the true regret under a normal prior of earlier cycles; not floored. ``None`` without pairs.

    With few or scattered pairs it stays near what environments earn on average, so that noise pays nobody. Ours.
    """
    pairs = differences(plain, hinted)
    return prior.posterior_mean(math.fsum(pairs) / len(pairs), mean_variance(pairs)) if pairs else None


def plateau(win: float, lo: float = 0.4, hi: float = 0.6, ramp: float = 0.25) -> float:
    """1 for success rates in [lo, hi], falling to 0 over ``ramp`` on both sides (paper).

    >>> plateau(0.5), round(plateau(0.3), 12), plateau(0.0)
    (1.0, 0.6, 0.0)
    """
    if not math.isfinite(win):
        raise RewardError(f"A success rate is {win}. It has to be finite.")
    beyond = max(lo - win, win - hi, 0.0)
    if not beyond:
        return 1.0
    return max(0.0, 1.0 - beyond / ramp) if ramp > 0 else 0.0


def blend(win: float, raw_regret: float, band: tuple[float, float, float], most: float = 1.0) -> float:
    """``0.6 plateau(win) + 0.4 clip(regret / 0.15, 0, most)`` (paper, where ``most`` is 1).

    >>> blend(0.5, 0.15, (0.4, 0.6, 0.25)), round(blend(0.3, 0.075, (0.4, 0.6, 0.25)), 12)
    (1.0, 0.56)
    """
    if not math.isfinite(raw_regret):
        raise RewardError(f"A regret is {raw_regret}. It has to be finite.")
    return PLATEAU_SHARE * plateau(win, *band) + (1 - PLATEAU_SHARE) * min(most, max(0.0, raw_regret / REGRET_SCALE))


def learnability(rate: float) -> float:
    """``4 p (1 - p)``: 1 where half is solved, 0 where nothing or everything is (after arXiv 2408.15099).

    >>> learnability(0.5), learnability(1.0)
    (1.0, 0.0)
    """
    return 4 * rate * (1 - rate)


def learning_potential(evidence: Evidence, tracker: Tracker) -> float:
    """``|mean plain outcome - slow mean of its skill|`` (paper); 0 where nothing was played.

    The paper's code lets the tracker see the batch before it is paid: ``tracker.seen(batch)``.
    """
    if not present(evidence.plain, *evidence.later) or (track := tracker.track(evidence.skill)) is None:
        return 0.0
    return abs(mean_outcome(evidence.plain, *evidence.later) - track.slow)


def micro_lp(plain: Sequence[float | None], later: Sequence[Sequence[float | None]]) -> float:
    """``max(0, mean of the late half - mean of the early half)`` of the cycles an environment was played in (paper).

    The middle one of an odd number is late. 0 where it was played in one cycle only.

    >>> micro_lp((0.0, 0.0), [(0.0, 1.0), (1.0, 1.0)])
    0.75
    """
    cycles = [values for arm in (plain, *later) if (values := present(arm))]
    if len(cycles) < 2:
        return 0.0
    middle = len(cycles) // 2
    return max(0.0, mean_outcome(*cycles[middle:]) - mean_outcome(*cycles[:middle]))


def credit_cap(evidence: Evidence) -> float:
    """1 with at least one plain success, then or later; else :data:`GUARDED`."""
    return 1.0 if solve_rate(evidence.plain, *evidence.later) else GUARDED


# -- designers ---------------------------------------------------------------------------------------------------------


def designer_reward(
    evidence: Evidence, section: DesignSection, prior: Prior | None = None, tracker: Tracker | None = None
) -> float | None:
    """What one reply earns, before it is compared with others.

    Args:
        evidence: what became of it.
        section: chooses the reward, and whether refusals are paid and the guard holds.
        prior: for ``regret_shrunk``; a new one by default.
        tracker: for ``learning_potential``; it has seen the batch.

    Returns:
        ``None`` where the reply is no sample: undecided, refused without ``section.refusals``, or without the outcomes
        that its reward is made of.

    Raises:
        RewardError: when an outcome is not finite.
        ConfigError: when there is no such reward.
    """
    if evidence.design in (Design.FAULTY, Design.HUNG):
        return FAULT_PENALTY
    if evidence.design in REFUSALS:
        return REFUSALS[evidence.design] if section.refusals else None
    if evidence.design is Design.UNDECIDED:
        return None
    # What nobody played without the hint has no reward; the paper's code takes a mean of 0 there and pays it in full.
    if not present(evidence.plain, *evidence.later):
        return None
    present(evidence.hinted)
    reward = _of_admitted(evidence, section, prior or Prior(), tracker or Tracker())
    if reward is not None and not math.isfinite(reward):
        raise RewardError(f"The {section.reward} of an environment is {reward}.")
    return reward


def designer_rewards(
    evidence: Sequence[Evidence],
    section: DesignSection,
    prior: Prior | None = None,
    tracker: Tracker | None = None,
    agents: int = 0,
) -> tuple[float | None, ...]:
    """What the replies of a batch earn.

    The paper's rewards are centred per skill here. With ``section.weight`` 0 all are, and are multiplied by
    :func:`paper_scale`; ``agents`` is then the number of agents' trajectories in the step.
    """
    rewards = [designer_reward(item, section, prior, tracker) for item in evidence]
    if section.weight and section.reward not in OF_THE_PAPER:
        return tuple(rewards)
    scale = 1.0
    if not section.weight:
        scale = paper_scale(agents, sum(reward is not None for reward in rewards), section.interval)
    means = centred(rewards, [item.skill for item in evidence])
    return tuple(None if reward is None else reward * scale for reward in means)


def centred(rewards: Sequence[float | None], skills: Sequence[str]) -> tuple[float | None, ...]:
    """Rewards less the mean of their skill, not divided by anything (paper).

    >>> [round(x, 3) for x in centred([0.3, 0.1, 0.0, -0.5], ["a"] * 4)]
    [0.325, 0.125, 0.025, -0.475]
    """
    return advantages(rewards, skills, "centred")


def paper_scale(agents: int, designers: int, interval: int) -> float:
    """``min(agents / designers * interval, 50)``; 1 where either is 0 (paper). Counts are of a step's trajectories.

    >>> paper_scale(192, 24, 4), paper_scale(192, 24, 8), paper_scale(192, 0, 4)
    (32.0, 50.0, 1.0)
    """
    if agents <= 0 or designers <= 0:
        return 1.0
    return min(agents / designers * interval, LARGEST_SCALE)


def _of_admitted(evidence: Evidence, section: DesignSection, prior: Prior, tracker: Tracker) -> float | None:
    plain, hinted, later = evidence.plain, evidence.hinted, evidence.later
    cap = credit_cap(evidence) if section.guard else 1.0
    match section.reward:
        case "regret_shrunk":
            shrunk = regret_shrunk(plain, hinted, prior)
            return None if shrunk is None else min(shrunk, cap)
        case "regret_floored":
            return min(regret_floored(plain, hinted, later), cap)
        case "blend":
            # Plain outcomes of the same policy version only; success counts all.
            matched = mean_outcome(hinted) - mean_outcome(plain)
            return blend(mean_outcome(plain, *later), matched, section.plateau, most=cap)
        case "solve_rate":
            return plateau(mean_outcome(plain, *later), *section.plateau)
        case "learnability":
            rate = solve_rate(plain, *later)
            return None if rate is None else learnability(rate)
        case "learning_potential":
            return learning_potential(evidence, tracker)
        case "micro_lp":
            return micro_lp(plain, later)
    allowed = ", ".join(sorted({*OF_THE_PAPER, "regret_shrunk", "learnability"}))
    raise ConfigError(f"There is no designer's reward {section.reward!r}. Choose one of: {allowed}.")
