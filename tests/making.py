"""Shelves for tests: sources and cards to put on them, and a look at what lies there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from spade_envs.store import Shelf
from spade_envs.types import Card, EnvSource, Report

FOR_CHILDREN = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
"""First line of a child process's script that imports this module."""


def make_source(tag: object) -> EnvSource:
    """A source that differs from others by ``tag``; with carriage returns and a letter beyond ASCII."""
    text = f"class Env:\r\n    tag = {tag!r}  # \u00e9\n"
    return EnvSource(text=text, skill="logical-deduction", made_by="test")


def make_card(source: EnvSource, **changes: Any) -> Card:
    """A card that fits ``source``, but for ``changes``."""
    values = {
        "name": "",
        "sha256": source.sha256,
        "skill": source.skill,
        "contract": "answer",
        "hint": "Count.",
        "max_turns": 5,
        "menu": True,
        "witness_kind": "list",
        "instances": 20,
        "floor": None,
        "parent": "",
        "document": "",
        "made_by": source.made_by,
        "report": Report(source.sha256, contract="answer", seconds={"static": 0.1}),
        "made": "2026-01-31T12:00:00Z",
    }
    return Card(**{**values, **changes})


def put(on: Shelf, tag: object, **changes: Any) -> Card:
    """Add a source of this tag."""
    source = make_source(tag)
    return on.add(source, make_card(source, **changes))


def names(on: Shelf) -> list[str]:
    """Names of the entries, in order."""
    return [entry.name for entry in on.entries()]


def leftovers(folder: Path) -> list[str]:
    """Unfinished files and folders."""
    return [path.name for path in folder.iterdir() if path.name.startswith(".tmp-")]


def header(folder: Path) -> dict[str, Any]:
    """What ``shelf.json`` says."""
    return json.loads((folder / "shelf.json").read_bytes())


def edit(path: Path, change: Callable[[Any], object]) -> None:
    """Change a JSON file as a person with an editor would."""
    value = json.loads(path.read_bytes())
    change(value)
    path.write_text(json.dumps(value))
