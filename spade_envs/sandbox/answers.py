"""From what an environment returned to plain JSON values, repaired where the meaning is clear.

Exact types are checked, never ``isinstance`` alone: ``float(x)``, ``str(x)`` and ``==`` on a subclass would call the
environment's own code. What cannot be repaired raises :class:`Broke`.
"""

from __future__ import annotations

import decimal
import fractions
import math
from typing import Any

from .columns import LARGEST_INFO_TEXT
from .guards import is_array

LARGEST_INFO_NODES = 2048
DEEPEST_INFO = 12
LARGEST_PLAIN = 64
_DROPPED = object()


class Broke(Exception):
    """The environment returned something outside the contract."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class Cleaner:
    """Cleans the returns of one call and notes what it had to repair."""

    def __init__(self, observation_bytes: int) -> None:
        self.observation_bytes = observation_bytes
        self.repairs: set[str] = set()
        self._nodes = 0

    def reset(self, result: Any) -> tuple[str, dict[str, Any]]:
        """``(observation, info)`` of a reset; a bare string is repaired."""
        if isinstance(result, str):
            self.repairs.add("bare_reset")
            return self.text(result), {}
        items = self._items(result)
        if items is None or len(items) != 2:
            raise Broke("reset", f"reset() must return (observation, info), not {_shape(result)}")
        return self.text(items[0]), self.info(items[1])

    def step(self, result: Any) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """``(observation, reward, terminated, truncated, info)``; 4-tuples of old Gym are repaired."""
        items = self._items(result)
        if items is not None and len(items) == 4:
            self.repairs.add("four_tuple")
            info = self.info(items[3])
            done = self.flag("done", items[2])
            cut = done and info.get("TimeLimit.truncated") is True
            return self.text(items[0]), self.reward(items[1]), done and not cut, cut, info
        if items is None or len(items) != 5:
            message = "step() must return (observation, reward, terminated, truncated, info), not "
            raise Broke("step", message + _shape(result))
        observation, reward = self.text(items[0]), self.reward(items[1])
        terminated, truncated = self.flag("terminated", items[2]), self.flag("truncated", items[3])
        if terminated and truncated:
            self.repairs.add("both_flags")
            truncated = False
        return observation, reward, terminated, truncated, self.info(items[4])

    def _items(self, result: Any) -> list[Any] | None:
        if type(result) is tuple:
            return list(result)
        if type(result) is list:
            self.repairs.add("list_result")
            return list(result)
        if isinstance(result, tuple):
            self.repairs.add("tuple_subclass")
            return [tuple.__getitem__(result, i) for i in range(tuple.__len__(result))]
        return None

    def text(self, value: Any, field: str = "observation") -> str:
        """An observation: any string that UTF-8 can carry, up to the limit."""
        if type(value) is not str:
            if not isinstance(value, str):
                raise Broke(field, f"the {field} must be a str, not {type(value).__name__}")
            self.repairs.add("str_subclass")
            value = "".join([str.__str__(value)])
            if type(value) is not str:
                raise Broke(field, f"the {field} is a str subclass that cannot be read as text")
        if len(value) > self.observation_bytes:
            raise Broke(field, f"the {field} has {len(value)} characters; at most {self.observation_bytes} bytes go")
        try:
            size = len(value.encode("utf-8"))
        except UnicodeEncodeError:
            raise Broke(field, f"the {field} contains lone surrogates, which no UTF-8 text can") from None
        if size > self.observation_bytes:
            raise Broke(field, f"the {field} has {size} bytes; at most {self.observation_bytes} are allowed")
        return str(value)

    def reward(self, value: Any) -> float:
        """A finite number in [-1, 1]."""
        number = self._number(value)
        if number is None:
            raise Broke("reward", f"the reward must be a float, not {_kind(value)}")
        if not math.isfinite(number):
            raise Broke("reward", f"the reward is {number}; it must be finite")
        if abs(number) > 1.0 + 1e-9:
            raise Broke("reward", f"the reward is {number:g}; each step's reward must lie in [-1, 1]")
        return max(-1.0, min(1.0, number))

    def _number(self, value: Any) -> float | None:
        kind = type(value)
        if kind is float:
            return float(value)
        if kind is bool or value is None:
            return None
        try:
            if kind is int:
                self.repairs.add("integer_reward")
                return float(value)
            if is_numpy(value) and kind.__name__ not in ("bool", "bool_", "str_") and getattr(value, "size", 0) == 1:
                self.repairs.add("numpy_scalar")
                return float(value.item())
            if kind is decimal.Decimal or kind is fractions.Fraction:
                self.repairs.add("number_subclass")
                return float(value)
            if isinstance(value, float):
                self.repairs.add("number_subclass")
                return float.__float__(value)
            if isinstance(value, int):
                self.repairs.add("number_subclass")
                return float(int.__int__(value))
        except (OverflowError, ValueError, TypeError):
            return math.inf
        return None

    def flag(self, name: str, value: Any) -> bool:
        """``True`` or ``False``; numpy's are repaired."""
        if value is True or value is False:
            return bool(value)
        if is_numpy(value) and type(value).__name__ in ("bool", "bool_"):
            self.repairs.add("numpy_scalar")
            return bool(value)
        raise Broke("flags", f"{name} must be a bool, not {_kind(value)}")

    def info(self, value: Any) -> dict[str, Any]:
        """A dict of JSON values; what is no JSON is dropped."""
        if not isinstance(value, dict):
            raise Broke("info", f"info must be a dict, not {_kind(value)}")
        if type(value) is dict and len(value) < LARGEST_PLAIN and all(map(_is_plain, value, value.values())):
            return dict(value)
        self._nodes = 0
        cleaned = self._json(value, 0)
        return cleaned if isinstance(cleaned, dict) else {}

    def json(self, value: Any) -> Any:
        """Any JSON-like value, cleaned as info is; ``None`` for what is none."""
        self._nodes = 0
        cleaned = self._json(value, 0)
        return None if cleaned is _DROPPED else cleaned

    def _json(self, value: Any, level: int) -> Any:
        self._nodes += 1
        kind = type(value)
        if self._nodes > LARGEST_INFO_NODES or level > DEEPEST_INFO:
            return self._drop()
        if value is None or kind is bool:
            return value
        if kind is int:
            return value if -(2**63) <= value < 2**63 else self._drop()
        if kind is float:
            return value if math.isfinite(value) else self._drop()
        if isinstance(value, str):
            plain = "".join([str.__str__(value)])
            fine = type(plain) is str and len(plain) <= LARGEST_INFO_TEXT and plain.isprintable()
            return plain if fine or _encodable(plain) else self._drop()
        if is_numpy(value) and getattr(value, "ndim", 1) == 0:
            return self._json(value.item(), level)
        if isinstance(value, dict):
            return self._object(value, level)
        if kind in (list, tuple):
            items = [self._json(item, level + 1) for item in value[:LARGEST_INFO_NODES]]
            return [item for item in items if item is not _DROPPED]
        return self._drop()

    def _object(self, value: dict[Any, Any], level: int) -> dict[str, Any]:
        cleaned = {}
        for key, item in list(dict.items(value))[:LARGEST_INFO_NODES]:
            result = self._json(item, level + 1)
            if result is not _DROPPED and type(key) in (str, int, float, bool):
                text = str(key)
                if len(text) <= 256 and _encodable(text):
                    cleaned[text] = result
                    continue
            self._drop()
        return cleaned

    def _drop(self) -> Any:
        self.repairs.add("info_dropped")
        return _DROPPED


