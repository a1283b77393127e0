"""Playing in the page: begin an episode, reply turn by turn, or watch the author's solution; and take it along."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import secrets
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ...env import SEEDS, EnvSettings
from ...errors import SandboxError, UnknownEnv
from ...memory.records import Everything
from ...store import home
from ...typed_replies import Argument, called
from ...types import Verdict
from .. import forms
from ..copying import as_json, as_test
from ..desk import Desk, Section, desk_of
from ..rendering import page
from ..sessions import FullError, NoEpisodeError, PlayError, PlaySessions, Standing, Start

_WARNINGS = {
    Verdict.REFUSE: "The gate refused it. It runs in the box all the same, but may be broken or impossible to win.",
    Verdict.UNDECIDED: "The gate could not decide. It runs in the box all the same, but may be broken.",
    None: "The gate has not checked it. It runs in the box all the same, but may be broken or impossible to win.",
}
"""What is said before a source is played that was not admitted."""


def sessions_of(request: Request) -> PlaySessions:
    """The episodes of the app that answers ``request``."""
    sessions: PlaySessions = request.app.state.plays
    return sessions


def settings_for(known: Everything, *, hinted: bool) -> EnvSettings:
    """How a source is played: as the last report found it."""
    report = known.reports[-1] if known.reports else None
    contract = known.source.contract or (report.contract if report else "")
    turns = report.max_turns if report else 0
    return EnvSettings(contract, turns or None, hint=known.source.hint, hinted=hinted)


# -- beginning -------------------------------------------------------------------------------------------------------


def overview(request: Request) -> Response:
    """Every episode that can be looked at, and how to begin one."""
    return page(request, "plays.html", standings=sessions_of(request).all(), trouble="", env=None, warning="", given={})


def begin(request: Request) -> Response:
    """The form that begins an episode of one environment; a seed and the hint may be asked for beforehand."""
    return _begin_page(request, request.query_params.get("env", ""), request.query_params)


def _begin_page(
    request: Request, name: str, given: Mapping[str, str], trouble: str = "", status: int = 200
) -> Response:
    known = desk_of(request).library.everything(name.strip()) if name.strip() else None
    warning = _WARNINGS.get(known.row.verdict, "") if known else ""
    return page(
        request,
        "plays.html",
        status=status,
        standings=sessions_of(request).all(),
        trouble=trouble,
        env=known,
        warning=warning,
        given=given,
    )


async def start(request: Request) -> Response:
    """Begin an episode and go to it."""
    fields = await forms.given(request)
    return await run_in_threadpool(_start, request, fields)


def _start(request: Request, fields: Mapping[str, str]) -> Response:
    name = fields.get("env", "")
    try:
        seed = forms.whole(fields, "seed")
        known = desk_of(request).library.everything(name.strip())
        standing = sessions_of(request).start(
            Start(
                known.source,
                secrets.randbelow(SEEDS) if seed is None else seed,
                settings_for(known, hinted=fields.get("hint") == "1"),
                known.row.env_id,
                witness=fields.get("player") == "witness",
            )
        )
    except (PlayError, SandboxError, UnknownEnv, ValueError) as error:
        if isinstance(error, UnknownEnv):
            return _begin_page(request, "", fields, str(error), 404)
        status = 400 if isinstance(error, ValueError) else 409 if isinstance(error, FullError) else 503
        return _begin_page(request, name, fields, str(error), status)
    return RedirectResponse(f"{desk_of(request).base}/play/{standing.key}", 303)


# -- going on --------------------------------------------------------------------------------------------------------


def look(request: Request) -> Response:
    """An episode, whole; for the hash of a source, the form that begins one."""
    if len(request.path_params["key"]) == len(hashlib.sha256().hexdigest()):
        return _begin_page(request, request.path_params["key"], request.query_params)
    try:
        standing = sessions_of(request).look(request.path_params["key"])
    except NoEpisodeError as error:
        return page(request, "error.html", status=404, title="No such episode", said=str(error))
    return page(request, "play.html", **_context(request, standing))


def _context(request: Request, standing: Standing) -> dict[str, Any]:
    known = desk_of(request).library.everything(standing.start.source.sha256)
    return {
        "standing": standing,
        "episode": standing.episode,
        "row": known.row,
        "warning": _WARNINGS.get(known.row.verdict, ""),
        "first": 0,
        "trouble": "",
    }


async def act(request: Request) -> Response:
    """One reply: typed, or filled into the form of a tool, or a final answer."""
    fields = await forms.given(request)
    return await run_in_threadpool(_go_on, request, fields, lambda key, turn: _act(request, key, turn, fields))


def _act(request: Request, key: str, turn: int | None, fields: Mapping[str, str]) -> Standing:
    sessions = sessions_of(request)
    if "tool" in fields:
        tools = sessions.look(key).tools
        number = forms.whole(fields, "tool")
        if number is None or number >= len(tools):
            raise ValueError(f"tool has to be a number below {len(tools)}; load the page anew")
        tool = tools[number]
        typed = {one.name: _typed(one, fields.get(f"argument-{at}", "")) for at, one in enumerate(tool.arguments)}
        return sessions.act(key, called(tool, typed), turn=turn, bare=False)
    if "answer" in fields:
        return sessions.act(key, f"<answer>{fields['answer'].strip()}</answer>", turn=turn, bare=False)
    reply = fields.get("reply", "").replace("\r\n", "\n")
    if not reply.strip():
        raise ValueError("the reply is empty: type an answer or a command")
    return sessions.act(key, reply, turn=turn)


def _typed(argument: Argument, value: str) -> str:
    """What a field stands for. Choices come by number: a browser would tidy the spaces in them."""
    choices = argument.choices or (("true", "false") if argument.kind == "boolean" else ())
    if not choices or not value:
        return value
    number = forms.whole({argument.name: value}, argument.name, len(choices) - 1)
    return choices[number or 0]


async def step(request: Request) -> Response:
    """The next turn of the author's solution, or all that are left."""
    fields = await forms.given(request)
    whole = fields.get("whole") == "1"
    step_it = functools.partial(sessions_of(request).step, whole=whole)
    return await run_in_threadpool(_go_on, request, fields, lambda key, turn: step_it(key, turn=turn))


