"""The folder of a run, and the configuration that lies in it."""

from __future__ import annotations

import contextlib
from pathlib import Path

from ..atomic import explained, write_atomic, write_new
from .config import Config
from .described import settings
from .failures import ConfigError
from .reading import Setting, config_text, read_settings, toml, with_settings

CONFIG_FILE = "config.toml"
"""The resolved configuration, in the folder of its run."""
BEFORE_THE_FIRST = (
    *("checkpoints", "draws", "metrics.jsonl", "memory.db", "memory.db-shm", "memory.db-wal", ".memory.db.lock"),
    *(".lock", CONFIG_FILE),
)
"""What a run may have made before its first checkpoint."""
CHANGEABLE = frozenset(
    """run.folder run.cycles run.checkpoint_every run.keep run.samples run.jobs run.tensorboard
    engine.servers engine.adapters""".split()
)
"""Settings that a resumed run may have otherwise: none of them changes what is computed."""


def settle(config: Config, *, resume: bool) -> Path:
    """The folder of a run, with its configuration in it.

    Raises:
        ConfigError: a run is in the folder and is not resumed, or is to be resumed with other settings, or there is
            none to resume.
        StoreError: the folder cannot be read or written.
    """
    folder = Path(config.run.folder)
    path = folder / CONFIG_FILE
    if resume:
        changed = differences(kept_config(folder), config)
        fixed = [line for name, line in changed.items() if name not in CHANGEABLE]
        if fixed:
            said = "; ".join(fixed)
            raise ConfigError(
                f"the run in {folder} cannot go on with other settings: {said}; begin one in another folder"
            )
        return folder
    with explained(f"make {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            what = "has a run; go on with it (--resume), or" if path.exists() else "is not empty;"
            raise ConfigError(f"{folder} {what} set run.folder to a new folder")
        write_new(path, config_text(config).encode())
    return folder


def note(config: Config) -> None:
    """Have the configuration of a resumed run in its folder as it is now; for whoever holds the folder.

    Raises:
        StoreError: the folder cannot be written.
    """
    folder = Path(config.run.folder)
    path = folder / CONFIG_FILE
    if differences(kept_config(folder), config):
        with explained(f"write {path}"):
            write_atomic(path, config_text(config).encode())


def forget(folder: Path) -> None:
    """Empty a folder that :func:`settle` found empty, after a run that could not begin: so the next try may have it.

    Only what a run makes before its first cycle is removed; where anything else is there, nothing is.
    """
    made = [folder / name for name in BEFORE_THE_FIRST]
    with contextlib.suppress(OSError):
        kept = [
            one for name in ("checkpoints", "draws") if (folder / name).exists() for one in (folder / name).iterdir()
        ]
        if kept or set(folder.iterdir()) - set(made):
            return
        for path in made:
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink(missing_ok=True)


def kept_config(folder: Path) -> Config:
    """The configuration of the run in a folder.

    Raises:
        ConfigError: there is none, or it cannot be understood.
        StoreError: it cannot be read.
    """
    path = folder / CONFIG_FILE
    if not path.exists():
        raise ConfigError(
            f"{folder} has no {CONFIG_FILE}, so no run to go on with; set run.folder to the folder of one"
        )
    kept = with_settings(Config(), read_settings(path))
    return with_settings(kept, [Setting("run.folder", str(folder), "the folder")])


def differences(old: Config, new: Config) -> dict[str, str]:
    """What was changed, as ``run.seed was 0, is 1``, by setting."""
    found = {}
    for section, field in settings():
        before, after = (getattr(getattr(one, section), field) for one in (old, new))
        if before != after:
            found[f"{section}.{field}"] = f"{section}.{field} was {toml(before)}, is {toml(after)}"
    return found
