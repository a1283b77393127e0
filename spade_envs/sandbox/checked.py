"""What workers answered, checked exactly after decoding, and typed.

A worker whose language layer was climbed may send anything. Every function here raises ``ValueError``, ``KeyError`` or
``TypeError`` for what no environment can have answered.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, NamedTuple

from ..contract import REPAIRS
from .columns import ORDINARY

_MOST_NODES = 20_000
_DEEPEST = 32
_LONGEST = 1 << 20
_MOST_SIMPLE = 100
_MOST_TURNS = 100_000


class ResetAnswer(NamedTuple):
    """What ``reset`` gave."""

    observation: str
    info: dict[str, Any]
    """Plain JSON values, fresh."""
    tools: tuple[dict[str, Any], ...]
    """OpenAI tool schemas; empty for environments without tools."""
    tool_base: bool
    """Whether the class derives from ``ToolUseBaseEnv``."""
    max_turns: int | None
    """The author's own turn limit."""
    repairs: tuple[str, ...]


class StepAnswer(NamedTuple):
    """What ``step`` gave. A named tuple, since thousands are made per check."""

    observation: str
    reward: float
    """Finite, in [-1, 1]."""
    terminated: bool
    truncated: bool
    """Never together with ``terminated``."""
    info: dict[str, Any]
    repairs: tuple[str, ...]


_made = tuple.__new__
"""Makes a named tuple at a third of the cost of calling its class."""


@dataclasses.dataclass(frozen=True)
class SolutionAnswer:
    """What ``solution()`` said."""

    kind: str
    """``none``, ``list``, ``text`` or ``generator``."""
    actions: tuple[str, ...] = ()
    text: str = ""
    expected: str | None = None
    """``_expected_answer`` of a tools environment, for texts that leave the answer out."""


@dataclasses.dataclass(frozen=True)
class ToolParameters:
    """What a tool's method takes."""

    names: tuple[str, ...]
    required: tuple[str, ...]
    takes_any: bool
    """Whether it takes ``**kwargs``."""


@dataclasses.dataclass(frozen=True)
class Look:
    """What an instance holds, as no player sees it."""

    scalars: tuple[str, ...]
    """Numbers and short texts of the whole state, as text."""
    digest: str
    """The same for equal states of a tools environment."""
    pointer: int | None
    """Number of the pending instruction of a multi-turn environment, from 0."""
    criteria: tuple[str, ...]
    """Per criterion ``true``, ``false``, ``unknown`` or ``raises ...``."""
    tools: dict[str, ToolParameters | None]
    """Parameters of every tool's method; ``None`` where there is no method."""


def plain_text(value: Any) -> str:
    """A text of bounded length that UTF-8 can carry."""
    if type(value) is not str or len(value) > _LONGEST:
        raise ValueError
    if not value.isascii():
        value.encode("utf-8")
    return value


def optional_text(value: Any) -> str | None:
    """The same, or ``None``."""
    return None if value is None else plain_text(value)


def _turns(value: Any) -> int | None:
    if value is not None and (type(value) is not int or not 0 < value < _MOST_TURNS):
        raise ValueError
    return value


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError
    return value


def _number(value: Any) -> float:
    # The comparison comes first: a huge int is no float at all.
    if type(value) not in (float, int) or not -1 <= value <= 1:
        raise ValueError
    return float(value)


def _object(value: Any) -> dict[str, Any]:
    """A JSON object of bounded depth and size, with finite numbers and text that UTF-8 can carry."""
    if type(value) is not dict:
        raise ValueError
    if len(value) < _MOST_SIMPLE:
        for key, item in value.items():
            if not (key.isascii() and _is_simple(item)):
                break
        else:
            return value
    _bounded(value)
    return value


def _is_simple(item: Any) -> bool:
    kind = type(item)
    if kind is str:
        return bool(item.isascii())
    return item is None or kind is int or kind is bool or (kind is float and math.isfinite(item))


