"""Where a source came from: the pool it was read from, or the run that wrote it."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Origin:
    """Provenance of a source. Empty, or ``None``, where it is not known. All of it is a claim of whoever made it."""

    pool: str = ""
    """Name of the pool or file it was imported from."""
    path: str = ""
    """Its place in the pool: a path, or ``rows.parquet:17``."""
    run: str = ""
    """Name of the run that wrote it."""
    step: int | None = None
    """Training step, or number within the run, when it was written."""
    scale: str = ""
    """Size of the model that wrote it, e.g. ``30B``."""
    recipe: str = ""
    """Name of the training recipe."""
    difficulty: str = ""
    """How hard its designer was asked to make it."""
    claimed: str = ""
    """What the pool says was measured (plays, mean reward, ...), as a JSON object in text."""
