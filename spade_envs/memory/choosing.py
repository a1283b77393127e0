"""Which of the memory's sources a designer is shown, by named strategies: pure functions of what is known of them.

``paper`` is the rule of SPADE's code (arXiv 2608.19197): environments of the skill that are won in 15 to 85 % of
episodes, the ten of most regret, two of them at random; and one won in more than 90 % or less than 10 %. Regret of few
pairs is mostly luck, so that ``balanced`` looks at its lower end, at the band, at what was shown lately and at
lineages. Its weights are those of ranks, as in Prioritized Level Replay (Jiang et al., 2021).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from .records import UNPROBED

FEW_PROBED = 8
"""With so many useful probed candidates, every second pick is one that is not probed yet; with more, fewer are."""
RECENCY = 0.1
"""What being the newest of all adds to a regret of at most 1."""
WORN = 0.1
"""What every showing among the last draws takes off it."""
SHOWINGS_PER_BAND = 3
"""So many showings among the last draws set a source, and its lineage, back by one band."""
NEWEST = 32
"""Negatives that are chosen from: the newest ones."""

TOO_EASY, TOO_HARD = 0.9, 0.1
"""Mean outcomes above and below which the paper's code calls an environment a negative."""
LEARNABLE = (0.15, 0.85)
"""Mean outcomes of the paper's positives; both ends belong to it."""

_USEFUL = ("frontier", "uncertain", UNPROBED)
_USELESS = ("trivial", "unreachable")


@dataclass(frozen=True)
class Candidate:
    """What is known of a source that may be shown."""

    id: int
    """Number in the memory: larger is newer."""
    sha256: str
    root: str = ""
    """sha256 of its oldest ancestor; sources with the same are of one lineage. Empty where it has none."""
    level: int = 0
    """0 for the wanted skill and contract, 1 for the skill alone, 2 for another skill."""
    refused: bool = False
    """Whether the last report refused it; else it admitted it."""
    band: str = UNPROBED
    plain: float | None = None
    """Mean outcome without the hint; ``None`` until it is probed, as is what follows."""
    regret: float | None = None
    low: float | None = None
    """Below the regret by its uncertainty."""

    @property
    def lineage(self) -> str:
        """Its oldest ancestor, or itself."""
        return self.root or self.sha256

    @property
    def useful(self) -> bool:
        """Whether ``balanced`` may show it as one to learn from."""
        return not self.refused and self.band in _USEFUL

    @property
    def failed(self) -> bool:
        """Whether it may be shown as one that failed."""
        return self.refused or self.band in _USELESS


@dataclass(frozen=True)
class Chosen:
    """Candidates in the order in which they were drawn."""

    positives: tuple[Candidate, ...]
    negatives: tuple[Candidate, ...]


Fits = Callable[[Candidate], bool]
"""Whether a candidate can be shown at all; asked only of those that are drawn."""


def choose(
    candidates: Sequence[Candidate],
    strategy: str,
    *,
    positives: int = 2,
    negatives: int = 1,
    seed: int = 0,
    shown: Mapping[str, int] | None = None,
    fits: Fits = lambda _: True,
) -> Chosen:
    """Draw from ``candidates``, the same for the same arguments.

    Args:
        candidates: each source once, in any order.
        strategy: one of :data:`STRATEGIES`.
        positives: how many to learn from, at most.
        negatives: how many that failed, at most; never of a lineage of the positives.
        seed: decides what is left to chance.
        shown: how often the last draws showed a source, by sha256.
        fits: tells whether a candidate can be shown.

    Raises:
        ValueError: for an unknown strategy.

    >>> lucky = Candidate(2, "lucky", band="uncertain", plain=0.0, regret=1.0, low=-0.3)
    >>> solid = Candidate(1, "solid", band="frontier", plain=0.4, regret=0.4, low=0.3)
    >>> [one.sha256 for one in choose((lucky, solid), "balanced", positives=1).positives]
    ['solid']
    """
    if strategy not in STRATEGIES:
        raise ValueError(f"there is no strategy {strategy[:80]!r}; allowed: {', '.join(STRATEGIES)}")
    ordered = sorted(candidates, key=lambda one: one.id)
    draw = _Draw(random.Random(seed), _by_lineage(ordered, shown or {}), fits)
    return STRATEGIES[strategy](draw, ordered, positives, negatives)


