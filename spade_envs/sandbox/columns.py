"""Ordinary turns of many instances in one frame, value by value instead of turn by turn.

Where every turn tells the same keys, as in nearly all environments, a list of observations, one of rewards and one per
key of the infos are written, read and checked several times as fast as a list and a dict for each turn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

LARGEST_INFO_TEXT = 8192
"""Letters of a text in an info."""
ORDINARY = 3
"""Values of a turn that ended nothing and was plain, see ``answers.ordinary``: observation, reward and info."""
ENDED = 6
"""Place of the answer of a reset behind the values of the turn that it follows."""


class Columns:
    """Turns of one frame, as they come.

    >>> columns = Columns()
    >>> [columns.take(turn) for turn in (["a", 0.0, {"k": 1}], ["b", 0.5, {"k": 2}], ["c", 0.0, {"other": 3}])]
    [True, True, False]
    >>> columns.told()
    (['a', 'b'], [[0.0, 0.5], ['k'], [[1, 2]]])
    """

    def __init__(self, names: list[str] | None = None) -> None:
        self.names: list[str] = names or []
        """Keys of the infos; at first those of an earlier frame."""
        self._rows: list[tuple[Any, ...]] = []

    def take(self, turn: list[Any]) -> bool:
        """Take an ordinary turn, unless it tells other keys than the first one."""
        observation, reward, info = turn
        if not self._rows:
            self.names = list(info)
        elif list(info) != self.names:
            return False
        self._rows.append((observation, reward, *info.values()))
        return True

    def add(self, row: tuple[Any, ...]) -> None:
        """Take a :func:`row` that tells :attr:`names`."""
        self._rows.append(row)

    def told(self) -> tuple[list[str], list[Any] | None]:
        """Observations; and rewards, names of the keys, and a list of values for each: ``None`` without any turn. A
        text that every turn tells alike stands there once."""
        if not self._rows:
            return [], None
        observations, rewards, *values = map(list, zip(*self._rows, strict=True))
        for at, column in enumerate(values):
            if type(column[0]) is str and column.count(column[0]) == len(column):
                values[at] = column[:1]
        return observations, [rewards, self.names, values]


def packed(answers: list[Any], columns: Columns) -> tuple[dict[str, Any], list[str]]:
    """What a frame says of answers, which are ``None`` for turns in ``columns``, and the texts that go behind it: the
    observations of these turns, and then of each end with its start both observations, in whose place is ``None``.

    >>> columns = Columns()
    >>> columns.take(["a", 0.0, {}])
    True
    >>> packed([None, ["over", 1.0, True, False, {}, [], ["first", {}, 9]]], columns)[1]
    ['a', 'over', 'first']
    """
    texts, told = columns.told()
    for answer in answers:
        if type(answer) is list and len(answer) > ENDED and type(answer[ENDED]) is list:
            texts += (answer[0], answer[ENDED][0])
            answer[0] = answer[ENDED][0] = None
    return ({"answers": answers} if told is None else {"answers": answers, "columns": told}), texts


def restored(frame: dict[str, Any]) -> tuple[list[Any], list[Any] | None]:
    """Answers of a frame with their texts in place, and the columns with their observations.

    Raises:
        ValueError: what is told belongs to no answer, or is missing.
        TypeError: the same, of a worker that says nonsense.
    """
    answers, columns, texts = frame.get("answers", []), frame.get("columns"), frame.get("texts", [])
    count = answers.count(None)
    if columns is not None:
        columns = [texts[:count], *columns]
        texts = texts[count:]
    if not texts:
        return answers, columns
    left = iter(texts)
    for answer in answers:
        if type(answer) is list and len(answer) > ENDED and type(start := answer[ENDED]) is list and start:
            if answer[0] is not None or start[0] is not None:
                raise ValueError
            answer[0], start[0] = next(left, None), next(left, None)
    if next(left, None) is not None:
        raise ValueError
    return answers, columns


def row(result: Any, longest: int, names: Sequence[str]) -> tuple[Any, ...] | None:
    """Observation, reward and values of the info of a step that ended nothing and tells just these keys in this order,
    all of it plain; ``None`` for any other, good or bad, and where the keys are no more than equal.

    >>> row(("a", 0.5, False, False, {"k": 1}), 100, ["k"])
    ('a', 0.5, 1)
    """
    if type(result) is not tuple or len(result) != 5:
        return None
    observation, reward, terminated, truncated, info = result
    if terminated is not False or truncated is not False or type(reward) is not float or not -1.0 <= reward <= 1.0:
        return None
    if type(observation) is not str or len(observation) > longest or not observation.isascii():
        return None
    if type(info) is not dict or len(info) != len(names):
        return None
    for name, (key, item) in zip(names, info.items(), strict=True):
        if key is not name:  # to compare what only pretends to be a text would run the environment's code
            return None
        kind = type(item)
        if kind is str:
            if len(item) > LARGEST_INFO_TEXT or not item.isascii():
                return None
        elif kind is int:
            if not -(2**63) <= item < 2**63:
                return None
        elif item is not None and kind is not bool and not (kind is float and math.isfinite(item)):
            return None
    return (observation, reward, *info.values())


def spread(answers: list[Any], columns: list[Any] | None) -> list[Any]:
    """Answers with the turns of ``columns`` in the places of those that are ``None``.

    >>> spread([None, {"ok": 1}, None], [["a", "b"], [0.0, 0.5], ["k", "all"], [[1, 2], ["x"]]])
    [['a', 0.0, {'k': 1, 'all': 'x'}], {'ok': 1}, ['b', 0.5, {'k': 2, 'all': 'x'}]]
    """
    if columns is None:
        return answers
    observations, rewards, names, values = columns
    turns = iter(
        [text, reward, {name: column[at % len(column)] for name, column in zip(names, values, strict=True)}]
        for at, (text, reward) in enumerate(zip(observations, rewards, strict=True))
    )
    return [next(turns) if answer is None else answer for answer in answers]
