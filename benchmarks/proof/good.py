"""The good set: sources that the gate must accept. None of them was written or changed to please it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import spade_envs

from .generator import generate

WRITTEN = Path(__file__).with_name("sources")
GENERATED = 64
"""How many sources are generated."""


@dataclasses.dataclass(frozen=True)
class Good:
    """One good source."""

    name: str
    """Where it is from, and its name there: ``shelf/env-0001``, ``written/...``, ``generated/...``."""
    text: str
    contract: str = ""
    """Its contract, once it is known."""


def good_sources(seed: int, generated: int = GENERATED) -> list[Good]:
    """The bundled shelf, the written sources, and ``generated`` ones that ``seed`` decides."""
    shelf = sorted((Path(spade_envs.__file__).parent / "generated").glob("env-*/env.py"))
    found = [Good(f"shelf/{path.parent.name}", path.read_text(encoding="utf-8")) for path in shelf]
    found += [Good(f"written/{path.stem}", path.read_text(encoding="utf-8")) for path in sorted(WRITTEN.glob("*.py"))]
    found += [Good(f"generated/{source.name}", source.text) for source in generate(seed, generated)]
    return found
