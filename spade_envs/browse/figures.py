"""Charts of the page as data: what ``static/figures.js`` draws, in an attribute of the canvas."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Iterable, Sequence

from markupsafe import Markup, escape

from ..codec import to_json
from ..memory.records import Stretch
from .metrics import Curve
from .screening import escapes


@dataclasses.dataclass(frozen=True)
class Series:
    """One line, or one colour of stacked bars."""

    label: str
    tone: str
    """Name of its colour in the style sheet, such as ``accent``."""
    values: tuple[float | None, ...]
    """One for each ``x``; ``None`` is a gap."""
    dashed: bool = False


@dataclasses.dataclass(frozen=True)
class Figure:
    """One chart."""

    x: tuple[float, ...]
    names: tuple[str, ...]
    """What each ``x`` is called when it is pointed at."""
    series: tuple[Series, ...]
    first: float | None = None
    last: float | None = None
    """Ends of the axis of ``x``, which charts of one run share; ``None`` fits them to ``x``."""
    low: float | None = None
    high: float | None = None
    """Ends of the other axis."""
    percent: bool = False
    bridged: bool = False
    """Whether what lies around a gap is joined faintly."""
    stacked: bool = False
    """Bars on each other rather than lines."""

    @property
    def drawn(self) -> bool:
        """Whether there is anything to see."""
        return any(value is not None for one in self.series for value in one.values)

    def __html__(self) -> Markup:
        """As the text of an attribute."""
        return escape(json.dumps(to_json(self), allow_nan=False))


@dataclasses.dataclass(frozen=True)
class Extent:
    """What charts beside each other have to hold."""

    regret: float
    """The smallest mean regret."""
    lines: float
    """The largest mean length, rounded up."""


def extent_of(stretches: Iterable[Stretch]) -> Extent:
    """How far stretches reach.

    >>> extent_of([])
    Extent(regret=0.0, lines=50.0)
    """
    known = list(stretches)
    lines = max((one.lines for one in known), default=1.0)
    return Extent(
        regret=min((one.regret for one in known if one.regret is not None), default=0.0),
        lines=50.0 * math.ceil(max(1.0, lines) / 50),
    )


@dataclasses.dataclass(frozen=True)
class Measure:
    """One of the things that are charted over time."""

    name: str
    label: str
    about: str
    figure: Callable[[Sequence[Stretch], Extent], Figure]
    """From the stretches of one skill, and how far those of all skills reach."""


def name_of(stretch: Stretch) -> str:
    """Its steps and how many sources it holds."""
    steps = f"{stretch.first}" if stretch.first == stretch.last else f"{stretch.first} to {stretch.last}"
    return f"{steps}: {stretch.sources} {'source' if stretch.sources == 1 else 'sources'}"


def _over(stretches: Sequence[Stretch], series: tuple[Series, ...], **more: object) -> Figure:
    x = tuple((one.first + one.last) / 2 for one in stretches)
    figure = Figure(x, tuple(map(name_of, stretches)), series)
    return dataclasses.replace(figure, **more)  # type: ignore[arg-type]


def _regret(stretches: Sequence[Stretch], extent: Extent) -> Figure:
    won = Series("won without the hint", "faint", tuple(one.plain for one in stretches), dashed=True)
    regret = Series("regret", "accent", tuple(one.regret for one in stretches))
    return _over(stretches, (regret, won), low=min(0.0, extent.regret), high=1.0, bridged=True)


def _admitted(stretches: Sequence[Stretch], extent: Extent) -> Figure:
    share = tuple(one.admitted / one.sources if one.sources else None for one in stretches)
    return _over(stretches, (Series("admitted", "good", share),), low=0.0, high=1.0, percent=True)


def _length(stretches: Sequence[Stretch], extent: Extent) -> Figure:
    return _over(
        stretches, (Series("lines", "accent", tuple(one.lines for one in stretches)),), low=0.0, high=extent.lines
    )


_TONES = {"answer": "accent", "interactive": "cool", "tools": "open"}


def _contracts(stretches: Sequence[Stretch], extent: Extent) -> Figure:
    found = dict.fromkeys(count.value for one in stretches for count in one.contracts)
    known = [name for name in _TONES if name in found]
    counts = [{count.value: count.sources for count in one.contracts} for one in stretches]
    series = [Series(name, _TONES[name], tuple(_share(one.get(name, 0), one) for one in counts)) for name in known]
    if len(known) < len(found):
        others = tuple(_share(sum(n for name, n in one.items() if name not in _TONES), one) for one in counts)
        series.append(Series("unknown", "faint", others))
    return _over(stretches, tuple(series), low=0.0, high=1.0, percent=True, stacked=True)


def _share(part: int, counts: dict[str, int]) -> float | None:
    whole = sum(counts.values())
    return part / whole if whole else None


MEASURES = (
    Measure("regret", "Regret", "Mean regret of what was probed, and how much of it is won without the hint.", _regret),
    Measure("admitted", "Admitted", "Share of the sources whose last report admits them.", _admitted),
    Measure("length", "Length", "Mean number of lines of a source.", _length),
    Measure("contracts", "Contracts", "Shares of the contracts.", _contracts),
)


def legend_of(figures: Iterable[Figure]) -> tuple[Series, ...]:
    """What the colours of several charts mean: each label once, without values; nothing where there is one only."""
    labels = {one.label: dataclasses.replace(one, values=()) for figure in figures for one in figure.series}
    return tuple(labels.values()) if len(labels) > 1 else ()


def curve_figure(curve: Curve) -> Figure:
    """A metric of a run."""
    x = tuple(step for step, _ in curve.points)
    values = tuple(value for _, value in curve.points)
    return Figure(x, tuple(f"step {step:g}" for step in x), (Series(escapes(curve.key), "accent", values),))
