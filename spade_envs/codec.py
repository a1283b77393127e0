"""Frozen dataclasses to JSON values and back, driven by their annotations.

Floor 0 may use the standard library only, which has no such reader. It is strict: an unknown key, a missing
key or a value of the wrong type is a ``ValueError`` that names the place.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
import typing
from typing import Any, TypeVar

T = TypeVar("T")

_PLAIN = frozenset((str, int, float, bool, type(None)))


def to_json(value: Any) -> Any:
    """Return ``value`` as plain JSON types; dataclasses become objects, tuples become arrays.

    >>> import dataclasses
    >>> @dataclasses.dataclass(frozen=True)
    ... class Point:
    ...     x: int
    ...     tags: tuple[str, ...] = ()
    >>> to_json(Point(1, ("a",)))
    {'x': 1, 'tags': ['a']}
    """
    if type(value) in _PLAIN:
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, dict):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    return value


def from_json(cls: type[T], data: Any, where: str = "") -> T:
    """Build a ``cls`` from what :func:`to_json` made. Raises ``ValueError`` naming the place of a mismatch."""
    return typing.cast(T, _read(cls, data, where or getattr(cls, "__name__", str(cls))))


@functools.cache
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def _read(kind: Any, data: Any, where: str) -> Any:
    if dataclasses.is_dataclass(kind):
        return _read_dataclass(typing.cast(type, kind), data, where)
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return _read_union(kind, data, where)
    if origin is tuple:
        return _read_tuple(kind, data, where)
    if origin is dict:
        if not isinstance(data, dict):
            raise ValueError(f"{where}: expected an object, found {type(data).__name__}")
        value_kind = typing.get_args(kind)[1]
        return {key: _read(value_kind, item, f"{where}.{key}") for key, item in data.items()}
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        try:
            return kind(data)
        except ValueError:
            allowed = ", ".join(str(member.value) for member in kind)
            raise ValueError(f"{where}: {data!r} is not one of {allowed}") from None
    return _read_scalar(kind, data, where)


def _read_scalar(kind: Any, data: Any, where: str) -> Any:
    if kind is Any:
        return data
    if kind is float and type(data) in (int, float):
        return float(data)
    if kind is type(None) and data is None:
        return None
    if type(data) is not kind:
        raise ValueError(f"{where}: expected {getattr(kind, '__name__', kind)}, found {type(data).__name__}")
    return data


def _read_union(kind: Any, data: Any, where: str) -> Any:
    options = typing.get_args(kind)
    if data is None and type(None) in options:
        return None
    problems = []
    for option in options:
        if option is type(None):
            continue
        try:
            return _read(option, data, where)
        except ValueError as error:
            problems.append(str(error))
    raise ValueError("; ".join(problems))


def _read_tuple(kind: Any, data: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(data, (list, tuple)):
        raise ValueError(f"{where}: expected an array, found {type(data).__name__}")
    args = typing.get_args(kind)
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(_read(args[0], item, f"{where}[{i}]") for i, item in enumerate(data))
    if len(args) != len(data):
        raise ValueError(f"{where}: expected {len(args)} items, found {len(data)}")
    return tuple(_read(part, item, f"{where}[{i}]") for i, (part, item) in enumerate(zip(args, data, strict=True)))


def _read_dataclass(cls: type, data: Any, where: str) -> Any:
    if not isinstance(data, dict):
        raise ValueError(f"{where}: expected an object, found {type(data).__name__}")
    hints = _hints(cls)
    fields = {f.name: f for f in dataclasses.fields(cls) if f.init}
    unknown = sorted(set(data) - set(fields))
    if unknown:
        raise ValueError(f"{where}: unknown key {unknown[0]!r}; allowed: {', '.join(sorted(fields))}")
    values = {}
    for name, f in fields.items():
        if name in data:
            values[name] = _read(hints[name], data[name], f"{where}.{name}")
        elif f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING:
            raise ValueError(f"{where}: missing key {name!r}")
    return cls(**values)
