"""``doctor``: what this machine, and a model server, can do."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import platform
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from .. import local
from ..check import versions
from ..client.checkup import MOST_TOKENS, Checkup, check_up
from ..client.keys import Key
from ..client.servers import base_url as base_url_of
from ..codec import to_json
from ..errors import ClientError, SandboxError
from ..sandbox.host import BoxOptions, Worker
from ..sandbox.lockdown import describe_gaps
from ..store import home, search_path
from ..terminal import shown
from ..types import Isolation, Limits
from . import screen
from .asking import as_flags

EXTRAS = {
    "math": "math_verify",
    "corpus": "pyarrow",
    "browse": "starlette",
    "local": "xllamacpp",
    "train": "peft",
    "tensorboard": "tensorboard",
}
"""Extras and a module that each of them brings."""
SHOWN_MODELS = 20
"""Models of a server that are listed on a terminal."""


def doctor(
    *,
    base_url: str | None = None,
    model: str | None = None,
    key_variable: str | None = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> int:
    """Tell which isolation this machine reaches, what that does not cover, what is installed, and if a model answers.

    Exit code 0 when sources can be checked at the default isolation (seccomp) and the server, where one is named,
    answers a tiny chat; else 1.

    Examples:

      spade-envs doctor
      spade-envs doctor --base-url http://localhost:8000
      spade-envs doctor --base-url https://models.example/v1 --model small --key-variable MY_KEY

    Args:
        base_url: Base URL of a model server, to see what it is and can do.
        model: Whom to ask there, if not its first model.
        key_variable: The environment variable that holds the server's key.
        as_json: One JSON object.
    """
    if base_url is None and (model is not None or key_variable is not None):
        raise ValueError("--model and --key-variable say how to ask a server: name it by --base-url")
    url = None if base_url is None else _checked(base_url, key_variable)
    out = None if as_json else screen.console()
    facts = _facts()
    level = Isolation(str(facts["isolation"]))
    enough = level.rank >= Isolation.SECCOMP.rank
    if out is not None:
        out.print("isolation  ", style="dim", end="")
        out.print(level.value, style="bold green" if enough else "bold red")
        _print_machine(out, facts)
        if not enough:
            text = "Sources are not run here unless you pass --isolation process, which is no boundary."
            out.print(text, style="red")
    server = None
    if url is not None:
        if out is not None:
            # A server may take a minute to say nothing.
            _print(out, "asking", f"{url} ...")
        server = _ask(url, model, key_variable)
    if out is None:
        print(json.dumps({**facts, "server": None if server is None else to_json(server)}))
    elif server is not None:
        _print_server(out, server)
    return 0 if enough and (server is None or server.trouble is None) else 1


def _checked(base_url: str, key_variable: str | None) -> str:
    """The whole base URL. What is wrong with the flags is told before anything else is."""
    try:
        Key.from_environment(key_variable)
        return base_url_of(base_url)
    except ClientError as error:
        raise ClientError(as_flags(str(error))) from None


def _ask(url: str, model: str | None, key_variable: str | None) -> Checkup:
    found = asyncio.run(check_up(url, model, key_variable))
    return found if found.trouble is None else replace(found, trouble=as_flags(found.trouble))


def _print_machine(out: Console, facts: dict[str, object]) -> None:
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
            _print(out, title, ", ".join(f"{name} {value}" for name, value in told.items()))
    _print(out, "model", str(facts["local_model"] or f"none on this machine ({local.lacking()})"))
    _print(out, "home", str(facts["home"]), str(facts["home_trouble"] or ""))
    shelves = facts["shelves"]
    _print(out, "shelves", ", ".join(map(str, shelves)) if isinstance(shelves, list) else "none")


def _print_server(out: Console, server: Checkup) -> None:
    _print(out, "server", server.url)
    if server.kind is not None:
        _print(out, "  is", f"{server.kind.value} {server.version or ''}".rstrip())
    for one in server.models[:SHOWN_MODELS]:
        context = f"{one.context} tokens" if one.context else "its context is not told"
        _print(out, "  has", f"{one.name} ({context}{f', adapter of {one.parent}' if one.parent else ''})")
    if len(server.models) > SHOWN_MODELS:
        _print(out, "", f"and {len(server.models) - SHOWN_MODELS} more")
    for sentence in server.lacks:
        _print(out, "  but", sentence)
    if server.trouble is not None:
        out.print("  trouble  ", style="dim", end="")
        out.print(shown(server.trouble, "red"))
    elif server.seconds is not None:
        counted = "" if server.tokens is None else f", {server.tokens} tokens"
        _print(out, "  answers", f"{_words(server)} ({server.seconds:.2f} s{counted})")


def _words(server: Checkup) -> str:
    """What was answered, and by which of several models."""
    who = f"{server.model}: " if len(server.models) > 1 else ""
    reply, thought = (" ".join((text or "").split()) for text in (server.reply, server.reasoning))
    if thought and not reply:
        return f"{who}think text only, in the {MOST_TOKENS} tokens allowed: {thought!r}"
    return f"{who}{reply!r}"


def _print(out: Console, title: str, value: str, trouble: str = "") -> None:
    out.print(f"{title:<11}", style="dim", end="")
    text = shown(value, limit=500)
    out.print(text.append_text(shown(f" ({trouble})", "red")) if trouble else text)


def _home_trouble(path: Path) -> str | None:
    """Why nothing can be kept in a folder, which need not be there yet; ``None`` where it can."""
    nearest = next(folder for folder in (path, *path.parents) if os.path.lexists(folder))
    advice = "name a folder you may write to with SPADE_ENVS_HOME"
    if not os.path.isdir(nearest):
        return f"{'this' if nearest == path else nearest} is no folder; {advice}"
    if not os.access(nearest, os.W_OK | os.X_OK):
        return f"you may not write {'there' if nearest == path else f'to {nearest}'}; {advice}"
    return None


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
    path = local.bundled_model()
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
        "local_model": None if path is None or local.lacking() else str(path),
        "home": str(home()),
        "home_trouble": _home_trouble(home()),
        "shelves": [str(shelf.path) for shelf in search_path()],
    }
