"""Curves for TensorBoard. Needs the extra ``tensorboard``, and no PyTorch."""

from __future__ import annotations

import importlib
import itertools
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..atomic import explained
from .failures import ConfigError


class TensorBoard:
    """Writes event files into a folder, a new one each time it is opened.

    Args:
        folder: made where it is missing.
        resume_at: steps from here on that are there already are not shown any more; ``None`` for a new run.

    Raises:
        ConfigError: TensorBoard is not installed.
        StoreError: the folder cannot be written.
    """

    def __init__(self, folder: Path, *, resume_at: int | None = None) -> None:
        try:
            # It has no types of its own that hold.
            self._protos: Any = importlib.import_module("tensorboard.compat.proto.event_pb2")
            self._summaries: Any = importlib.import_module("tensorboard.compat.proto.summary_pb2")
            files: Any = importlib.import_module("tensorboard.summary.writer.event_file_writer")
        except ImportError as error:
            raise ConfigError(
                f"run.tensorboard needs TensorBoard ({error}): pip install 'spade-envs[tensorboard]', "
                "or leave it out: metrics.jsonl is written in any case"
            ) from error
        with explained(f"write {folder}"):
            self._writer: Any = files.EventFileWriter(str(folder), filename_suffix=_suffix(folder))
        if resume_at is not None:
            # What its own writers say when they take up a run.
            began = self._protos.SessionLog(status=self._protos.SessionLog.START)
            self._writer.add_event(self._protos.Event(wall_time=time.time(), step=resume_at, session_log=began))

    def write(self, step: int, metrics: Mapping[str, float]) -> None:
        """Take the finite numbers of one cycle."""
        values = [self._summaries.Summary.Value(tag=key, simple_value=value) for key, value in metrics.items()]
        summary = self._summaries.Summary(value=values)
        self._writer.add_event(self._protos.Event(wall_time=time.time(), step=step, summary=summary))
        self._writer.flush()

    def close(self) -> None:
        """Write what is held back."""
        self._writer.close()


def _suffix(folder: Path) -> str:
    """A name that no event file in the folder has: two of one second would be one file."""
    taken = {path.name.rpartition(".")[2] for path in folder.glob("*tfevents*")} if folder.is_dir() else set()
    return next(f".{number}" for number in itertools.count() if str(number) not in taken)
