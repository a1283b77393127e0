"""LLM-written environments, checked in a locked box and registered as Gymnasium ids.

Importing registers the bundled shelf and the user's shelves, so that ``gym.make("spade/env-0001")`` works.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if (Path(__file__).parent / "validators").is_file():
    # A checkout without symbolic links (the default on Windows) has small text files in their place.
    raise ImportError(
        "this checkout has no symbolic links; repair it with\n"
        "  git config core.symlinks true && git checkout -- spade_envs"
    )

from . import registry
from .version import __version__

if TYPE_CHECKING:
    from .admission import admit, validate
    from .bulk import validate_many
    from .client import Client
    from .memory import SqliteMemory as Memory
    from .registry import register
    from .reproduction import reproduce
    from .showing import shows_again
    from .types import Card, EnvSource, Episode, Probe, Report, Verdict

__all__ = [
    "Card",
    "Client",
    "EnvSource",
    "Episode",
    "Memory",
    "Probe",
    "Report",
    "Verdict",
    "__version__",
    "admit",
    "register",
    "reproduce",
    "shows_again",
    "validate",
    "validate_many",
]

_HOMES = {
    "Card": "types",
    "Client": "client",
    "EnvSource": "types",
    "Episode": "types",
    "Memory": "memory:SqliteMemory",
    "Probe": "types",
    "Report": "types",
    "Verdict": "types",
    "admit": "admission",
    "register": "registry",
    "reproduce": "reproduction",
    "shows_again": "showing",
    "validate": "admission",
    "validate_many": "bulk",
}


def __getattr__(name: str) -> Any:
    """Public names load their modules when first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'spade_envs' has no attribute {name!r}")
    module, _, attribute = _HOMES[name].partition(":")
    value = getattr(importlib.import_module(f".{module}", __name__), attribute or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


registry.register()
