"""What every page of the app is given, and how a section of it is made known."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.routing import BaseRoute

if TYPE_CHECKING:
    from .library import Library


@dataclasses.dataclass(frozen=True)
class Desk:
    """What pages work with; ``desk_of(request)`` gives it."""

    library: Library
    base: str = ""
    """The path that every address of the page begins with."""
    metrics: Path | None = None
    """A training run's ``metrics.jsonl``, where one was named."""


@dataclasses.dataclass(frozen=True)
class Section:
    """Some pages that belong together."""

    routes: Sequence[BaseRoute]
    path: str = ""
    """Where its entry in the navigation leads; empty for none."""
    label: str = ""
    opened: Callable[[Desk, object], AbstractContextManager[object]] | None = None
    """Entered with the desk and the app's ``state`` when the app starts, left when it ends."""


def desk_of(request: Request) -> Desk:
    """The desk of the app that answers ``request``."""
    desk: Desk = request.app.state.desk
    return desk
