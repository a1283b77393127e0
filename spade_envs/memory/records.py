"""What the memory answers with: frozen rows, without the texts that make them large."""

from __future__ import annotations

import dataclasses
import enum

from ..origins import Origin
from ..types import EnvSource, Finding, Probe, Report, Verdict


@dataclasses.dataclass(frozen=True)
class Measured:
    """All probes of a source together: sums over the complete pairs of the last ones."""

    probes: int
    """Probes there are."""
    pairs: int
    """Complete pairs of the last :data:`~spade_envs.memory.measuring.LAST` probes."""
    plain: float
    """Mean outcome without the hint."""
    regret: float
    """Mean of hinted minus plain outcome."""
    low: float
    """Below the regret by its uncertainty, so that a lucky single pair does not win (``measuring.summary``)."""
    high: float
    """As far above it."""
    band: str
    """Band of the last probe."""


@dataclasses.dataclass(frozen=True)
class Row:
    """One source as lists show it."""

    id: int
    """Number in this file: grows with every source that is added."""
    sha256: str
    name: str
    """Name of its environment class; empty where none was found."""
    skill: str
    contract: str
    """Declared, or as the last report found it."""
    verdict: Verdict | None
    """Of the last report; ``None`` when there is none."""
    rule: str
    """First rule of the last report that did not let it pass."""
    env_id: str
    """Gymnasium id on a shelf, where the memory was told of one."""
    made_by: str
    run: str
    scale: str
    step: int | None
    parent: str
    """sha256 of the source it repairs or descends from."""
    document: str
    lines: int
    """Lines of its text."""
    seen: str
    """When it was added, ISO 8601, UTC."""
    measured: Measured | None
    """``None`` until it is probed."""


class Order(enum.StrEnum):
    """How rows are sorted."""

    NEWEST = "newest"
    REGRET = "regret"
    """Largest ``Measured.low`` first; only what was probed."""
    HARDEST = "hardest"
    """Smallest ``Measured.plain`` first; only what was probed."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Filters:
    """Which sources; an empty field lets all pass.

    Raises:
        ValueError: for a verdict that does not exist, a NaN, or an upside-down range.
    """

    text: str = ""
    """Words that all occur; ``queue*`` finds what begins so. Names, hints, documents and all texts are searched."""
    skill: str = ""
    contract: str = ""
    verdict: str = ""
    """``admit``, ``refuse``, ``undecided`` or ``unchecked``."""
    rule: str = ""
    band: str = ""
    """``unprobed`` for those without a probe."""
    made_by: str = ""
    run: str = ""
    scale: str = ""
    pool: str = ""
    regret: tuple[float, float] | None = None
    """Both ends belong to it."""
    steps: tuple[int, int] | None = None
    """Both ends belong to it."""
    document: str = ""
    shelved: bool = False
    """Only what is on a shelf."""

    def __post_init__(self) -> None:
        allowed = (*(one.value for one in Verdict), UNCHECKED)
        if self.verdict and self.verdict not in allowed:
            raise ValueError(f"there is no verdict {self.verdict[:80]!r}; allowed: {', '.join(allowed)}")
        for name in ("regret", "steps"):
            span = getattr(self, name)
            if span is not None and not span[0] <= span[1]:
                raise ValueError(f"{name} {span[0]}:{span[1]} is empty; the lower end comes first")


UNCHECKED = "unchecked"
UNPROBED = "unprobed"


@dataclasses.dataclass(frozen=True)
class Page:
    """Some rows of an answer, in order."""

    rows: tuple[Row, ...]
    following: str
    """Give it back as ``after`` for the rows that follow; empty at the end."""


@dataclasses.dataclass(frozen=True)
class Count:
    """How many sources have a value."""

    value: str
    sources: int


@dataclasses.dataclass(frozen=True)
class Facets:
    """How the sources that pass a filter spread."""

    total: int
    exact: bool
    """Whether all were counted; else ``total`` and the counts are of the newest ones only, and there are more."""
    skill: tuple[Count, ...]
    contract: tuple[Count, ...]
    verdict: tuple[Count, ...]
    rule: tuple[Count, ...]
    band: tuple[Count, ...]
    made_by: tuple[Count, ...]
    run: tuple[Count, ...]
    scale: tuple[Count, ...]
    pool: tuple[Count, ...]
    """Each the most frequent value first, at most :data:`~spade_envs.memory.looking.MOST_VALUES`."""


@dataclasses.dataclass(frozen=True)
class Relative:
    """A source that another descends from, or the other way round."""

    sha256: str
    kind: str
    """``parent`` (repair or descendant) or ``seed`` (shown to the designer that wrote it)."""
    row: Row | None
    """``None`` when the memory was only told its hash."""
    depth: int
    """Steps away: 1 for a parent or a child."""
    via: str
    """sha256 of the relative one step nearer; for depth 1 the source itself."""


@dataclasses.dataclass(frozen=True)
class Family:
    """The lineage around a source."""

    ancestors: tuple[Relative, ...]
    """Nearest first."""
    descendants: tuple[Relative, ...]
    complete: bool
    """Whether all are there; a family may be huge."""


@dataclasses.dataclass(frozen=True)
class Stretch:
    """Sources of consecutive steps of one skill, for charts over time."""

    skill: str
    first: int
    """First step; or first number in the memory, where sources have no step."""
    last: int
    sources: int
    admitted: int
    probed: int
    regret: float | None
    """Mean over the probed."""
    plain: float | None
    """Mean outcome without the hint."""
    lines: float
    """Mean length."""
    contracts: tuple[Count, ...]


@dataclasses.dataclass(frozen=True)
class Positive:
    """A source that a designer may learn from."""

    source: EnvSource
    text: str
    """What is shown of it: all, or an outline (:func:`outline.outlined`)."""


@dataclasses.dataclass(frozen=True)
class Negative:
    """A source that a designer should not write, and why."""

    source: EnvSource
    why: str
    """A sentence."""
    finding: Finding | None
    """First error of its last report; ``None`` where it was admitted and proved useless."""
    text: str
    """What is shown of it: all, or an outline."""


@dataclasses.dataclass(frozen=True)
class Drawn:
    """What a designer is shown from the memory."""

    positives: tuple[Positive, ...]
    negatives: tuple[Negative, ...]
    number: int
    """Of this draw in the memory; 0 where it was not recorded."""


@dataclasses.dataclass(frozen=True)
class Everything:
    """All that is known about one source."""

    row: Row
    source: EnvSource
    origin: Origin
    reports: tuple[Report, ...]
    """Oldest first."""
    probes: tuple[Probe, ...]
    """Oldest first."""
