"""The table: search, facets, rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...memory.records import UNPROBED, Count, Facets, Filters, Order
from ..asked import LONGEST, Asked, asked
from ..desk import Section, desk_of
from ..drawing import interval
from ..rendering import page

FACETS = (
    ("verdict", "Verdict"),
    ("band", "Regret band"),
    ("skill", "Skill"),
    ("contract", "Contract"),
    ("rule", "Refused by"),
    ("made_by", "Model"),
    ("scale", "Model scale"),
    ("run", "Run"),
    ("pool", "Pool"),
)
"""Fields of :class:`Facets` in the order shown, and their titles."""
OPEN = 8
"""Values of a facet that are shown at once."""
ORDERS = {Order.NEWEST: "Newest", Order.REGRET: "Most regret", Order.HARDEST: "Hardest"}


@dataclasses.dataclass(frozen=True)
class Facet:
    """One facet as the page shows it."""

    field: str
    title: str
    chosen: str
    values: tuple[Count, ...]


def facets_shown(facets: Facets, given: Mapping[str, str]) -> list[Facet]:
    """Facets that tell sources apart, or that are in force."""
    made = [
        Facet(field, title, given.get(field, ""), tuple(one for one in getattr(facets, field) if one.value))
        for field, title in FACETS
    ]
    return [facet for facet in made if facet.chosen or facet.values]


def chips(question: Asked) -> list[tuple[str, str, dict[str, str]]]:
    """What is in force: title, value, and the parameters without it."""
    titles = dict(FACETS) | {"document": "Document", "text": "Search"}
    given = question.given
    made = [(titles[name], value, _without(given, name)) for name, value in given.items() if name in titles]
    for name, title in (("regret", "Regret"), ("step", "Step")):
        both = (f"{name}_from", f"{name}_to")
        low, high = (given.get(end, "") for end in both)
        if low or high:
            told = f"{low} to {high}" if low and high else f"from {low}" if low else f"up to {high}"
            made.append((title, told, _without(given, *both)))
    if question.filters.shelved:
        made.append(("Shelf", "on a shelf", _without(given, "shelved")))
    return made


def _without(given: Mapping[str, str], *names: str) -> dict[str, str]:
    return {name: value for name, value in given.items() if name not in names}


def table(request: Request) -> Response:
    """The table, whole; htmx takes from it what it needs."""
    question = asked(request.query_params)
    library = desk_of(request).library
    found = library.find(question.filters, order=question.order, after=question.after)
    facets = library.facets(question.filters)
    # By regret or success only what was probed is there.
    left_out = () if question.order is Order.NEWEST else (one for one in facets.band if one.value == UNPROBED)
    return page(
        request,
        "table.html",
        question=question,
        given=question.given,
        rows=found.rows,
        following=found.following,
        facets=facets_shown(facets, question.given),
        total=facets.total - sum(one.sources for one in left_out),
        exact=facets.exact,
        chips=chips(question),
        orders=ORDERS,
        interval=interval,
        open=OPEN,
        longest=LONGEST,
        nothing=not question.given and not found.rows and question.filters == Filters(),
    )


SECTION = Section(routes=(Route("/", table),), path="/", label="Environments")
__all__: Sequence[str] = ["SECTION", "facets_shown", "table"]
