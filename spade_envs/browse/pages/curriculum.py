"""The curriculum: how what is written changes over time, skill by skill, and curves of a training run."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from starlette.datastructures import State
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...codec import to_json
from ...errors import StoreError
from ...memory.records import Filters, Stretch
from ..desk import Desk, Section, desk_of
from ..figures import MEASURES, Figure, curve_figure, extent_of, legend_of
from ..metrics import Metrics
from ..rendering import page

MOST_SKILLS = 60
MOST_CURVES = 12
FIRST_CURVES = 4
"""Curves that are shown before any is chosen."""
MOST_RUNS = 200


def curriculum(request: Request) -> Response:
    """One chart per skill, and one per metric that was chosen."""
    library, query = desk_of(request).library, request.query_params
    shown = query.get("show", "") or MEASURES[0].name
    measure = next((one for one in MEASURES if one.name == shown), None)
    if measure is None:
        raise ValueError(f"show is {shown[:80]!r}; allowed: {', '.join(one.name for one in MEASURES)}")
    run = query.get("run", "")[:500]
    skills = by_skill(library.stretches(run=run))
    everything = [one for stretches in skills.values() for one in stretches]
    extent = extent_of(everything)
    ends = _ends(everything) if run else (None, None)
    charts = [
        (skill, stretches, dataclasses.replace(measure.figure(stretches, extent), first=ends[0], last=ends[1]))
        for skill, stretches in skills.items()
    ]
    metrics: Metrics | None = request.app.state.metrics
    keys, curves, trouble = _curves(metrics, query.getlist("key") if "key" in query else None)
    chosen = [key for key, _ in curves]
    return page(
        request,
        "curriculum.html",
        measures=MEASURES,
        measure=measure,
        run=run,
        runs=[one.value for one in library.facets(Filters()).run if one.value][:MOST_RUNS],
        skills=charts,
        legend=legend_of(figure for *_, figure in charts),
        metrics=metrics,
        keys=keys,
        curves=curves,
        chosen=chosen,
        toggles=[(key, _toggle(request, chosen, key)) for key in keys],
        trouble=trouble,
        given={"show": query.get("show", ""), "run": run},
    )


def _ends(stretches: Sequence[Stretch]) -> tuple[float | None, float | None]:
    """The axis that charts of one run share. Without a run some sources may have steps and others none."""
    if not stretches:
        return None, None
    return min(one.first for one in stretches), max(one.last for one in stretches)


def _curves(
    metrics: Metrics | None, wanted: Sequence[str] | None
) -> tuple[tuple[str, ...], list[tuple[str, Figure]], str]:
    """Keys of the metrics, charts of the wanted ones or else of the first, and what is wrong with the file."""
    if metrics is None:
        return (), [], ""
    try:
        keys = metrics.keys()
        first = keys[:FIRST_CURVES] if wanted is None else [key for key in keys if key in wanted]
        chosen = first[:MOST_CURVES]
        return keys, [(key, curve_figure(metrics.curve(key))) for key in chosen], ""
    except StoreError as error:
        return (), [], str(error)


def _toggle(request: Request, chosen: Sequence[str], key: str) -> str:
    """Parameters of the same page with one more curve, or one less, as a query string."""
    kept = [one for one in chosen if one != key] if key in chosen else [*chosen, key]
    given = [(name, value) for name, value in request.query_params.multi_items() if name != "key"]
    return f"?{urlencode([*given, *(('key', one) for one in kept or [''])])}"


def by_skill(stretches: Sequence[Stretch]) -> dict[str, tuple[Stretch, ...]]:
    """Stretches in order, by skill; the skills with the most sources, by name."""
    found: dict[str, tuple[Stretch, ...]] = {}
    for one in sorted(stretches, key=lambda one: one.first):
        found[one.skill] = (*found.get(one.skill, ()), one)
    largest = sorted(found, key=lambda skill: -sum(one.sources for one in found[skill]))[:MOST_SKILLS]
    return {skill: found[skill] for skill in sorted(largest, key=lambda skill: (not skill, skill))}


def curve(request: Request) -> Response:
    """A metric as it is by now, for charts that are on the screen while a run goes on."""
    metrics: Metrics | None = request.app.state.metrics
    figure: Figure | None = curve_figure(metrics.curve(request.query_params.get("key", ""))) if metrics else None
    return JSONResponse(to_json(figure))


@contextlib.contextmanager
def _opened(desk: Desk, state: object) -> Iterator[None]:
    assert isinstance(state, State)
    state.metrics = Metrics(desk.metrics) if desk.metrics is not None else None
    yield


SECTION = Section(
    routes=(Route("/curriculum", curriculum), Route("/curriculum/curve", curve)),
    path="/curriculum",
    label="Curriculum",
    opened=_opened,
)
