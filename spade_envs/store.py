"""Where environments lie on this machine: the bundled shelf, the user's own, and those on ``SPADE_ENVS_PATH``."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

from .entries import Entry
from .errors import StoreError
from .shelf import BUNDLED_LAST, NAMESPACE, Shelf, unknown_env

__all__ = [
    "NAMESPACE",
    "USER_FIRST",
    "Entry",
    "Shelf",
    "bundled_path",
    "cache",
    "home",
    "resolve",
    "search_path",
    "user_shelf",
]

USER_FIRST = BUNDLED_LAST + 2
"""First number of the user's own shelf."""


def home() -> Path:
    """The folder everything of the user's lies in: ``$SPADE_ENVS_HOME``, else the platform's user data folder."""
    given = os.environ.get("SPADE_ENVS_HOME")
    if given:
        # Absolute, because it travels to workers that may run elsewhere.
        return Path(os.path.expanduser(given)).absolute()
    import platformdirs

    return Path(platformdirs.user_data_path("spade-envs", appauthor=False))


def cache() -> Path:
    """The folder of what can be derived again: ``cache`` in ``$SPADE_ENVS_HOME``, else the platform's cache folder."""
    if os.environ.get("SPADE_ENVS_HOME"):
        return home() / "cache"
    import platformdirs

    return Path(platformdirs.user_cache_path("spade-envs", appauthor=False))


def bundled_path() -> Path:
    """Folder of the shelf that comes with the package. It may be read-only."""
    return Path(__file__).with_name("generated")


def user_shelf() -> Shelf:
    """The user's own shelf, made when it is not there yet.

    Raises:
        StoreError: when it cannot be made, or something else lies in its place.
    """
    shelf = Shelf.create(home() / "shelf", NAMESPACE, USER_FIRST)
    problem = _misdeclared(shelf, own=True, first=USER_FIRST)
    if problem:
        raise StoreError(f"{shelf.path}: {problem}")
    return shelf


def search_path() -> list[Shelf]:
    """The shelves environments are looked for on, first come first served.

    A shelf that is missing, broken or declares what it must not is left out with a warning; this never raises.
    """
    claims = [(bundled_path(), True, 1)]
    if os.path.lexists(home() / "shelf"):
        claims.append((home() / "shelf", True, USER_FIRST))
    for part in os.environ.get("SPADE_ENVS_PATH", "").split(os.pathsep):
        if part:
            claims.append((Path(os.path.expanduser(part)), False, 1))
    shelves: dict[str, Shelf] = {}
    for path, own, first in claims:
        place = os.path.realpath(path)
        if place in shelves:
            continue
        shelf = Shelf(path)
        try:
            problem = _misdeclared(shelf, own=own, first=first)
        except StoreError as error:
            problem = str(error)
        if problem:
            warnings.warn(f"the shelf {shelf.path} is left out: {problem}", stacklevel=2)
        else:
            shelves[place] = shelf
    return list(shelves.values())


def resolve(
    name: str,
    sha256: str | None = None,
    namespace: str = NAMESPACE,
    shelf: str | os.PathLike[str] | None = None,
) -> tuple[Shelf, Entry]:
    """Find environment ``name`` of ``namespace`` on the search path, or in the folder ``shelf`` alone.

    With ``shelf`` the namespace is whatever that shelf declares. With ``sha256`` only an environment with that
    hash will do; without, the first on the search path wins.

    Raises:
        UnknownEnv: when nobody has this id; the message names the nearest over all shelves.
        StoreError: when the id exists, but not with this hash, or a shelf or a card cannot be read.
    """
    everything = search_path() if shelf is None else [Shelf(shelf)]
    places = [one for one in everything if shelf is not None or one.namespace == namespace]
    others = []
    for place in places:
        entry = place.peek(name)
        if entry is None:
            continue
        if sha256 is None or entry.sha256 == sha256:
            return place, entry
        others.append(f"{place.path / name / 'env.py'} has {entry.sha256}")
    shown = places[0].namespace if shelf is not None else namespace
    if others:
        raise StoreError(
            f"{shown}/{name} is wanted with sha256 {sha256}, but {'; '.join(others)}. "
            "Put the shelf that holds the wanted one on SPADE_ENVS_PATH, or make the id again without a hash"
        )
    known = [entry.env_id for one in everything for entry in one.entries()]
    where = ", ".join(str(one.path) for one in everything) or "no shelf at all"
    raise unknown_env(f"{shown}/{name}", known, where)


def _misdeclared(shelf: Shelf, *, own: bool, first: int) -> str:
    """What is wrong with the declaration of ``shelf``, or nothing. ``own`` shelves share our namespace."""
    if own and shelf.namespace != NAMESPACE:
        return f"it declares the namespace {shelf.namespace!r}, but only {NAMESPACE!r} belongs there"
    if not own and shelf.namespace == NAMESPACE:
        return f"the namespace {NAMESPACE!r} is taken; give it one of its own in shelf.json"
    if own and (shelf.first <= BUNDLED_LAST) != (first <= BUNDLED_LAST):
        return f"it declares numbers from {shelf.first}, but they belong to another shelf; allowed: {first}"
    return ""
