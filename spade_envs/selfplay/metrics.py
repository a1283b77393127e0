"""Numbers of a run, one JSON object per cycle and line: what curves are drawn from, by people and by the browser.

Nothing in them depends on the clock, so that a run that was taken up again writes the file of one that was not.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from ..atomic import explained, writing
from ..errors import StoreError

STEP = "step"
"""Key of the cycle."""


METRICS_FILE = "metrics.jsonl"
"""In the folder of a run."""


class MetricsSink(Protocol):
    """Somewhere else that numbers go to; an ``OSError`` of it is told, and ends nothing."""

    def write(self, step: int, metrics: Mapping[str, float]) -> None:
        """Take the finite numbers of one cycle."""

    def close(self) -> None:
        """Write what is held back."""


class MetricsLog:
    """Appends lines to a file, each whole or not at all. Losing one never ends a run: it is counted and told.

    Args:
        path: the file; its folder must be there. Lines that are there stay, save those cut off.
        resume_at: the first cycle that will be written (again): lines of it and of later ones are cut off, and a line
            that is not whole. ``None`` begins a new file.

    Raises:
        StoreError: the file cannot be read or written, or is there already and ``resume_at`` is ``None``.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "metrics.jsonl"
    >>> log = MetricsLog(path)
    >>> log.write(0, {"loss": 0.5, "gap/mean": math.nan})
    'gap/mean of cycle 0 is not a finite number and was left out'
    >>> path.read_text()
    '{"step": 0, "loss": 0.5}\\n'
    """

    def __init__(self, path: Path, *, resume_at: int | None = None) -> None:
        self.path = path
        self.lost = 0
        """Lines that could not be written."""
        with explained(f"write {path}"):
            if resume_at is None:
                path.touch(exist_ok=False)
            else:
                _cut(path, resume_at)

    def write(self, step: int, metrics: Mapping[str, float]) -> str:
        """Append the numbers of one cycle, keys in their order; what went wrong, in words, or nothing."""
        kept = {key: _plain(value) for key, value in metrics.items() if key != STEP and math.isfinite(value)}
        line = json.dumps({STEP: step, **kept}, ensure_ascii=False) + "\n"
        said = []
        try:
            _append(self.path, line.encode("utf-8", "backslashreplace"))
        except OSError as error:
            self.lost += 1
            said.append(f"metrics of cycle {step} could not be written to {self.path}: {error.strerror or error}")
        if strange := [key for key in metrics if key not in kept and key != STEP]:
            are = "is not a finite number and was" if len(strange) == 1 else "are no finite numbers and were"
            said.append(f"{', '.join(strange[:8])} of cycle {step} {are} left out")
        return "; ".join(said)


def _plain(value: float) -> float:
    """A number of Python; NumPy's are not JSON."""
    return value if type(value) is int else float(value)


def _append(path: Path, data: bytes) -> None:
    """Append all of ``data``, or nothing."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        before = os.fstat(descriptor).st_size
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(descriptor, view) :]
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(descriptor, before)
            raise
    finally:
        os.close(descriptor)


def _cut(path: Path, at: int) -> None:
    """Leave only whole lines of cycles before ``at``."""
    if not path.exists():
        path.touch()
        return
    if not path.is_file():
        raise StoreError(f"{path} is no regular file; move it away")
    with path.open("rb") as old, writing(path) as new:
        new.writelines(line for line in _whole_lines(old) if _before(line, at))


def _whole_lines(lines: Iterator[bytes]) -> Iterator[bytes]:
    for line in lines:
        if line.endswith(b"\n"):
            yield line


def _before(line: bytes, at: int) -> bool:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return False
    step = row.get(STEP) if isinstance(row, dict) else None
    return isinstance(step, int) and step < at
