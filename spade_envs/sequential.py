"""The statistics of a probe: when paired outcomes decide a band, and what may be said of the regret then.

A pair is one seed played without and with the hint. delta is the mean of hinted minus plain outcome over seeds and over
the player's own chance. The tables below hold the error of each decision over all looks together, in the worst case; a
test enumerates them, and ``benchmarks/boundaries.py`` found them.

**Seeds that differ.** With success probabilities p(s) and q(s) on seed s, seeds drawn independently make the pairs
independent and alike: (hint alone won, plain alone won, tie) is trinomial, with probabilities that are averages over s.
delta <= 0 says P(hint alone) <= P(plain alone) *on average over seeds*, not on each, and nothing else about the seeds
enters. The chance of ``frontier`` grows with the first and falls with the second, so that under delta <= 0 it is
largest where both are d/2; the worst d in [0, 1] is the sup over all p and all populations of seeds. For one fixed list
of seeds in a fixed order it is no statement about that list: its first seeds could be those that the hint helps on. So
draw seeds at random. A list in random order is drawn without replacement: a test counts lists of helped and harmed
seeds, where the error stays below .025, but that is no proof for every list.

**Level of each decision**, over all looks: ``frontier`` .025, ``trivial`` .025, ``no_regret`` .05; ``unreachable`` is
wrong with probability .8^16 = .028 where hinted play wins a fifth of the time.

**Outcomes other than 0 and 1** have no table. ``frontier`` then needs two things: sign flips within pairs at levels
that sum to .025 (valid for differences symmetric about 0), and bets against delta <= 0 at .025, which hold for every
law. ``no_regret`` needs bets against delta >= .1 at .05.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from .differences import evidence_above, mean_interval, sign_flip_p
from .episodes import SUCCESS_REWARD

LOOKS = (4, 8, 12, 16, 24, 32, 48, 64)
"""Complete pairs at which the outcomes are looked at."""

FRONTIER: tuple[tuple[int, ...], ...] = (
    (),
    (8,),
    (8, 10),
    (5, 7, 9, 11),
    (6, 12, 13, 15, 17, 18),
    (5, 9, 13, 16, 18, 20, 21, 22, 24),
    (5, 8, 10, 13, 15, 18, 20, 24, 25, 26, 27, 28, 30, 33),
    (9, 10, 12, 14, 16, 20, 21, 22, 23, 25, 26, 28, 30, 31, 33, 35, 37, 38, 39, 40, 43),
)
"""Per look: entry n01 is the least n10 that decides delta > 0; no entry, no decision. Sup of the level .024998."""

NO_REGRET: tuple[tuple[int, ...], ...] = (
    (),
    (3, 6),
    (3, 6, 8),
    (2, 6, 8, 9, 11),
    (1, 4, 7, 9, 10, 12, 15, 16),
    (0, 4, 5, 8, 10, 12, 14, 15, 16, 19, 20, 21),
    (0, 1, 2, 6, 8, 10, 12, 14, 15, 17, 18, 20, 21, 23, 24, 25, 27, 28, 30),
    (2, 3, 5, 7, 9, 11, 13, 14, 16, 17, 19, 21, 22, 24, 25, 27, 28, 30, 31, 32, 34, 35, 37, 38, 39),
)
"""Per look: entry n10 is the least n01 that decides delta < .1. Sup of the level .04998."""

TRIVIAL = (None, None, None, None, None, 31, 45, 58)
"""Per look: the least plain successes that decide a plain success rate above .8, or ``None``. Level .0246 at .8."""

UNREACHABLE_PAIRS = 16
"""Without a hinted success in so many pairs an environment is out of reach."""

NO_REGRET_MARGIN = 0.1
FLIP_LEVELS = (0.0, 0.004, 0.003, 0.005, 0.004, 0.003, 0.003, 0.003)
"""Levels of the sign flips, per look; their sum is .025."""

BET_LEVEL, NO_REGRET_LEVEL = 0.025, 0.05
MAX_MISSING = 0.15
"""Largest share of pairs with a missing outcome at which a look may decide."""

MAX_ARM_GAP = 0.1
"""Largest difference between the arms' missing outcomes, as a share of the pairs, once it is more than
:data:`CHANCE_GAP`. A plain rule and no test: a gap bounds what the missing outcomes of one arm can do to the regret,
and an exact test has no power where at most 11 outcomes may be missing (it needs 6 to 0)."""

CHANCE_GAP = 2
"""A difference of so few missing outcomes says nothing."""

UNPROVEN_CREDIT = 0.25
"""Most credit for an environment that plain play never won: a password that only the hint tells looks like this."""


@dataclasses.dataclass(frozen=True)
class Decision:
    """What paired outcomes say so far."""

    band: str
    """``frontier``, ``trivial``, ``unreachable``, ``no_regret`` or ``uncertain``."""
    regret: float
    """Mean of hinted minus plain outcome over the pairs used, 0.0 without any. After an early stop it tends to be too
    far from 0, since extreme outcomes stop early."""
    interval: tuple[float, float]
    """Holds delta with probability .95 at least, at all looks together. Made by bets, not by the tables, it is somewhat
    wider than a decision needs and may hold 0 when the band is ``frontier``."""
    pairs: int
    """Complete pairs used."""
    look: int | None
    """Pairs at the look that decided; ``None`` while undecided."""
    reason: str
    """One sentence."""
    final: bool
    """Whether more pairs cannot change it."""


@dataclasses.dataclass(frozen=True)
class _Pairs:
    """The first pairs, those with a missing outcome counted apart."""

    plain: tuple[float, ...]
    hinted: tuple[float, ...]
    missing: tuple[int, int, int]
    """Pairs without the plain outcome, without the hinted one, without either or both."""
    graded: bool

    @property
    def differences(self) -> list[float]:
        return [after - before for before, after in zip(self.plain, self.hinted, strict=True)]

    @property
    def span(self) -> float:
        return 2.0 if self.graded else 1.0

    @property
    def n10(self) -> int:
        return sum(_won(after) and not _won(before) for before, after in zip(self.plain, self.hinted, strict=True))

    @property
    def n01(self) -> int:
        return sum(_won(before) and not _won(after) for before, after in zip(self.plain, self.hinted, strict=True))

    def gaps(self) -> str:
        """What is wrong with the missing outcomes, or ''."""
        plain, hinted, either = self.missing
        played = len(self.plain) + either
        if either > MAX_MISSING * played:
            return f"{either} of {played} pairs miss an outcome, more than {MAX_MISSING:.0%}"
        if abs(plain - hinted) > max(CHANCE_GAP, MAX_ARM_GAP * played):
            return f"of {played} pairs {plain} miss the plain and {hinted} the hinted outcome: too unequal"
        return ""


def looks() -> tuple[int, ...]:
    """Complete pairs at which a probe looks at its outcomes; the last is the most it plays."""
    return LOOKS


def band(plain: Sequence[float | None], hinted: Sequence[float | None], *, graded: bool = False) -> Decision:
    """The band of paired outcomes, in the order in which they were played.

    The looks are taken in turn, and the first that decides is the answer: what comes after it is not looked at. At a
    look the bands are asked in the order ``frontier``, ``trivial``, ``unreachable``, ``no_regret``. Pairs with a
    missing outcome are no pairs; a look at which too many are missing decides nothing.

    Args:
        plain: outcome in [-1, 1] per seed without the hint, ``None`` where missing.
        hinted: the same seeds with the hint.
        graded: say that outcomes other than 0 and 1 can occur; otherwise the outcomes up to each look tell.

    Raises:
        ValueError: if the arms differ in length, or an outcome is not in [-1, 1].

    >>> band([0] * 8, [1] * 8).band, band([0] * 16, [0] * 16).band, band([0] * 4, [1] * 4).band
    ('frontier', 'unreachable', 'uncertain')
    """
    _check(plain, hinted)
    seen = _pairs((), (), graded)
    complete = 0
    for end, outcomes in enumerate(zip(plain, hinted, strict=True), 1):
        if None in outcomes:
            continue
        complete += 1
        if complete not in LOOKS:
            continue
        seen = _pairs(plain[:end], hinted[:end], graded)
        found = None if seen.gaps() else _decide(seen, LOOKS.index(complete))
        if found is not None:
            return _decision(seen, *found, look=complete, final=True)
        if complete == LOOKS[-1]:
            break
    else:
        seen = _pairs(plain, hinted, graded)
    return _undecided(seen)


def decided(plain: Sequence[float | None], hinted: Sequence[float | None], *, graded: bool = False) -> bool:
    """Whether a probe may stop: a band is decided, or more pairs could not decide one.

    Raises:
        ValueError: as :func:`band`.

    >>> decided([0] * 8, [1] * 8), decided([0] * 4, [1] * 4), decided([0, 1] * 32, [1, 0] * 32)
    (True, False, True)
    """
    return band(plain, hinted, graded=graded).final


def credit(regret: float, plain_successes: int, scale: float = 0.15) -> float:
    """Share of full credit for a regret: clip(regret / scale, 0, 1), at most .25 without any plain success.

    Source: the regret term of SPADE's blended designer reward; the cap is ours.

    Raises:
        ValueError: if the regret is no number or the scale not above 0.

    >>> credit(0.3, plain_successes=2), credit(0.3, plain_successes=0), credit(-0.1, 2)
    (1.0, 0.25, 0.0)
    """
    if not math.isfinite(regret) or not scale > 0:
        raise ValueError(f"regret must be finite and scale above 0, not {regret} and {scale}")
    share = min(1.0, max(0.0, regret / scale))
    return share if plain_successes > 0 else min(share, UNPROVEN_CREDIT)


def equal_group_share(rate: float, size: int) -> float:
    """P(all rewards of a group are equal) = p^g + (1 - p)^g: such a group teaches nothing.

    Raises:
        ValueError: if the rate is not in [0, 1] or the size below 1.

    >>> equal_group_share(0.5, 8)
    0.0078125
    """
    if not 0.0 <= rate <= 1.0 or size < 1:
        raise ValueError(f"rate must be in [0, 1] and size 1 or more, not {rate} and {size}")
    return float(rate**size + (1.0 - rate) ** size)


def _check(plain: Sequence[float | None], hinted: Sequence[float | None]) -> None:
    if len(plain) != len(hinted):
        raise ValueError(f"{len(plain)} plain and {len(hinted)} hinted outcomes: give one of each per seed, or None")
    for arm, outcomes in (("plain", plain), ("hinted", hinted)):
        for number, outcome in enumerate(outcomes):
            if outcome is not None and not -1.0 <= outcome <= 1.0:
                raise ValueError(
                    f"{arm} outcome {number} is {outcome}; expected a number in [-1, 1], or None if missing"
                )


def _won(outcome: float) -> bool:
    return outcome >= SUCCESS_REWARD


def _pairs(plain: Sequence[float | None], hinted: Sequence[float | None], graded: bool) -> _Pairs:
    both = [(a, b) for a, b in zip(plain, hinted, strict=True) if a is not None and b is not None]
    missing = (sum(a is None for a in plain), sum(b is None for b in hinted), len(plain) - len(both))
    others = any(outcome != 0.0 and not _won(outcome) for pair in both for outcome in pair)
    return _Pairs(tuple(a for a, _ in both), tuple(b for _, b in both), missing, graded or others)


def _decide(seen: _Pairs, look: int) -> tuple[str, str] | None:
    """Band and reason at one look, in the order of the bands; ``None`` if it decides none."""
    n = LOOKS[look]
    least = TRIVIAL[look]
    wins = sum(map(_won, seen.plain))
    why = _above(seen, look)
    if why:
        return "frontier", why
    if least is not None and wins >= least:
        return "trivial", f"plain play won {wins} of {n}: its success rate is above .8 at level .025"
    if n >= UNREACHABLE_PAIRS and not any(map(_won, seen.hinted)):
        return "unreachable", f"hinted play won none of {n}"
    why = _below(seen, look)
    return ("no_regret", why) if why else None


def _above(seen: _Pairs, look: int) -> str:
    """Why delta > 0 is decided, or ''."""
    if not seen.graded:
        row = FRONTIER[look]
        if seen.n01 < len(row) and seen.n10 >= row[seen.n01]:
            return f"{_counts(seen)}: regret is above 0 at level .025"
        return ""
    chance, odds = sign_flip_p(seen.differences), evidence_above(seen.differences, 0.0, seen.span)
    if chance <= FLIP_LEVELS[look] and odds >= 1.0 / BET_LEVEL:
        return f"sign flips give p = {chance:.2g} and bets {odds:.0f} to 1 after {LOOKS[look]} pairs: regret is above 0"
    return ""


def _below(seen: _Pairs, look: int) -> str:
    """Why delta < .1 is decided, or ''."""
    if not seen.graded:
        row = NO_REGRET[look]
        if seen.n10 < len(row) and seen.n01 >= row[seen.n10]:
            return f"{_counts(seen)}: regret is below .1 at level .05"
        return ""
    odds = evidence_above([-difference for difference in seen.differences], -NO_REGRET_MARGIN, seen.span)
    if odds >= 1.0 / NO_REGRET_LEVEL:
        return f"bets stand {odds:.0f} to 1 after {LOOKS[look]} pairs: regret is below .1 at level .05"
    return ""


def _counts(seen: _Pairs) -> str:
    return f"of {len(seen.plain)} pairs the hint alone won {seen.n10} and plain play alone {seen.n01}"


def _undecided(seen: _Pairs) -> Decision:
    """The decision when no look decided."""
    n, most = len(seen.plain), LOOKS[-1]
    lost = seen.missing[2] > MAX_MISSING * (most + seen.missing[2])
    why = seen.gaps() or f"{n} pairs decide nothing" + ("" if n >= most else f"; the next look is at {_next_look(n)}")
    return _decision(seen, "uncertain", why, look=None, final=n >= most or lost)


def _next_look(pairs: int) -> int:
    return next(look for look in LOOKS if look > pairs)


def _decision(seen: _Pairs, name: str, why: str, *, look: int | None, final: bool) -> Decision:
    differences = seen.differences
    regret = math.fsum(differences) / len(differences) if differences else 0.0
    return Decision(name, regret, mean_interval(differences, seen.span), len(differences), look, why, final)
