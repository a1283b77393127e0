"""One environment: its source with findings in the margin, and all that is known about it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..desk import Section, desk_of
from ..rendering import page


def environment(request: Request) -> Response:
    """The page of one environment."""
    known = desk_of(request).library.everything(request.path_params["name"])
    return page(request, "environment.html", known=known)


SECTION = Section(routes=(Route("/env/{name}", environment),))
