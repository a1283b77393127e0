"""What Gymnasium is told of an environment: entry points as text and plain arguments, so that specs travel as JSON."""

from __future__ import annotations

from typing import Any

from gymnasium.envs.registration import EnvSpec

from .entries import Entry
from .store import NAMESPACE

SOURCE_ID = "spade/source"
"""Tries a file without admitting it: ``gym.make("spade/source", path="my_env.py")``."""

MENU = "-menu"
"""Ends the id of the numeric view of an environment whose card says that a menu is enough to win it."""

_TEXT = EnvSpec(
    "spade/env-0001", entry_point="spade_envs.registry:load", vector_entry_point="spade_envs.registry:load_vector"
)
SOURCE = EnvSpec(
    SOURCE_ID, entry_point="spade_envs.registry:load_file", vector_entry_point="spade_envs.registry:load_file_vector"
)
_MENU = EnvSpec("spade/env-0001-menu", entry_point="spade_envs.registry:load_menu")


def _like(spec: EnvSpec, namespace: str, name: str, kwargs: dict[str, Any]) -> EnvSpec:
    """A copy with another id: making one anew reads the id with a pattern, which is most of the time it takes."""
    made = object.__new__(EnvSpec)
    values = made.__dict__
    values.update(spec.__dict__)
    values["id"], values["namespace"], values["name"] = f"{namespace}/{name}", namespace, name
    values["kwargs"] = kwargs
    return made


def spec_of(entry: Entry, *, off_path: bool = False, menu: bool = False) -> EnvSpec:
    """The spec of one environment.

    Args:
        entry: its line of the index.
        off_path: whether to pin the folder of a shelf outside the search path.
        menu: whether it is the one for policies over numbers (:func:`load_menu`).
    """
    name = entry.name if entry.namespace == NAMESPACE else entry.env_id
    kwargs: dict[str, Any] = {"name": name, "sha256": entry.sha256}
    if off_path:
        kwargs["shelf"] = str(entry.shelf)
    if menu:
        return _like(_MENU, entry.namespace, entry.name + MENU, kwargs)
    return _like(_TEXT, entry.namespace, entry.name, kwargs)