def ordinary(result: Any, longest: int) -> list[Any] | None:
    """What :meth:`Instance.turn` returns for a step that is plain already, as most are; else ``None``.

    What it takes, :meth:`Cleaner.step` would return as it is, but for an end that is told twice.
    """
    if type(result) is not tuple or len(result) != 5:
        return None
    observation, reward, terminated, truncated, info = result
    if type(reward) is not float or not -1.0 <= reward <= 1.0:
        return None
    if (info := _plain_info(info)) is None or not _is_plain_text(observation, longest):
        return None
    if terminated is False and truncated is False:
        return [observation, reward, info]
    if (terminated is not True and terminated is not False) or (truncated is not True and truncated is not False):
        return None
    if terminated and truncated:
        return [observation, reward, True, False, info, ["both_flags"]]
    return [observation, reward, terminated, truncated, info, []]


def plain_start(result: Any, longest: int) -> tuple[str, dict[str, Any]] | None:
    """Observation and info of a reset that is plain already, as :meth:`Cleaner.reset` returns them; else ``None``."""
    if type(result) is not tuple or len(result) != 2:
        return None
    observation, info = result
    if (info := _plain_info(info)) is None or not _is_plain_text(observation, longest):
        return None
    return observation, info


def line_in(error: BaseException, filename: str) -> int | None:
    """The innermost line of a file that an exception passed."""
    line = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == filename:
            line = step.tb_lineno
        step = step.tb_next
    return line


def is_numpy(value: Any) -> bool:
    """Whether a value is of one of numpy's own types, not of a class the source made."""
    return is_array(value)


def _is_plain_text(text: Any, longest: int) -> bool:
    if type(text) is not str or len(text) > longest:
        return False
    return text.isascii() or _fits(text, longest)


def _plain_info(info: Any) -> dict[str, Any] | None:
    """A copy of an info that is JSON as it is, or ``None``."""
    if type(info) is not dict or len(info) >= LARGEST_PLAIN:
        return None
    copied: dict[str, Any] = dict(info)
    for key, item in copied.items():
        if not _is_plain(key, item):
            return None
    return copied


def _is_plain(key: Any, item: Any) -> bool:
    """Whether a pair of an info is JSON as it is; most are."""
    if type(key) is not str or len(key) > 256 or not key.isascii():
        return False
    kind = type(item)
    if kind is str:
        return len(item) <= LARGEST_INFO_TEXT and bool(item.isascii())
    if kind is int:
        return bool(-(2**63) <= item < 2**63)
    return item is None or kind is bool or (kind is float and math.isfinite(item))


def _fits(text: str, longest: int) -> bool:
    """Whether a text has at most so many bytes in UTF-8."""
    try:
        return len(text.encode("utf-8")) <= longest
    except UnicodeEncodeError:
        return False


def _encodable(text: str) -> bool:
    if len(text) > LARGEST_INFO_TEXT:
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _kind(value: Any) -> str:
    return "None" if value is None else type(value).__name__


def _shape(value: Any) -> str:
    return f"a {type(value).__name__} of {len(value)}" if type(value) in (tuple, list) else _kind(value)