@dataclass(frozen=True)
class _Draw:
    """Chance, and what it is not left to."""

    chance: random.Random
    shown: Mapping[str, int]
    """By lineage."""
    fits: Fits

    def some(self, pool: Sequence[Candidate], count: int) -> tuple[Candidate, ...]:
        """So many that fit, each equally likely."""
        found: list[Candidate] = []
        for one in self.chance.sample(pool, len(pool)):
            if len(found) == count:
                break
            if self.fits(one):
                found.append(one)
        return tuple(found)

    def best(
        self,
        pool: Collection[Candidate],
        count: int,
        tier: Callable[[Candidate, float], tuple[int, ...]],
        score: Callable[[Candidate], float],
        most: int,
    ) -> tuple[Candidate, ...]:
        """So many that fit: of the first tier, by ranks; no two of one lineage while there are others.

        Args:
            pool: what is drawn from.
            count: how many at most.
            tier: smaller ones come first; its second argument is a number in [0, 1), another one for every pick.
            score: larger ones are likelier within a tier: the one of rank ``r`` with weight ``1 / r``.
            most: ranks that are drawn from.
        """
        left, found = set(pool), list[Candidate]()
        while left and len(found) < count:
            taken, coin = {one.lineage for one in found}, self.chance.random()
            keys = {one: (one.lineage in taken, *tier(one, coin)) for one in left}
            first = min(keys.values())
            ranked = sorted((one for one in left if keys[one] == first), key=lambda one: (-score(one), one.id))[:most]
            (pick,) = self.chance.choices(ranked, [1 / rank for rank in range(1, len(ranked) + 1)])
            left.remove(pick)
            if self.fits(pick):
                found.append(pick)
        return tuple(found)


def _balanced(draw: _Draw, candidates: Sequence[Candidate], positives: int, negatives: int) -> Chosen:
    useful = [one for one in candidates if one.useful]
    age = {one: at / len(useful) for at, one in enumerate(useful, 1)}
    probed = sum(one.band != UNPROBED for one in useful)
    share = FEW_PROBED / (FEW_PROBED + probed)

    def tier(one: Candidate, coin: float) -> tuple[int, ...]:
        if one.band == UNPROBED:
            band = 0 if coin < share else 2
        else:
            # A band is the word of one probe; a regret that may be none is not the frontier.
            band = 0 if one.band == "frontier" and (one.low or 0.0) > 0.0 else 1
            band += coin < share  # behind those that are to be shown now
        return one.level, band + draw.shown.get(one.lineage, 0) // SHOWINGS_PER_BAND

    def score(one: Candidate) -> float:
        return (one.low or 0.0) + RECENCY * age[one] - WORN * draw.shown.get(one.lineage, 0)

    found = draw.best(useful, positives, tier, score, max(3 * positives, 10))
    taken = {one.lineage for one in found}
    failed = [one for one in candidates if one.failed and one.lineage not in taken]

    def kind(one: Candidate, coin: float) -> tuple[int, ...]:
        # What the gate refuses and what is no use to train on are different lessons: either is as likely.
        return one.level, draw.shown.get(one.lineage, 0), int(one.refused) if coin < 0.5 else int(not one.refused)

    return Chosen(found, draw.best(failed, negatives, kind, lambda one: one.id, NEWEST))


def _paper(draw: _Draw, candidates: Sequence[Candidate], positives: int, negatives: int) -> Chosen:
    probed = [(one.plain, one.regret or 0.0, one) for one in candidates if one.plain is not None and not one.refused]
    ranked = sorted((-regret, one.id, one) for plain, regret, one in probed if LEARNABLE[0] <= plain <= LEARNABLE[1])
    pool = [one for _, _, one in ranked[: max(3 * positives, 10)]]
    failed = [one for plain, _, one in probed if plain > TOO_EASY or plain < TOO_HARD]
    return Chosen(draw.some(pool, positives), draw.some(failed, negatives))


def _uniform(draw: _Draw, candidates: Sequence[Candidate], positives: int, negatives: int) -> Chosen:
    nearest = _nearest([one for one in candidates if not one.refused], positives)
    found = draw.some(nearest, positives)
    taken = {one.lineage for one in found}
    failed = [one for one in candidates if one.failed and one.lineage not in taken]
    return Chosen(found, draw.some(_nearest(failed, negatives), negatives))


def _nearest(candidates: Sequence[Candidate], count: int) -> list[Candidate]:
    """Those of the wanted skill and contract; where they are too few, of the next level too."""
    for level in (0, 1):
        found = [one for one in candidates if one.level <= level]
        if len(found) >= count:
            return found
    return list(candidates)


def _by_lineage(candidates: Sequence[Candidate], shown: Mapping[str, int]) -> Mapping[str, int]:
    found: Counter[str] = Counter()
    for one in candidates:
        if shown.get(one.sha256):
            found[one.lineage] += shown[one.sha256]
    return found


STRATEGIES: Mapping[str, Callable[[_Draw, Sequence[Candidate], int, int], Chosen]] = {
    "balanced": _balanced,
    "paper": _paper,
    "uniform": _uniform,
}
"""How seeds may be chosen, by name."""
