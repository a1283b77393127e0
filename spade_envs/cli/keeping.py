"""``memory``: verify, back up, export, rebuild and prune what is remembered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ..memory import SqliteMemory, upkeep
from ..store import search_path
from ..terminal import shown
from . import screen
from .filtering import ANY, FilterFlags
from .naming import memory_path, remembered
from .whole import Whole


def verify(*, as_json: Annotated[bool, Parameter(name="--json", negative="")] = False) -> int:
    """Check the memory: the file itself, hashes of sources, records that can be read, indexes that agree.

    Examples:

      spade-envs memory verify

    Exit code 0 if all is well, 1 if something is wrong.

    Args:
        as_json: One JSON object with the problems.
    """
    with remembered() as memory:
        problems = upkeep.verify(memory)
    if as_json:
        print(json.dumps({"memory": str(memory_path()), "problems": list(problems)}))
        return 1 if problems else 0
    out = screen.console()
    for problem in problems:
        out.print(shown(problem, "red", limit=600))
    if problems:
        out.print("Restore a copy that `spade-envs memory backup` made, or move the file away and rebuild it.")
    else:
        out.print(shown(f"{memory_path()} is sound", "green"))
    return 1 if problems else 0


def backup(file: Annotated[Path, Parameter(name="FILE")], /) -> int:
    """Copy the memory as it is at this moment, while others go on writing.

    Examples:

      spade-envs memory backup memory-2026-01-31.db

    Args:
        file: New file; what is there already is not overwritten.
    """
    with remembered() as memory:
        upkeep.backup(memory, file)
    screen.console().print(shown(f"wrote {file} ({file.stat().st_size:,} bytes)"))
    return 0


def export(
    file: Annotated[Path, Parameter(name="FILE")],
    /,
    *,
    flags: Annotated[FilterFlags, Parameter(name="*")] = ANY,
) -> int:
    """Write sources to a file, oldest first, one JSON object per line.

    Examples:

      spade-envs memory export all.jsonl
      spade-envs memory export admitted.jsonl.zst --verdict admit

    Args:
        file: New file, .jsonl or .jsonl.zst; what is there is not overwritten.
    """
    if not file.name.endswith((".jsonl", ".jsonl.zst")):
        raise ValueError(f"{file} must end in .jsonl or .jsonl.zst, which says how it is written")
    with remembered() as memory:
        count = upkeep.export(memory, file, flags.filters())
    screen.console().print(shown(f"wrote {_many(count, 'source')} to {file} ({file.stat().st_size:,} bytes)"))
    return 0


def rebuild() -> int:
    """Put what is on the shelves into the memory, which is made where there is none. What is known stays as it is.

    Admitted sources that were added many at once are made findable as neighbours of others.

    Examples:

      spade-envs memory rebuild
    """
    with SqliteMemory(memory_path()) as memory:
        added = upkeep.rebuild(memory, search_path())
        signed = upkeep.sign(memory)
    out = screen.console()
    out.print(shown(f"{_many(added, 'source')} of the shelves were new to {memory_path()}"))
    if signed:
        out.print(f"{_many(signed, 'source')} added before can be found as neighbours now")
    return 0


def prune(*, episodes: Whole) -> int:
    """Delete the oldest episodes, which take the most room. Sources, reports and probes are never deleted.

    Examples:

      spade-envs memory prune --episodes 2

    Args:
        episodes: Episodes of each source that stay, with the hint and as many without.
    """
    if episodes < 0:
        raise ValueError(f"--episodes must be at least 0, not {episodes}; 0 deletes all of them")
    with remembered(write=True) as memory:
        gone = upkeep.prune(memory, episodes)
    screen.console().print(f"deleted {_many(gone, 'episode')}")
    return 0


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


COMMANDS = (verify, backup, export, rebuild, prune)
