"""Templates to answers. Whatever a template prints is escaped, and screened even where it forgets to ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import jinja2
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from ..version import __version__
from .desk import desk_of
from .screening import escapes, screened

LINE = 2_000
"""Characters of a text that no filter asked for."""


def _finalised(value: object) -> object:
    """What a template prints without a filter: text loses what acts; numbers and markup stay."""
    return value if isinstance(value, (Markup, int, float)) else escapes(str(value), limit=LINE)


def _tamed(value: object, limit: int | None = LINE, whole: str = "") -> Markup:
    """The filter ``tame``: :func:`~spade_envs.browse.screening.screened`."""
    return value if isinstance(value, Markup) else screened(str(value), limit=limit, whole=whole)


def _clipped(value: str, most: int) -> Markup:
    """The filter ``clip``: at most so many characters, for lists."""
    return screened(value if len(value) <= most else f"{value[: most - 1]}…", limit=None)


def _signed(value: float) -> str:
    """The filter ``signed``: two digits and a sign that is as wide as a digit."""
    return f"{value:+.2f}".replace("-", "−")


def _percent(value: float) -> str:
    """The filter ``percent``."""
    return f"{value:.0%}"


def _words(value: str) -> str:
    """The filter ``words``: slugs as they are read, ``no_regret`` to ``no regret``."""
    return value.replace("_", " ").replace("-", " ")


def _path(value: str) -> str:
    """The filter ``path``: one part of an address."""
    return quote(value, safe="")


def _short(value: str, most: int) -> str:
    """The filter ``short``: at most so many characters, for pictures that do not wrap."""
    text = escapes(value, limit=4 * most)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def templates() -> jinja2.Environment:
    """The templates of the page: autoescape on, a missing name is an error."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalised,
    )
    made.filters.update(
        tame=_tamed, clip=_clipped, signed=_signed, percent=_percent, words=_words, short=_short, path=_path
    )
    made.globals.update(version=__version__, query=_query)
    return made


def _query(values: Mapping[str, object], **changed: object) -> str:
    """``values`` with some changed as a query string, empty ones left out; in templates ``query(given, skill="x")``."""
    kept = {name: value for name, value in {**values, **changed}.items() if value not in ("", None, False)}
    return f"?{urlencode(kept)}" if kept else "?"


def page(request: Request, template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """``template`` with ``context``, and what every page knows: ``base``, ``sections``, ``here``."""
    app = request.app.state
    everything = {"base": desk_of(request).base, "sections": app.sections, "here": request.url.path, **context}
    return HTMLResponse(app.templates.get_template(template).render(everything), status)
