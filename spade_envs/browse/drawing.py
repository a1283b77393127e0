"""Shapes of the small pictures in the page, as numbers for SVG attributes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from ..memory.records import Family, Measured, Relative, Row

# -- a regret with its interval -------------------------------------------------------------------------------------

WIDE = 120
"""Width of the picture of an interval, in pixels."""
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


# -- a family -------------------------------------------------------------------------------------------------------

ACROSS = 3
"""Sources of one generation that are drawn; the others are counted."""
GENERATIONS = 4
"""Generations drawn in each direction."""
NODE_WIDE, NODE_HIGH = 102.0, 38.0
GAP, DROP = 8.0, 34.0
_REST = 22.0
"""Room for a count at the end of a generation."""


@dataclasses.dataclass(frozen=True)
class Node:
    """One source, or the rest of a generation."""

    x: float
    y: float
    sha256: str
    """Empty for the rest of a generation."""
    row: Row | None
    kind: str
    """``parent``, ``seed`` or ``self``."""
    more: int = 0
    """How many a rest stands for."""


@dataclasses.dataclass(frozen=True)
class Edge:
    """A line from a source down to what was made from it."""

    path: str
    kind: str


@dataclasses.dataclass(frozen=True)
class Tree:
    """A drawn family: ancestors above, descendants below."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    width: float
    height: float
    complete: bool


def tree(row: Row, family: Family) -> Tree | None:
    """The drawing of a family; ``None`` for a source that has none."""
    if not family.ancestors and not family.descendants:
        return None
    width = ACROSS * (NODE_WIDE + GAP) + _REST
    above, lost_above = _generations(family.ancestors)
    below, lost_below = _generations(family.descendants)
    levels: list[tuple[list[Relative | None], int]] = [*reversed(above), ([None], 0), *below]
    nodes: list[Node] = []
    places: dict[str, Node] = {}
    for number, (members, more) in enumerate(levels):
        for node in _placed(members, more, number * (NODE_HIGH + DROP), width, row):
            nodes.append(node)
            if node.sha256:
                places.setdefault(node.sha256, node)
    edges = [*_edges(family.ancestors, places, up=True), *_edges(family.descendants, places, up=False)]
    height = len(levels) * (NODE_HIGH + DROP) - DROP
    return Tree(tuple(nodes), tuple(edges), width, height, family.complete and not lost_above and not lost_below)


def _generations(relatives: Iterable[Relative]) -> tuple[list[tuple[list[Relative | None], int]], bool]:
    """Members drawn and how many are not, of each generation, nearest first; whether generations are left out."""
    by_depth: dict[int, dict[str, Relative]] = {}
    for one in relatives:
        by_depth.setdefault(one.depth, {}).setdefault(one.sha256, one)
    made: list[tuple[list[Relative | None], int]] = []
    for depth in sorted(by_depth)[:GENERATIONS]:
        members = sorted(by_depth[depth].values(), key=lambda one: (one.kind, one.row is None))
        made.append((list(members[:ACROSS]), max(0, len(members) - ACROSS)))
    return made, len(by_depth) > GENERATIONS


def _placed(members: list[Relative | None], more: int, y: float, width: float, row: Row) -> list[Node]:
    """Nodes of one generation, centred. ``None`` among the members stands for the source itself."""
    wide = len(members) * (NODE_WIDE + GAP) - GAP
    x = max(0.0, (width - _REST - wide) / 2)
    made = []
    for one in members:
        if one is None:
            made.append(Node(x, y, row.sha256, row, "self"))
        else:
            made.append(Node(x, y, one.sha256, one.row, one.kind))
        x += NODE_WIDE + GAP
    if more:
        made.append(Node(x - 2, y, "", None, "rest", more))
    return made


def _edges(relatives: Iterable[Relative], places: dict[str, Node], *, up: bool) -> list[Edge]:
    made = []
    for one in relatives:
        there, via = places.get(one.sha256), places.get(one.via)
        if there is None or via is None or there.y == via.y:
            continue
        top, bottom = (there, via) if up else (via, there)
        x1, y1 = top.x + NODE_WIDE / 2, top.y + NODE_HIGH
        x2, y2 = bottom.x + NODE_WIDE / 2, bottom.y
        bend = (y2 - y1) / 2
        made.append(Edge(f"M{x1:g} {y1:g}C{x1:g} {y1 + bend:g} {x2:g} {y2 - bend:g} {x2:g} {y2:g}", one.kind))
    return made
