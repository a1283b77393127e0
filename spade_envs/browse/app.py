"""The app: its pages behind the gate, its files held in memory, and its errors as pages."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from ..errors import StoreError, UnknownEnv
from . import pages
from .desk import Desk
from .rendering import page, templates
from .security import Gate, Key

KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""Files of ``static/`` that are served, by suffix."""


def application(desk: Desk, key: Key, *, allow_hosts: Iterable[str] = ()) -> ASGIApp:
    """The whole page over ``desk``, which only the holder of ``key`` may open.

    Raises:
        ValueError: for a host that cannot be one.
    """
    routes = [route for section in pages.SECTIONS for route in section.routes]
    app = Starlette(
        routes=[*routes, Route("/static/{name}", static)],
        lifespan=_lifespan,
        exception_handlers={
            HTTPException: _missing,
            UnknownEnv: _unknown,
            ValueError: _wrong,
            StoreError: _broken,
            Exception: _failed,
        },
    )
    # A redirect would name an address without the base.
    app.router.redirect_slashes = False
    app.state.desk = desk
    app.state.sections = [section for section in pages.SECTIONS if section.path]
    app.state.templates = templates()
    app.state.files = _files()
    return Gate(app, key, allow_hosts=allow_hosts)


@contextlib.asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    with contextlib.ExitStack() as stack:
        for section in pages.SECTIONS:
            if section.opened is not None:
                stack.enter_context(section.opened(app.state.desk, app.state))
        yield


def _files() -> dict[str, tuple[bytes, str]]:
    """All that is served from the disk, read once: no name from outside ever becomes a path."""
    folder = Path(__file__).with_name("static")
    return {
        path.name: (path.read_bytes(), KINDS[path.suffix]) for path in sorted(folder.iterdir()) if path.suffix in KINDS
    }


def static(request: Request) -> Response:
    """A style sheet, script or picture."""
    found = request.app.state.files.get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return Response(found[0], media_type=found[1])


# -- errors as pages -------------------------------------------------------------------------------------------------


def _missing(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    said = error.detail if isinstance(error, HTTPException) else ""
    return page(request, "error.html", status=status, title=said or "Error", said="Nothing is at this address.")


def _unknown(request: Request, error: Exception) -> Response:
    return page(request, "error.html", status=404, title="No such environment", said=str(error))


def _wrong(request: Request, error: Exception) -> Response:
    return page(request, "error.html", status=400, title="That cannot be asked", said=str(error))


def _broken(request: Request, error: Exception) -> Response:
    return page(request, "error.html", status=503, title="The memory cannot be read", said=str(error))


def _failed(request: Request, error: Exception) -> Response:
    said = f"{type(error).__name__}. The terminal that spade-envs browse runs in shows where."
    return page(request, "error.html", status=500, title="The page failed", said=said)
