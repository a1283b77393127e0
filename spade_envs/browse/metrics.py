"""Curves of a training run, read from its JSON lines while it may still be writing them.

Each line is an object: numbers by key, with the training step as ``step``. Other values are not looked at.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import threading
from collections.abc import Sequence
from pathlib import Path

from ..errors import StoreError

MOST_KEYS = 500
"""Keys of one file that are looked at."""
MOST_STEPS = 200_000
"""Steps that are remembered; older ones are let go."""
MOST_POINTS = 800
"""Points of a curve: more do not show on a screen."""
LONGEST_LINE = 1024 * 1024
"""Bytes of a line that is read at all."""
_STEP = "step"


@dataclasses.dataclass(frozen=True)
class Curve:
    """One number over the steps of a run."""

    key: str
    points: tuple[tuple[float, float | None], ...]
    """Step and value, by step; ``None`` where it was no finite number, which is a gap."""
    steps: int
    """Steps with this key; more than ``points`` where neighbours were averaged."""


class Metrics:
    """A file of metrics, read on from where the last look ended. Threads may share one.

    A line that is still being written is read once it is whole. A step that comes again, since a run was taken up
    anew, counts as it came last. A file that was replaced or cut is read from its beginning.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.skipped = 0
        """Lines that are no object with a step."""
        self._lock = threading.Lock()
        self._rows: dict[float, dict[str, float | None]] = {}
        self._keys: dict[str, None] = {}
        self._at = 0
        self._file: tuple[int, int] | None = None
        self._long = False

    def keys(self) -> tuple[str, ...]:
        """Keys that have a number somewhere, in the order they first came.

        Raises:
            StoreError: the file cannot be read.
        """
        with self._lock:
            self._read_on()
            return tuple(self._keys)

    def curve(self, key: str) -> Curve:
        """The curve of one key; empty for a key that never came. Raises as :meth:`keys`."""
        with self._lock:
            self._read_on()
            found = sorted((step, row[key]) for step, row in self._rows.items() if key in row)
        return Curve(key, thinned(found), len(found))

    def _read_on(self) -> None:
        try:
            with self.path.open("rb") as file:
                self._begin_anew_if_replaced(file.fileno())
                file.seek(self._at)
                while line := file.readline(LONGEST_LINE):
                    if not line.endswith(b"\n") and len(line) < LONGEST_LINE:
                        break  # still being written
                    self._at += len(line)
                    whole, self._long = not self._long and line.endswith(b"\n"), not line.endswith(b"\n")
                    if whole:
                        self._take(line)
                    elif not self._long:
                        self.skipped += 1
        except OSError as error:
            message = f"cannot read the metrics {self.path}: {error.strerror}; name the file the trainer writes"
            raise StoreError(message) from error

    def _begin_anew_if_replaced(self, number: int) -> None:
        about = os.fstat(number)
        if self._file != (about.st_dev, about.st_ino) or about.st_size < self._at:
            self._file, self._at, self._long, self.skipped = (about.st_dev, about.st_ino), 0, False, 0
            self._rows.clear()
            self._keys.clear()

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            value = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            value = None
        step = _number(value.get(_STEP)) if isinstance(value, dict) else None
        if not isinstance(value, dict) or step is None:
            self.skipped += 1
            return
        row = self._rows.setdefault(step, {})
        for key, item in value.items():
            if key == _STEP or isinstance(item, bool) or not (item is None or isinstance(item, int | float)):
                continue
            number = _number(item)
            if key not in self._keys and (number is None or len(self._keys) >= MOST_KEYS):
                continue
            self._keys[key] = None
            row[key] = number
        while len(self._rows) > MOST_STEPS:
            del self._rows[next(iter(self._rows))]


def _number(value: object) -> float | None:
    """A finite number as such; anything else is ``None``."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def thinned(
    points: Sequence[tuple[float, float | None]], most: int = MOST_POINTS
) -> tuple[tuple[float, float | None], ...]:
    """At most ``most`` points: neighbours are averaged, and a stretch without any number stays a gap.

    >>> thinned([(0, 1.0), (1, 3.0), (2, None), (3, None)], most=2)
    ((0.5, 2.0), (2.5, None))
    """
    if len(points) <= most:
        return tuple(points)
    taken = []
    for number in range(most):
        part = points[number * len(points) // most : (number + 1) * len(points) // most]
        values = [value for _, value in part if value is not None]
        middle = math.fsum(step for step, _ in part) / len(part)
        taken.append((middle, math.fsum(values) / len(values) if values else None))
    return tuple(taken)
