"""Shapes of the small pictures in the page, as numbers for SVG attributes."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ..memory.records import Family, Measured, Row

WIDE, HIGH = 120, 14
"""Size of the picture of an interval, in pixels."""
_EDGE = 5


@dataclasses.dataclass(frozen=True)
class Interval:
    """A regret with its uncertainty on a scale from -1 to 1, in pixels."""

    low: float
    middle: float
    high: float
    zero: float

    @property
    def width(self) -> float:
        """From the lower end to the upper."""
        return round(self.high - self.low, 1)


def interval(measured: Measured) -> Interval:
    """Where a measurement is drawn."""
    return Interval(_at(measured.low), _at(measured.regret), _at(measured.high), _at(0.0))


def _at(value: float) -> float:
    return round(_EDGE + (min(1.0, max(-1.0, value)) + 1) / 2 * (WIDE - 2 * _EDGE), 1)
