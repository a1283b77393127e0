"""The census: what became of the sources of a pool, by rule, skill, model and step."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...importing.census import OTHERS, Blamed, Census, Tally, census, pools
from ...memory.records import Facets, Filters
from ..desk import Section, desk_of
from ..rendering import page

MOST_POOLS = 200
WIDE = 1000
"""Width of a bar, in units of its own."""
PARTS = (("admit", "admitted"), ("undecided", "undecided"), ("refuse", "refused"), ("unchecked", "unchecked"))
"""Verdicts in the order of a bar, and the fields of a :class:`Tally`."""


@dataclasses.dataclass(frozen=True)
class Part:
    """One piece of a bar."""

    verdict: str
    count: int
    x: int
    """Where it begins, of :data:`WIDE`."""
    width: int


@dataclasses.dataclass(frozen=True)
class Line:
    """One line of a table of the census."""

    name: str
    tally: Tally
    bar: tuple[Part, ...]
    link: dict[str, str]
    """Parameters of the table that shows the same sources; none where there are no such filters."""


def bar(tally: Tally) -> tuple[Part, ...]:
    """Verdicts as pieces of a bar, which fill it.

    >>> [(part.verdict, part.x, part.width) for part in bar(Tally("", admitted=1, refused=3))]
    [('admit', 0, 250), ('refuse', 250, 750)]
    """
    counts = [(verdict, getattr(tally, field)) for verdict, field in PARTS]
    return pieces(counts, tally.sources)


def pieces(counts: Iterable[tuple[str, int]], whole: int) -> tuple[Part, ...]:
    """Counts as pieces of a bar in which ``whole`` would fill :data:`WIDE`."""
    made, before = [], 0
    for verdict, count in counts:
        start, end = (round(WIDE * number / max(1, whole)) for number in (before, before + count))
        before += count
        if count:
            made.append(Part(verdict, count, start, end - start))
    return tuple(made)


def census_page(request: Request) -> Response:
    """The census of one pool."""
    memory = desk_of(request).library.memory
    facets = desk_of(request).library.facets(Filters())
    known = tuple(dict.fromkeys((*(one.value for one in facets.pool if one.value), *pools(memory))))  # largest first
    pool = request.query_params.get("pool", known[0] if known else "")
    if pool and pool not in known:
        raise ValueError(
            f"there is no pool {pool[:80]!r}; " + (f"allowed: {', '.join(known[:20])}" if known else _NONE)
        )
    found = census(memory, pool)
    most = max((one.refused + one.undecided for one in found.rules), default=0)
    return page(
        request,
        "census.html",
        found=found,
        pool=pool,
        pools=known[:MOST_POOLS],
        whole=bar(found.total),
        parts=PARTS,
        given={"pool": pool},
        rules=[(one, _blamed_bar(one, most)) for one in found.rules],
        tables=_tables(found, facets),
    )


_NONE = "none was imported"


def _blamed_bar(one: Blamed, most: int) -> tuple[Part, ...]:
    return pieces((("refuse", one.refused), ("undecided", one.undecided)), most)


def _tables(found: Census, facets: Facets) -> list[tuple[str, list[Line]]]:
    """Title and lines of the tables, without those that tell nothing."""
    skills = [_line(one, {"skill": one.value}) for one in found.skills]
    models = [_line(one, _model_link(one.value, facets)) for one in found.models]
    steps = [_line(one.tally, {"step_from": str(one.first), "step_to": str(one.last)}) for one in found.steps]
    made = [("Skill", skills), ("Model", models), ("Step", steps)]
    return [(title, lines) for title, lines in made if any(line.tally.value for line in lines)]


def _line(tally: Tally, link: dict[str, str]) -> Line:
    known = tally.value not in ("", OTHERS)
    return Line(tally.value or "unknown", tally, bar(tally), link if known else {})


def _model_link(value: str, facets: Facets) -> dict[str, str]:
    """The filters for ``some-model, 30B``, where a model or a scale of such a name is known."""
    models, scales = ({one.value for one in counts} for counts in (facets.made_by, facets.scale))
    if value in models:
        return {"made_by": value}
    if value in scales:
        return {"scale": value}
    model, _, scale = value.rpartition(", ")
    return {"made_by": model, "scale": scale} if model in models and scale in scales else {}


SECTION = Section(routes=(Route("/census", census_page),), path="/census", label="Census")