def _bounded(value: Any) -> None:
    stack: list[tuple[Any, int]] = [(value, 0)]
    nodes = 0
    while stack:
        item, level = stack.pop()
        nodes += 1
        if nodes > _MOST_NODES or level > _DEEPEST:
            raise ValueError
        if type(item) is str:
            if not item.isascii():
                item.encode("utf-8")
        elif type(item) is float and not math.isfinite(item):
            raise ValueError
        elif type(item) is dict:
            stack.extend((part, level + 1) for pair in item.items() for part in pair)
        elif type(item) is list:
            stack.extend((part, level + 1) for part in item)


def _repairs(value: Any) -> tuple[str, ...]:
    """Repairs by name; a worker knows some of them, and may not claim the adapter's own."""
    if type(value) is list and not value:
        return ()
    found = _texts(value)
    if any(name not in REPAIRS or name == "turns_cut" for name in found):
        raise ValueError
    return found


def _texts(value: Any) -> tuple[str, ...]:
    if type(value) is not list or len(value) > 4096:
        raise ValueError
    return tuple(plain_text(item) for item in value)


def read_reset(answer: Any) -> ResetAnswer:
    """Read the answer of a reset; raises ``ValueError``, ``KeyError`` or ``TypeError`` for any other shape."""
    if type(answer["tools"]) is not list:
        raise ValueError
    return ResetAnswer(
        observation=plain_text(answer["observation"]),
        info=_object(answer["info"]),
        tools=tuple(_object(tool) for tool in answer["tools"]),
        tool_base=_flag(answer["tool_base"]),
        max_turns=_turns(answer["max_turns"]),
        repairs=_repairs(answer["repairs"]),
    )


def read_begun(answer: Any) -> ResetAnswer:
    """Read the answer of a reset that came with a step: as :func:`read_reset` takes it, or of one without tools and
    repairs its observation, info and turn limit in order."""
    if type(answer) is not list:
        return read_reset(answer)
    observation, info, turns = answer
    return _made(ResetAnswer, (plain_text(observation), _object(info), (), False, _turns(turns), ()))


def read_step(answer: Any) -> StepAnswer:
    """Read the answer of a step; raises as :func:`read_reset`."""
    terminated, truncated = _flag(answer["terminated"]), _flag(answer["truncated"])
    if terminated and truncated:
        raise ValueError
    observation, reward = plain_text(answer["observation"]), _number(answer["reward"])
    return StepAnswer(observation, reward, terminated, truncated, _object(answer["info"]), _repairs(answer["repairs"]))


def read_turn(answer: Any) -> StepAnswer:
    """Read the answer of a step that came with others: the values of :func:`read_step` alone, in order, or observation,
    reward and info of a turn that ended nothing and needed no repair."""
    if type(answer) is not list:
        raise ValueError
    if len(answer) == ORDINARY:
        observation, reward, info = answer
        return StepAnswer(plain_text(observation), _number(reward), False, False, _object(info), ())
    observation, reward, terminated, truncated, info, repairs = answer
    if _flag(terminated) and _flag(truncated):
        raise ValueError
    _flag(truncated)
    return StepAnswer(plain_text(observation), _number(reward), terminated, truncated, _object(info), _repairs(repairs))


def read_renewed(values: list[Any]) -> tuple[StepAnswer, ResetAnswer] | None:
    """What :func:`read_turn` and :func:`read_begun` give for a turn that ended its episode and the reset after it, as
    most are; ``None`` for any other, good or bad."""
    observation, reward, terminated, truncated, info, repairs, begun = values
    if type(begun) is not list or len(begun) != ORDINARY:
        return None
    first, told, turns = begun
    if type(reward) is not float or not -1.0 <= reward <= 1.0 or type(observation) is not str or type(first) is not str:
        return None
    if type(terminated) is not bool or type(truncated) is not bool or (terminated and truncated):
        return None
    if not (observation.isascii() and first.isascii()) or len(observation) > _LONGEST or len(first) > _LONGEST:
        return None
    if turns is not None and (type(turns) is not int or not 0 < turns < _MOST_TURNS):
        return None
    for one in (info, told):
        if type(one) is not dict or len(one) >= _MOST_SIMPLE:
            return None
        for key, item in one.items():
            if not (key.isascii() and _is_simple(item)):
                return None
    try:
        mended = _repairs(repairs)
    except ValueError:
        return None
    turn = _made(StepAnswer, (observation, reward, terminated, truncated, info, mended))
    return turn, _made(ResetAnswer, (first, told, (), False, turns, ()))


