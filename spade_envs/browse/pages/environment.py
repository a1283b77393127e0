"""One environment: its source with findings in the margin, and all that is known about it."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...memory.records import Everything
from ...types import Episode, Probe, Report, Severity
from ..desk import Section, desk_of
from ..drawing import interval, tree
from ..highlighting import lines, solution
from ..rendering import page
from ..screening import escapes

EPISODES = 30
"""Episodes listed at once."""
_WEIGHTS = {Severity.ERROR: 0, Severity.UNDECIDED: 1, Severity.WARNING: 2}


def environment(request: Request) -> Response:
    """The page of one environment."""
    library = desk_of(request).library
    known = library.everything(request.path_params["name"])
    report = known.reports[-1] if known.reports else None
    findings = sorted(report.findings, key=lambda one: _WEIGHTS[one.severity]) if report else []
    return page(
        request,
        "environment.html",
        known=known,
        row=known.row,
        report=report,
        findings=findings,
        source=lines(known.source.text, findings),
        solution=solution(known.source.text),
        facts=facts(known),
        document=library.document(known.source.document),
        probes=known.probes,
        chart=chart(known.probes),
        interval=interval,
        tree=tree(known.row, library.family(known.row.sha256)),
        neighbours=library.neighbours(known.row.sha256),
        episodes=library.episodes(known.row.sha256),
        most=EPISODES,
    )


def facts(known: Everything) -> list[tuple[str, str]]:
    """What is known in few words: a title and a text each."""
    report = known.reports[-1] if known.reports else None
    origin, row = known.origin, known.row
    made = [
        ("contract", row.contract),
        ("turns", str(report.max_turns) if report and report.max_turns else ""),
        ("instances", f"{report.instances} first observations" if report and report.instances else ""),
        ("floor", _floor(report.floor) if report and report.floor is not None else ""),
        ("made by", row.made_by),
        ("run", origin.run),
        ("step", "" if origin.step is None else str(origin.step)),
        ("model scale", origin.scale),
        ("recipe", origin.recipe),
        ("difficulty", origin.difficulty),
        ("pool", ": ".join(part for part in (origin.pool, origin.path) if part)),
        ("claimed", origin.claimed),
        ("seen", row.seen[:10]),
        ("checked", _checked(report, len(known.reports)) if report else ""),
        ("not reached", ", ".join(report.not_reached) if report else ""),
    ]
    return [(title, text) for title, text in made if text]


def _checked(report: Report, times: int) -> str:
    often = f", the last of {times} times" if times > 1 else ""
    return f"in {sum(report.seconds.values()):.1f} s, isolation {report.isolation.value}{often}"


def _floor(value: float) -> str:
    return f"the best weak player wins {value:.1%}"


def chart(probes: tuple[Probe, ...]) -> dict[str, list[object]]:
    """Numbers and labels for the chart of probes, oldest first."""
    return {
        "labels": [escapes(f"{probe.model} {probe.policy_version}".strip(), limit=60) for probe in probes],
        "dates": [escapes(probe.date[:10], limit=10) for probe in probes],
        "regret": [probe.regret for probe in probes],
        "spans": [list(probe.interval) for probe in probes],
        "plain": [_mean(probe.plain) for probe in probes],
        "hinted": [_mean(probe.hinted) for probe in probes],
        "bands": [escapes(probe.band, limit=20) for probe in probes],
    }


def _mean(outcomes: tuple[float | None, ...]) -> float | None:
    there = [one for one in outcomes if one is not None]
    return sum(there) / len(there) if there else None


# -- episodes -------------------------------------------------------------------------------------------------------


def _numbered(request: Request) -> tuple[Everything, Episode]:
    library = desk_of(request).library
    known = library.everything(request.path_params["name"])
    kept = library.episodes(known.row.sha256)
    number = request.path_params["number"]
    if number >= len(kept):
        raise HTTPException(404, "No such episode")
    return known, kept[number]


def episode(request: Request) -> Response:
    """One episode as a transcript; the newest is number 0."""
    known, found = _numbered(request)
    part = request.headers.get("hx-request") == "true"
    template = "transcript.html" if part else "episode.html"
    return page(request, template, row=known.row, episode=found, number=request.path_params["number"])


# -- whole texts -----------------------------------------------------------------------------------------------------


def text(request: Request) -> Response:
    """A whole text, by itself: ``source``, ``hint`` or ``document``."""
    known = desk_of(request).library.everything(request.path_params["name"])
    texts = {"source": known.source.text, "hint": known.source.hint, "document": known.source.document}
    part = request.path_params["part"]
    if part not in texts:
        raise HTTPException(404, "No such text")
    return page(request, "text.html", row=known.row, part=part, texts=[texts[part]])


def episode_text(request: Request) -> Response:
    """A whole episode as plain text."""
    known, found = _numbered(request)
    texts = [found.observation]
    for turn in found.turns:
        texts += [turn.reply, f"{turn.observation}\n\nreward {turn.reward:g}"]
    return page(request, "text.html", row=known.row, part=f"episode, seed {found.seed}", texts=[*texts, found.cut])


SECTION = Section(
    routes=(
        Route("/env/{name}/text/{part}", text),
        Route("/env/{name}/episode/{number:int}", episode),
        Route("/env/{name}/episode/{number:int}/text", episode_text),
        # Ids have a slash in them.
        Route("/env/{name:path}", environment),
    )
)
