"""How success at each skill moves: the baseline that ``learning_potential`` rewards are measured from."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from .evidence import Evidence
from .failures import RewardError


@dataclass(frozen=True)
class SkillTrack:
    """Two exponential means of a skill's outcomes."""

    skill: str
    fast: float
    slow: float


@dataclass(frozen=True)
class Tracker:
    """Two exponential means per skill, ``mu <- (1 - g) mu + g x``; the first outcome sets both.

    The gains are those of the paper's recipes, under which the slow mean still puts 85 % on what it saw last.

    Raises:
        RewardError: unless ``0 < slow_gain < fast_gain <= 1``.
    """

    tracks: tuple[SkillTrack, ...] = ()
    """Sorted by skill."""
    fast_gain: float = 0.98
    slow_gain: float = 0.85

    def __post_init__(self) -> None:
        if not 0 < self.slow_gain < self.fast_gain <= 1:
            raise RewardError(f"Gains are {self.fast_gain} and {self.slow_gain}; needed is 0 < slow < fast <= 1.")

    def track(self, skill: str) -> SkillTrack | None:
        """What is known of a skill; ``None`` before its first outcome."""
        return next((track for track in self.tracks if track.skill == skill), None)

    def potential(self, skill: str) -> float:
        """How fast success changes, ``|fast - slow| / (2 (fast_gain - slow_gain))``; 0 where nothing is known."""
        if (track := self.track(skill)) is None:
            return 0.0
        return abs(track.fast - track.slow) / (2 * (self.fast_gain - self.slow_gain))

    def seen(self, evidence: Sequence[Evidence]) -> Tracker:
        """The tracker after a batch: every skill moves once, by the mean of all its plain outcomes, later ones too.

        >>> from .evidence import Design
        >>> Tracker().seen([Evidence("a", Design.ADMITTED, plain=(1.0, 0.0, None))]).track("a").slow
        0.5
        """
        outcomes: dict[str, list[float]] = {}
        for item in evidence:
            for arm in (item.plain, *item.later):
                outcomes.setdefault(item.skill, []).extend(outcome for outcome in arm if outcome is not None)
        tracks = {track.skill: track for track in self.tracks}
        for skill, values in outcomes.items():
            if not values:
                continue
            mean = math.fsum(values) / len(values)
            if not math.isfinite(mean):
                raise RewardError(f"An outcome of skill {skill!r} is not finite. Outcomes are in [-1, 1], or None.")
            before = tracks.get(skill, SkillTrack(skill, mean, mean))
            tracks[skill] = SkillTrack(
                skill,
                (1 - self.fast_gain) * before.fast + self.fast_gain * mean,
                (1 - self.slow_gain) * before.slow + self.slow_gain * mean,
            )
        return replace(self, tracks=tuple(tracks[skill] for skill in sorted(tracks)))

    def to_json(self) -> str:
        """As text that :meth:`from_json` reads back exactly."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Tracker:
        """What :meth:`to_json` wrote.

        Raises:
            RewardError: when it is something else.
        """
        try:
            values = json.loads(text)
            tracks = tuple(SkillTrack(**track) for track in values.pop("tracks"))
            if not all(math.isfinite(mean) for track in tracks for mean in (track.fast, track.slow)):
                raise ValueError("not all of its means are finite")
            return cls(tracks=tracks, **values)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise RewardError(f"This is no tracker: {error}. It has to come from Tracker.to_json.") from error