def read_ordinary(values: list[Any]) -> StepAnswer | None:
    """What :func:`read_turn` gives for :data:`ORDINARY` values as most are; ``None`` for any other, good or bad."""
    observation, reward, info = values
    if type(observation) is not str or not observation.isascii() or len(observation) > _LONGEST:
        return None
    if type(reward) is not float or not -1.0 <= reward <= 1.0 or type(info) is not dict or len(info) >= _MOST_SIMPLE:
        return None
    for key, item in info.items():
        if not (key.isascii() and _is_simple(item)):
            return None
    return _made(StepAnswer, (observation, reward, False, False, info, ()))


class Turns(NamedTuple):
    """Turns of several instances that ended nothing and needed no repair, value by value."""

    observations: list[str]
    rewards: list[float]
    names: list[str]
    """Keys of the infos, the same in all of them."""
    values: list[list[Any]]
    """For each key a value of each turn: numbers, ASCII texts, flags and ``None``."""

    def answers(self) -> list[StepAnswer]:
        """The same, turn by turn."""
        rows = zip(*self.values, strict=True) if self.names else [()] * len(self.observations)
        return [
            StepAnswer(text, reward, False, False, dict(zip(self.names, row, strict=True)), ())
            for text, reward, row in zip(self.observations, self.rewards, rows, strict=True)
        ]


def read_turns(columns: Any, count: int) -> Turns:
    """Read ``count`` turns as ``columns.Columns`` tells them; raises ``ValueError`` or ``TypeError`` for others."""
    observations, rewards, names, values = columns
    if set(map(type, (columns, observations, rewards, names, values))) != {list}:
        raise ValueError
    if len(observations) != count or len(rewards) != count or len(values) != len(names) or len(names) >= _MOST_SIMPLE:
        raise ValueError
    if set(map(type, observations)) != {str} or max(map(len, observations)) > _LONGEST:
        raise ValueError
    if not all(map(str.isascii, observations)):
        "".join(observations).encode("utf-8")
    if set(map(type, rewards)) != {float} or min(rewards) < -1.0 or max(rewards) > 1.0:
        raise ValueError
    if not set(map(type, names)) <= {str} or len(set(names)) != len(names) or not "".join(names).isascii():
        raise ValueError
    return Turns(observations, rewards, names, [_column(column, count) for column in values])


def _column(column: Any, count: int) -> list[Any]:
    """Values of one key, of which one stands for all that are alike."""
    if type(column) is not list or len(column) not in (1, count) or not all(map(_is_simple, column)):
        raise ValueError
    return column if len(column) == count else column * count


def read_solution(answer: Any) -> SolutionAnswer:
    """Read the answer of a solution; raises as :func:`read_reset`."""
    kind = answer["kind"]
    if kind == "list":
        return SolutionAnswer("list", actions=_texts(answer["actions"]))
    if kind == "text":
        return SolutionAnswer("text", text=plain_text(answer["text"]), expected=optional_text(answer["expected"]))
    if kind in ("none", "generator"):
        return SolutionAnswer(kind)
    raise ValueError


def read_look(answer: Any) -> Look:
    """Read the answer of a look; raises as :func:`read_reset`."""
    pointer = answer["pointer"]
    if pointer is not None and (type(pointer) is not int or pointer < 0):
        raise ValueError
    if type(answer["tools"]) is not dict:
        raise ValueError
    return Look(
        scalars=_texts(answer["scalars"]),
        digest=plain_text(answer["digest"]),
        pointer=pointer,
        criteria=_texts(answer["criteria"]),
        tools={plain_text(name): _parameters(found) for name, found in answer["tools"].items()},
    )


def _parameters(found: Any) -> ToolParameters | None:
    if found is None:
        return None
    return ToolParameters(_texts(found["names"]), _texts(found["required"]), _flag(found["any"]))
