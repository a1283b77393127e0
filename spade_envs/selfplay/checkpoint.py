"""What a run goes on from: the state after a cycle, the weights, and what was drawn in cycles since.

A cycle's draws are the dear part, so they are written down as soon as they are there, and a run that was killed does
not draw them again. Everything else of a cycle follows from them and from the checkpoint before.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import zstandard

from ..atomic import explained, write_atomic
from ..codec import from_json, to_json
from ..errors import StoreError
from .delay import DesignerBuffer
from .failures import TrainingError
from .priors import Prior
from .records import Collected, Living
from .steps import Learner
from .trackers import Tracker

FORMAT = "spade-envs self-play 1"
LONGEST = 4 * 1024**3
"""Bytes of one cycle's draws that are read."""
ASIDE = ".old-"
"""Before the name of a checkpoint that is being replaced by one of the same cycle."""


@dataclass(frozen=True)
class LoopState:
    """A run between two cycles."""

    cycle: int
    """The next one."""
    policy_version: int
    living: tuple[Living, ...]
    prior: Prior
    tracker: Tracker
    buffer: DesignerBuffer
    troubles: dict[str, int] = field(default_factory=dict)
    """What went wrong so far, by what it was."""
    idle: int = 0
    """Cycles in a row without anything to train on."""
    sync: str = ""
    """What the weight sync goes on from."""


class Checkpoints:
    """Checkpoints and draws in a folder.

    Args:
        folder: of the run; made where it is not there.
        keep: checkpoints that are kept.

    Raises:
        StoreError: when the folder cannot be made.
    """

    def __init__(self, folder: Path, keep: int) -> None:
        self.folder, self.keep = folder, keep
        self._checkpoints, self._draws = folder / "checkpoints", folder / "draws"
        with explained(f"make folders in {folder}"):
            self._checkpoints.mkdir(parents=True, exist_ok=True)
            self._draws.mkdir(exist_ok=True)
        for stale in self._checkpoints.glob(".tmp-*"):
            shutil.rmtree(stale, ignore_errors=True)
        for stale in self._draws.glob(".tmp-*"):
            with contextlib.suppress(OSError):
                stale.unlink()
        for aside in self._checkpoints.glob(f"{ASIDE}*"):
            _back(aside)

    # -- states and weights ----------------------------------------------------------------------------------------

    def save(self, state: LoopState, learner: Learner) -> Path:
        """Write a checkpoint, whole or not at all, and let go of old ones.

        Raises:
            StoreError: when it cannot be written; older ones are still there.
        """
        target = self._checkpoints / f"{state.cycle:06d}"
        made = self._checkpoints / f".tmp-{os.getpid()}-{state.cycle:06d}"
        with explained(f"write the checkpoint {target}"):
            shutil.rmtree(made, ignore_errors=True)
            try:
                (made / "learner").mkdir(parents=True)
                learner.save(made / "learner")
                data = json.dumps({"format": FORMAT, "state": to_json(state)}, allow_nan=False)
                write_atomic(made / "state.json", data.encode("ascii"))
                _to_disk(made)
                _replace(target, made)
            except BaseException:
                shutil.rmtree(made, ignore_errors=True)
                raise
        self._prune()
        return target

    def newest(self) -> Path | None:
        """The newest checkpoint; ``None`` where there is none."""
        found = self._all()
        return found[-1] if found else None

    def load(self, path: Path, learner: Learner) -> LoopState:
        """Take up a checkpoint.

        Raises:
            TrainingError: when it is damaged, or of another version.
        """
        try:
            if not (path / "state.json").is_file():
                raise ValueError("its state.json is no regular file")
            said = json.loads((path / "state.json").read_bytes())
            if said.get("format") != FORMAT:
                raise ValueError(f"its format is {str(said.get('format'))[:80]!r}, not {FORMAT!r}")
            state = from_json(LoopState, said["state"])
            if state.cycle != int(path.name):
                raise ValueError(f"it is of cycle {str(state.cycle)[:40]}")
            learner.load(path / "learner")
        except (OSError, ValueError, KeyError, AttributeError, RuntimeError) as error:
            older = [one.name for one in self._all() if int(one.name) < int(path.name)]
            advice = f"remove it to go on from {older[-1]}" if older else "there is no older one"
            raise TrainingError(f"the checkpoint {path} cannot be taken up: {error}; {advice}") from error
        return state

    def _all(self) -> list[Path]:
        there = (one for one in self._checkpoints.iterdir() if _is_number(one.name) and (one / "state.json").exists())
        return sorted(there, key=lambda one: int(one.name))

    def _prune(self) -> None:
        found = self._all()
        for old in found[: -self.keep]:
            shutil.rmtree(old, ignore_errors=True)
        first = int(found[-self.keep :][0].name)
        for path in self._draws.glob("*.json.zst"):
            number = path.name.partition(".")[0]
            if _is_number(number) and int(number) < first:
                with contextlib.suppress(OSError):
                    path.unlink()

    # -- draws -----------------------------------------------------------------------------------------------------

    def write_draws(self, collected: Collected) -> None:
        """Write down what a cycle drew.

        Raises:
            StoreError: when that is not possible.
        """
        data = json.dumps({"format": FORMAT, "collected": to_json(collected)}, allow_nan=False).encode("ascii")
        write_atomic(self._path(collected.cycle), zstandard.ZstdCompressor(level=3).compress(data))

    def draws(self, cycle: int) -> Collected | None:
        """What a cycle drew before it was killed; ``None`` where that is not known.

        Raises:
            StoreError: when it is damaged, or drawn by another version of this package.
        """
        path = self._path(cycle)
        if path.exists() and not path.is_file():
            raise StoreError(f"{path} is no regular file; remove it, and the cycle is drawn anew")
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"cannot read {path}: {error.strerror}") from error
        try:
            # The size that a frame tells is believed over the largest that is allowed.
            if zstandard.frame_content_size(data) > LONGEST:
                raise ValueError(f"it is longer than {LONGEST} bytes")
            said = json.loads(zstandard.ZstdDecompressor().decompress(data, max_output_size=LONGEST))
            if said.get("format") != FORMAT:
                raise ValueError("its format is another one")
            collected = from_json(Collected, said["collected"])
            if collected.cycle != cycle:
                raise ValueError(f"it is of cycle {collected.cycle}")
        except (ValueError, KeyError, AttributeError, RecursionError, zstandard.ZstdError) as error:
            raise StoreError(f"{path} is damaged ({error}); remove it, and the cycle is drawn anew") from error
        return collected

    def forget_draws(self, cycle: int) -> None:
        """A cycle is to be drawn anew."""
        with contextlib.suppress(OSError):
            self._path(cycle).unlink(missing_ok=True)

    def _path(self, cycle: int) -> Path:
        return self._draws / f"{cycle:06d}.json.zst"


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit()


def _replace(target: Path, made: Path) -> None:
    """Give a folder its name; one that has it stays, under another, until it has."""
    aside = target.with_name(ASIDE + target.name)
    if target.exists():
        target.rename(aside)
    try:
        made.rename(target)
    except OSError:
        _back(aside)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _back(aside: Path) -> None:
    """Give a checkpoint its name back, unless the one that was to replace it has it."""
    name = aside.with_name(aside.name.removeprefix(ASIDE))
    if name.exists():
        shutil.rmtree(aside, ignore_errors=True)
    elif aside.exists():
        aside.rename(name)


def _to_disk(folder: Path) -> None:
    """Have every file of a folder on the disk before it gets its name."""
    for path in folder.rglob("*"):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
