"""``doctor``: what this machine can do."""

from __future__ import annotations

import importlib.util
import json
import platform
from typing import Annotated

from cyclopts import Parameter

from ..check import versions
from ..errors import SandboxError
from ..sandbox.host import BoxOptions, Worker
from ..sandbox.lockdown import describe_gaps
from ..store import home, search_path
from ..types import Isolation, Limits
from . import screen

EXTRAS = {"math": "math_verify", "corpus": "pyarrow"}
"""Extras and a module that each of them brings."""


def doctor(*, as_json: Annotated[bool, Parameter(name="--json", negative="")] = False) -> int:
    """Tell which isolation this machine reaches, what that does not cover, and what is installed.

    Exit code 0 when sources can be checked at the default isolation (seccomp), else 1.

    Args:
        as_json: One JSON object.
    """
    facts = _facts()
    level = Isolation(str(facts["isolation"]))
    enough = level.rank >= Isolation.SECCOMP.rank
    if as_json:
        print(json.dumps(facts))
        return 0 if enough else 1
    out = screen.console()
    out.print("isolation  ", style="dim", end="")
    out.print(level.value, style="bold green" if enough else "bold red")
    abi = facts["landlock_abi"]
    out.print(f"           Landlock {f'ABI {abi}' if abi else 'not available'}", style="dim")
    for title in ("notes", "not_covered"):
        lines = facts[title]
        if isinstance(lines, list) and lines:
            out.print(title.replace("_", " "), style="dim")
            for line in lines:
                out.print(f"  - {line}")
    for title in ("versions", "extras"):
        told = facts[title]
        if isinstance(told, dict):
            out.print(f"{title:<11}", style="dim", end="")
            out.print(", ".join(f"{name} {value}" for name, value in told.items()))
    out.print("home       ", style="dim", end="")
    out.print(str(facts["home"]))
    out.print("shelves    ", style="dim", end="")
    shelves = facts["shelves"]
    out.print(", ".join(map(str, shelves)) if isinstance(shelves, list) else "none")
    if not enough:
        out.print("Sources are not run here unless you pass --isolation process, which is no boundary.", style="red")
    return 0 if enough else 1


def _facts() -> dict[str, object]:
    worker = Worker("", Limits(), BoxOptions(require=Isolation.PROCESS))
    notes: list[str] = []
    try:
        worker.wait_ready()
        notes = list(worker.notes)
    except SandboxError as error:
        notes = [str(error)]
    finally:
        worker.kill()
    return {
        "isolation": worker.isolation.value,
        "landlock_abi": worker.landlock_abi,
        "notes": notes,
        "not_covered": list(describe_gaps(worker.isolation.value, worker.landlock_abi)),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "versions": versions(),
        "extras": {
            extra: "installed"
            if importlib.util.find_spec(module)
            else f"not installed (pip install 'spade-envs[{extra}]')"
            for extra, module in EXTRAS.items()
        },
        "home": str(home()),
        "shelves": [str(shelf.path) for shelf in search_path()],
    }
