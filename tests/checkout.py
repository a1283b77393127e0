"""The files of this checkout, for tests that look at the repository itself."""

from __future__ import annotations

import functools
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""Top folder of the checkout."""

_MADE = {"__pycache__", "dist", "build"}


@functools.cache
def files() -> tuple[str, ...]:
    """Paths of all files that belong to the checkout, relative and sorted; links are listed, not followed.

    Version control is asked where it is there; else the tree is walked without what tools leave behind.
    """
    if (ROOT / ".git").exists():
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode == 0:
            return tuple(sorted(path for path in done.stdout.split("\0") if path and os.path.lexists(ROOT / path)))
    return tuple(sorted(_walk()))


def _walk() -> list[str]:
    found = []
    for folder, folders, names in os.walk(ROOT):
        here = Path(folder)
        found += [(here / name).relative_to(ROOT).as_posix() for name in names if not name.endswith(".pyc")]
        found += [(here / name).relative_to(ROOT).as_posix() for name in folders if (here / name).is_symlink()]
        # Caches and environments hide behind a dot; so does .ci, which belongs.
        folders[:] = [n for n in folders if n not in _MADE and (n == ".ci" or not n.startswith(".")) and "egg" not in n]
    return found


def python_files(*folders: str) -> list[str]:
    """Python files of our own below ``folders``; environments and test sources are data, and left out."""
    tops = tuple(f"{folder}/" for folder in folders)
    return [path for path in files() if path.endswith(".py") and path.startswith(tops) and not _is_data(path)]


def _is_data(path: str) -> bool:
    return path.startswith(("generated/", "spade_envs/generated/", "tests/sources/"))
