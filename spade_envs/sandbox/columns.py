"""Ordinary turns of many instances in one frame, value by value instead of turn by turn.

Where every turn tells the same keys, as in nearly all environments, a list of observations, one of rewards and one per
key of the infos are written, read and checked several times as fast as a list and a dict for each turn.
"""

from __future__ import annotations

from typing import Any

ORDINARY = 3
"""Values of a turn that ended nothing and was plain, see ``answers.ordinary``: observation, reward and info."""


class Columns:
    """Turns of one frame, as they come.

    >>> columns = Columns()
    >>> [columns.take(turn) for turn in (["a", 0.0, {"k": 1}], ["b", 0.5, {"k": 2}], ["c", 0.0, {"other": 3}])]
    [True, True, False]
    >>> columns.told()
    [['a', 'b'], [0.0, 0.5], ['k'], [[1, 2]]]
    """

    def __init__(self) -> None:
        self._observations: list[str] = []
        self._rewards: list[float] = []
        self._names: list[str] = []
        self._values: list[list[Any]] = []

    def take(self, turn: list[Any]) -> bool:
        """Take an ordinary turn, unless it tells other keys than the first one."""
        observation, reward, info = turn
        if not self._observations:
            self._names = list(info)
            self._values = [[] for _ in info]
        elif list(info) != self._names:
            return False
        self._observations.append(observation)
        self._rewards.append(reward)
        for column, value in zip(self._values, info.values(), strict=True):
            column.append(value)
        return True

    def told(self) -> list[Any] | None:
        """Observations, rewards, names of the keys, and a list of values for each; ``None`` without any turn."""
        if not self._observations:
            return None
        return [self._observations, self._rewards, self._names, self._values]


def spread(answers: list[Any], columns: list[Any] | None) -> list[Any]:
    """Answers with the turns of ``columns`` in the places of those that are ``None``.

    >>> spread([None, {"ok": 1}, None], [["a", "b"], [0.0, 0.5], ["k"], [[1, 2]]])
    [['a', 0.0, {'k': 1}], {'ok': 1}, ['b', 0.5, {'k': 2}]]
    """
    if columns is None:
        return answers
    observations, rewards, names, values = columns
    turns = iter(
        [text, reward, {name: column[at] for name, column in zip(names, values, strict=True)}]
        for at, (text, reward) in enumerate(zip(observations, rewards, strict=True))
    )
    return [next(turns) if answer is None else answer for answer in answers]
