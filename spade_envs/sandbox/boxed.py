"""One environment instance seen from outside the box: typed answers, or a fault.

What a worker sends is checked again here, exactly, after decoding: a worker whose language layer was climbed may send
anything. A wrong shape is :attr:`~spade_envs.types.FaultKind.LIED` and ends the worker.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from ..contract import REPAIRS
from ..types import Fault, FaultKind
from .host import Worker

T = TypeVar("T")
_MOST_NODES = 20_000
_DEEPEST = 32
_LONGEST = 1 << 20
_MOST_SIMPLE = 100
ORDINARY = 3
"""Values of a turn that ended nothing and needed no repair: observation, reward and info."""


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


class BoxedEnv:
    """A handle on one instance in a worker. Made by :meth:`spade_envs.sandbox.pool.WorkerPool.spawn`."""

    def __init__(self, worker: Worker, number: int) -> None:
        self.worker = worker
        self.number = number
        self.again = False
        """Whether ``reset`` may begin an episode of a seed it has seen from a copy of the state; for explorations."""
        self.after: tuple[int, ResetAnswer | Fault] | None = None
        """Seed and answer of a reset that followed the last step at once."""

    @property
    def alive(self) -> bool:
        """Whether the worker still answers."""
        return self.worker.dead is None

    def _ask(self, op: str, soft: float, read: Callable[[Any], T], **fields: Any) -> T | Fault:
        answer = self.worker.ask(op, soft, id=self.number, **fields)
        if isinstance(answer, Fault):
            return answer
        return self.read(answer, op, read)

    def read(self, answer: Any, op: str, read: Callable[[Any], T]) -> T | Fault:
        """Read a decoded answer; a wrong shape ends the worker."""
        try:
            return read(answer)
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError):
            fault = Fault(FaultKind.LIED, op, "answered in a shape that no environment can have")
            self.worker.kill(fault)
            return fault

    def reset(self, seed: int) -> ResetAnswer | Fault:
        """Begin an episode with ``seed`` (0 <= seed < 2**31)."""
        return self._ask("reset", self.worker.limits.reset_seconds, read_reset, seed=seed, again=self.again)

    def step(self, text: str, calls: tuple[str, ...] = ()) -> StepAnswer | Fault:
        """Give the environment one action, as the action reader made it."""
        return self._ask("step", self.worker.limits.step_seconds, read_step, action=text, calls=list(calls))

    def turns(self, actions: Sequence[tuple[str, tuple[str, ...]]]) -> list[StepAnswer | Fault] | Fault:
        """Give the environment several actions in one message.

        Returns:
            The answers of as many turns as were played (at least one): a fault or an end of the episode comes last. Or
            the fault of the worker as a whole, when nobody knows which turn it belongs to.
        """
        answers = self.worker.ask_turns(self.number, actions, self.worker.limits.step_seconds)
        if isinstance(answers, Fault):
            return answers
        read = [one if isinstance(one, Fault) else self.read(one, "step", read_step) for one in answers]
        for at, one in enumerate(read[:-1]):
            if isinstance(one, Fault) or one.terminated or one.truncated:
                lied = Fault(FaultKind.LIED, "step", "answered turns after the end of the episode")
                self.worker.kill(lied)
                return [*read[:at], one if isinstance(one, Fault) else lied]
        return read

    def solution(self, seed: int, *, used: bool = False) -> SolutionAnswer | Fault:
        """What the author's ``solution()`` says for ``seed``; with ``used``, asked of a twin that was asked before."""
        return self._ask("solution", self.worker.limits.reset_seconds, read_solution, seed=seed, used=used)

    def advance(self, observation: str | None) -> str | Fault | None:
        """Next action of a generator solution; ``None`` when it is exhausted."""
        limit = self.worker.limits.step_seconds
        return self._ask("advance", limit, lambda answer: _optional_text(answer["action"]), observation=observation)

    def hint(self) -> str | Fault:
        """The author's ``hint()`` for the present episode, or an empty string."""
        return self._ask("hint", self.worker.limits.step_seconds, lambda answer: _text(answer["hint"]))

    def search(self, seed: int) -> tuple[str, ...] | Fault:
        """A winning action list found by bounded search, or an empty tuple."""
        limits = self.worker.limits
        soft = limits.search_seconds * 2 + limits.reset_seconds
        return self._ask(
            "search",
            soft,
            lambda answer: tuple(_text(action) for action in answer["actions"]),
            seed=seed,
            seconds=limits.search_seconds,
            nodes=limits.search_nodes,
        )

    def look(self) -> Look | Fault:
        """State, criteria and tool methods of the present moment."""
        return self._ask("look", self.worker.limits.step_seconds, read_look)

    def drop(self) -> None:
        """Let the worker forget the instance, with the next message it gets."""
        self.worker.drop(self.number)

    def __del__(self) -> None:
        self.drop()


def _text(value: Any) -> str:
    if type(value) is not str or len(value) > _LONGEST:
        raise ValueError
    if not value.isascii():
        value.encode("utf-8")
    return value


def _optional_text(value: Any) -> str | None:
    return None if value is None else _text(value)


def _turns(value: Any) -> int | None:
    if value is not None and (type(value) is not int or not 0 < value < 100_000):
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
    return tuple(_text(item) for item in value)


def read_reset(answer: Any) -> ResetAnswer:
    """Read the answer of a reset; raises ``ValueError``, ``KeyError`` or ``TypeError`` for any other shape."""
    if type(answer["tools"]) is not list:
        raise ValueError
    return ResetAnswer(
        observation=_text(answer["observation"]),
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
    return _made(ResetAnswer, (_text(observation), _object(info), (), False, _turns(turns), ()))


def read_step(answer: Any) -> StepAnswer:
    """Read the answer of a step; raises as :func:`read_reset`."""
    terminated, truncated = _flag(answer["terminated"]), _flag(answer["truncated"])
    if terminated and truncated:
        raise ValueError
    observation, reward = _text(answer["observation"]), _number(answer["reward"])
    return StepAnswer(observation, reward, terminated, truncated, _object(answer["info"]), _repairs(answer["repairs"]))


def read_turn(answer: Any) -> StepAnswer:
    """Read the answer of a step that came with others: the values of :func:`read_step` alone, in order, or observation,
    reward and info of a turn that ended nothing and needed no repair."""
    if type(answer) is not list:
        raise ValueError
    if len(answer) == ORDINARY:
        observation, reward, info = answer
        return StepAnswer(_text(observation), _number(reward), False, False, _object(info), ())
    observation, reward, terminated, truncated, info, repairs = answer
    if _flag(terminated) and _flag(truncated):
        raise ValueError
    _flag(truncated)
    return StepAnswer(_text(observation), _number(reward), terminated, truncated, _object(info), _repairs(repairs))


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


def read_solution(answer: Any) -> SolutionAnswer:
    """Read the answer of a solution; raises as :func:`read_reset`."""
    kind = answer["kind"]
    if kind == "list":
        return SolutionAnswer("list", actions=_texts(answer["actions"]))
    if kind == "text":
        return SolutionAnswer("text", text=_text(answer["text"]), expected=_optional_text(answer["expected"]))
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
        digest=_text(answer["digest"]),
        pointer=pointer,
        criteria=_texts(answer["criteria"]),
        tools={_text(name): _parameters(found) for name, found in answer["tools"].items()},
    )


def _parameters(found: Any) -> ToolParameters | None:
    if found is None:
        return None
    return ToolParameters(_texts(found["names"]), _texts(found["required"]), _flag(found["any"]))
