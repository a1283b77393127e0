"""Objects a source is handed in place of library ones that would reach too far."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from .names import is_dunder


def writable_name(name: Any) -> str:
    """The name, if an attribute of that name may be written; raises ``TypeError`` or ``AttributeError`` if not."""
    if type(name) is not str:
        raise TypeError("attribute name must be a string")
    if is_dunder(name) and name not in ("__name__", "__doc__", "__qualname__"):
        raise AttributeError(f"the attribute {name!r} cannot be changed")
    return name


class InstanceDict(dict[str, Any]):
    """``vars(x)``: a copy of an own instance's attributes that writes through, with names checked.

    The real dict would let a source plant ``__reduce_ex__`` where ``copy`` looks for it.
    """

    __slots__ = ("_real",)

    def __init__(self, real: dict[str, Any]) -> None:
        super().__init__(real)
        self._real = real

    def __setitem__(self, key: str, value: Any) -> None:
        self._real[writable_name(key)] = value
        super().__setitem__(key, value)

    def __delitem__(self, key: str) -> None:
        del self._real[key]
        super().__delitem__(key)

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Write several attributes."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Write an attribute unless it is there."""
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key: str, *default: Any) -> Any:
        """Remove an attribute."""
        self._real.pop(key, None)
        return super().pop(key, *default)

    def popitem(self) -> tuple[str, Any]:
        """Remove the last attribute."""
        key, value = super().popitem()
        self._real.pop(key, None)
        return key, value

    def clear(self) -> None:
        """Remove every attribute."""
        self._real.clear()
        super().clear()

    def __ior__(self, other: Any) -> InstanceDict:  # type: ignore[override, misc]
        self.update(other)
        return self

    def __copy__(self) -> dict[str, Any]:
        return dict(self)

    def copy(self) -> dict[str, Any]:
        """A plain dict of the same items."""
        return dict(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        import copy

        return copy.deepcopy(dict(self), memo)


class Inert:
    """Accepts any call, attribute, comparison and loop, and does nothing: loggers, handlers, warning filters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is kept."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return Inert()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return Inert()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, key: Any) -> Any:
        return Inert()

    def __lt__(self, other: Any) -> bool:
        return False

    __le__ = __gt__ = __ge__ = __lt__

    def __int__(self) -> int:
        return 0

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self


class PlainNamespace(types.SimpleNamespace):
    """``types.SimpleNamespace`` whose names are checked: a dunder among them could answer for the object."""

    def __init__(self, /, *args: Any, **kwargs: Any) -> None:
        for mapping in (*args, kwargs):
            for name in mapping:
                writable_name(name)
        super().__init__(**{key: value for mapping in (*args, kwargs) for key, value in dict(mapping).items()})

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(writable_name(name), value)

    def __repr__(self) -> str:
        return f"namespace({', '.join(f'{key}={value!r}' for key, value in vars(self).items())})"
