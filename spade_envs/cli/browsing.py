"""``browse``: a local page over the memory."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import socket
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ..errors import SpadeEnvsError, StoreError
from ..memory import SqliteMemory
from ..memory.upkeep import rebuild
from ..store import search_path
from ..terminal import tame
from .whole import Whole

if TYPE_CHECKING:
    from starlette.types import ASGIApp

MODULES = ("starlette", "uvicorn", "jinja2", "pygments")
"""What the extra ``[browse]`` brings."""
PORTS = 65_535


def browse(
    *,
    port: Whole = 0,
    allow_host: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    memory: Path | None = None,
    metrics: Path | None = None,
    open_: Annotated[bool, Parameter(name="--open", negative="--no-open")] = True,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> int:
    """Serve a page over the memory on this machine: search, read, compare; until Ctrl-C.

    It listens on 127.0.0.1 and wants the key in the address it prints. From another machine, forward the port by SSH.
    What lies on the shelves is added to your memory first; another one is only read.

    Examples:

      spade-envs browse
      spade-envs browse --port 8080 --no-open
      spade-envs browse --memory pool.db
      spade-envs browse --metrics runs/first/metrics.jsonl

    Args:
        port: Where to listen; any free one when left out.
        allow_host: A further name that browsers may know this machine by, behind a proxy of yours. May be repeated.
        memory: Another memory than your own.
        metrics: JSON lines of a training run, numbers by key with "step", charted with the curriculum.
        open_: Open it in a browser, where there is a screen.
        as_json: Print one JSON object with the address, and open nothing.
    """
    if not 0 <= port <= PORTS:
        raise ValueError(f"--port must be between 0 and {PORTS}, not {port}")
    lacking = [name for name in MODULES if importlib.util.find_spec(name) is None]
    if lacking:
        raise SpadeEnvsError(f"the page needs {', '.join(lacking)}, not installed: pip install 'spade-envs[browse]'")
    from ..browse.app import application
    from ..browse.desk import Desk
    from ..browse.library import Library
    from ..browse.security import Key

    key = Key()
    with contextlib.ExitStack() as stack:
        opened = stack.enter_context(SqliteMemory(memory, write=memory is None))
        if memory is None:
            rebuild(opened, search_path())
        app = application(Desk(Library(opened), key.base, metrics), key, allow_hosts=allow_host)
        listening = stack.enter_context(_listen(port))
        at = listening.getsockname()[1]
        address = f"http://127.0.0.1:{at}{key.base}/?token="
        if as_json:
            print(json.dumps({"url": address + key.token, "port": at, "memory": str(opened.path)}), flush=True)
        else:
            print(f"{address}{key.token}\nover {tame(str(opened.path))}; Ctrl-C ends it.", flush=True)
            if open_:
                _open(address + key.ticket())
        _serve(app, listening)
    return 0


def _listen(port: int) -> socket.socket:
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError as error:
        what = error.strerror or str(error)
        raise StoreError(f"port {port} cannot be listened on: {what}; name another by --port, or none") from error


def _open(address: str) -> threading.Thread | None:
    """Show it in a browser. Without a screen a browser would take over the terminal."""
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        return None
    import webbrowser

    # Some wait for the browser to end. The address in their command line, which others may read, works once.
    opening = threading.Thread(target=webbrowser.open, args=(address,), daemon=True)
    opening.start()
    return opening


def _serve(app: ASGIApp, listening: socket.socket) -> None:
    """Answer until Ctrl-C."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=3,
    )
    # That it was asked to end is no news after it has ended.
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
