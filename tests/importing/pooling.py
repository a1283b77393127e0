"""Pools for tests, made of the bundled sources and of flawed copies of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from spade_envs.importing import Candidate, Pool, Problem
from spade_envs.rules import EXAMPLE
from spade_envs.store import bundled_path

SKILLS = ("logical-deduction", "causal-inference", "tool-selection")


def bundled(number: int) -> str:
    """A bundled source."""
    return (bundled_path() / f"env-{number:04d}" / "env.py").read_bytes().decode("utf-8")


def good(number: int = 0) -> str:
    """A source that passes in a moment; other numbers make other code."""
    return EXAMPLE.replace("9999", str(9000 + number))


def broken(number: int = 0) -> str:
    """One that is refused in a moment: it imports what it must not."""
    return f"import socket\n{good(number)}"


def digest(text: str | bytes) -> str:
    """SHA-256 of a text."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return hashlib.sha256(data).hexdigest()


def put(folder: Path, name: str, text: str | bytes) -> Path:
    """Write a file, and the folders on the way."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def put_lines(folder: Path, name: str, rows: Iterable[Mapping[str, Any]]) -> Path:
    """Write a file of rows."""
    return put(folder, name, "".join(json.dumps(row) + "\n" for row in rows))


def put_manifest(folder: Path, entries: list[Any], name: str = "manifest.json", **summary: Any) -> Path:
    """Write a manifest."""
    return put(folder, name, json.dumps({"summary": summary, "games": entries}))


def put_run(folder: Path, texts: Mapping[tuple[int, int], str], **summary: Any) -> None:
    """A pool of one run in nested folders with its manifest; texts by training step and number in it."""
    entries = []
    for at, ((step, number), text) in enumerate(texts.items()):
        skill = SKILLS[number % len(SKILLS)]
        name = f"game_{step:05d}_{number:03d}_{skill}.py"
        path = f"games/gen_{at:04d}/{name}"
        put(folder, path, text)
        entry = {"generation": at, "step": step, "filename": name, "skill": skill, "difficulty": "medium"}
        outcomes = {"has_hint": False, "reward_joined": True, "n_plays": 16, "mean_reward": 0.25, "solve_rate": None}
        entries.append({**entry, "path_in_dataset": path, **outcomes})
    put_manifest(folder, entries, n_games=len(entries), **summary)


def row_of(number: int, text: str, skill: str = "tool-selection", **changes: Any) -> dict[str, Any]:
    """A row as released files of rows have it."""
    name = f"game_{number:06d}"
    return {
        "game_id": name,
        "file_name": f"{name}.py",
        "original_file_name": f"game_00007_{number:03d}_{skill}.py",
        "skill": skill,
        "sha256": digest(text),
        "line_count": text.count("\n"),
        "byte_count": len(text.encode("utf-8", "surrogatepass")),
        "code": text,
        **changes,
    }


def read(path: Path, **options: str) -> tuple[list[Candidate], list[Problem]]:
    """Candidates and problems of a pool."""
    items = list(Pool(path, **options))
    return (
        [item for item in items if isinstance(item, Candidate)],
        [item for item in items if isinstance(item, Problem)],
    )


def kinds(problems: Iterable[Problem]) -> list[tuple[str, str]]:
    """Kind and place of each problem."""
    return [(problem.kind.value, problem.place) for problem in problems]