async def end(request: Request) -> Response:
    """Stop playing."""
    fields = await forms.given(request)
    return await run_in_threadpool(_go_on, request, fields, lambda key, turn: sessions_of(request).end(key))


def _go_on(request: Request, fields: Mapping[str, str], what: Callable[[str, int | None], Standing]) -> Response:
    """Do it and answer with the turns that are new to the page; to a page without scripts, with the whole episode."""
    key, trouble = request.path_params["key"], ""
    seen = forms.whole(fields, "turn", 10**9)
    try:
        standing = what(key, seen)
    except (PlayError, SandboxError, ValueError) as error:
        trouble = str(error)
        try:
            standing = sessions_of(request).look(key)
        except NoEpisodeError:
            return page(request, "error.html", status=404, title="No such episode", said=trouble)
    scripted = "hx-request" in request.headers
    if not scripted and not trouble:
        return RedirectResponse(f"{desk_of(request).base}/play/{key}", 303)
    context = _context(request, standing) | {"trouble": trouble, "first": (seen or 0) if scripted else 0}
    return page(request, "play_turns.html" if scripted else "play.html", **context)


# -- taking along ----------------------------------------------------------------------------------------------------


def copy(request: Request) -> Response:
    """The episode as JSON or as a test, to be saved."""
    try:
        standing = sessions_of(request).look(request.path_params["key"])
    except NoEpisodeError as error:
        return page(request, "error.html", status=404, title="No such episode", said=str(error))
    name = f"{standing.key}_seed_{standing.episode.seed}"
    form = request.path_params["form"]
    if form not in ("json", "test"):
        raise HTTPException(404)
    if form == "json":
        text, file = as_json(standing.episode), f"episode_{name}.json"
    else:
        memory: Path | None = desk_of(request).library.memory.path
        memory = None if memory == (home() / "memory.db").absolute() else memory
        text, file = as_test(standing.episode, standing.start.source.sha256, memory=memory), f"test_{name}.py"
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(text, headers=headers, media_type="text/plain; charset=utf-8")


@contextlib.contextmanager
def _opened(desk: Desk, state: object) -> Iterator[PlaySessions]:
    assert isinstance(state, State)
    state.plays = PlaySessions()
    try:
        yield state.plays
    finally:
        state.plays.close()


SECTION = Section(
    routes=(
        Route("/play", overview),
        Route("/play/new", begin),
        Route("/play/new", start, methods=["POST"]),
        Route("/play/{key}", look),
        Route("/play/{key}/act", act, methods=["POST"]),
        Route("/play/{key}/step", step, methods=["POST"]),
        Route("/play/{key}/end", end, methods=["POST"]),
        Route("/play/{key}/{form}", copy),
    ),
    path="/play",
    label="Play",
    opened=_opened,
)
