"""Infos of the members of a vector environment, gathered as Gymnasium gathers them: an array and a mask by key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


class Infos:
    """Infos of ``count`` members: arrays of shape ``(count,)`` by key, their masks, and dicts of them for dicts.

    Values that are not all of one kind, over which ``gymnasium.vector.VectorEnv._add_info`` would stumble, come in an
    array of objects.

    >>> infos = Infos(3)
    >>> infos.add(0, {"seed": 7})
    >>> infos.add(2, {"seed": 9})
    >>> infos.gathered()
    {'seed': array([7, 0, 9]), '_seed': array([ True, False,  True])}
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._columns: dict[str, tuple[list[int], list[Any]]] = {}

    def add(self, at: int, info: dict[str, Any]) -> None:
        """Take what member ``at`` tells; of what it tells twice the last counts."""
        columns = self._columns
        for key, value in info.items():
            if (column := columns.get(key)) is None:
                column = columns[key] = ([], [])
            column[0].append(at)
            column[1].append(value)

    def add_many(self, places: Sequence[int], names: Sequence[str], values: Sequence[list[Any]]) -> None:
        """Take what several members tell under the same keys: for each key a value of each member.

        >>> infos = Infos(2)
        >>> infos.add_many([0, 1], ["moves"], [[3, 4]])
        >>> infos.gathered()
        {'moves': array([3, 4]), '_moves': array([ True,  True])}
        """
        for key, several in zip(names, values, strict=True):
            column = self._columns.setdefault(key, ([], []))
            column[0].extend(places)
            column[1].extend(several)

    def gathered(self) -> dict[str, Any]:
        """All of it."""
        gathered: dict[str, Any] = {}
        for key, (places, values) in sorted(self._columns.items(), key=_is_late):
            gathered[key], gathered[f"_{key}"] = self._column(key, places, values)
        return gathered

    def _column(self, key: str, places: Sequence[int], values: Sequence[Any]) -> tuple[Any, np.ndarray[Any, Any]]:
        """Values of one key, and the mask of the members that have it."""
        kinds, count = set(map(type, values)), self._count
        marks = bytearray(count)
        for at in places:
            marks[at] = 1
        mask = np.frombuffer(marks, dtype=np.bool_)
        if kinds == {dict} and key != "final_obs":
            inner = Infos(count)
            for at, value in zip(places, values, strict=True):
                inner.add(at, value)
            return inner.gathered(), mask
        if kinds <= {float} or kinds <= {bool} or (kinds <= {int} and _are_int64(values)):
            row: np.ndarray[Any, Any] = np.zeros(count, dtype=kinds.pop())
            row[places] = values
            return row, mask
        objects: list[Any] = [None] * count
        for at, value in zip(places, values, strict=True):
            objects[at] = value
        return np.fromiter(objects, dtype=object, count=count), mask


def _is_late(column: tuple[str, object]) -> bool:
    """Whether a key comes after those that may be named like its mask, which wins."""
    return not column[0].startswith("_")


def _are_int64(values: Sequence[int]) -> bool:
    return min(values) >= -(2**63) and max(values) < 2**63
