"""Run-time guards: what ``_getattr_``, ``_write_`` and the guarded builtins do in an environment's namespace.

They protect the library objects a source is handed from the source, and frames and code objects from being
reached through strings (``str.format``, ``getattr``). An object is the source's *own* when its class was defined by
the source; on those almost everything is allowed.
"""

from __future__ import annotations

import builtins
import collections
import datetime
import decimal
import functools
import string
import sys
import types
from collections.abc import Callable
from typing import Any

from . import names
from .names import is_dunder
from .objects import Inert, InstanceDict, PlainNamespace, writable_name

_CONTEXT = type(decimal.getcontext())
_FUNCTIONS = (types.FunctionType, functools._lru_cache_wrapper)


def is_own(obj: Any) -> bool:
    """Whether ``obj`` is an instance of a class the source defined, or such a class, or a function of the source."""
    kind = type(obj)
    if kind.__module__ == names.SANDBOX_MODULE:
        return True
    if isinstance(obj, type):
        return obj.__module__ == names.SANDBOX_MODULE
    if kind is types.FunctionType or kind is functools._lru_cache_wrapper:
        return bool(obj.__module__ == names.SANDBOX_MODULE)
    return any(base.__module__ == names.SANDBOX_MODULE for base in kind.__mro__)


def own_receiver(obj: Any) -> None:
    """What methods call first: their receiver is an own instance or class, or the call ends here."""
    if type(obj).__module__ != names.SANDBOX_MODULE and not is_own(obj):
        raise TypeError(f"a method was called on a {type(obj).__name__}, which is no object of this source")


def plain_name(name: Any) -> None:
    """What ``__getattr__`` calls first: dunder names are never made up."""
    if type(name) is not str or is_dunder(name):
        raise AttributeError(name)


def guarded_write(obj: Any) -> Any:
    """Return ``obj`` if its attributes may be assigned, else raise ``TypeError``."""
    if type(obj).__module__ == names.SANDBOX_MODULE or is_own(obj):
        return obj
    if isinstance(obj, (PlainNamespace, Inert, _CONTEXT, BaseException)) or is_array(obj):
        return obj
    if type(obj) is collections.defaultdict or type(obj).__name__ == "flagsobj":
        return obj
    raise TypeError(f"attributes of {type(obj).__name__} objects cannot be changed here")


def guarded_getattr(obj: Any, name: str, *default: Any) -> Any:
    """``getattr`` that refuses what the policy refuses statically, decided by object where a name cannot tell."""
    if type(name) is not str:
        raise TypeError("attribute name must be a string")
    if is_dunder(name):
        return _dunder(obj, name, default)
    if name in names.FORBIDDEN_ATTRIBUTES:
        if not is_own(obj) or isinstance(obj, (type, types.FunctionType)):
            raise AttributeError(f"the attribute {name!r} is not allowed")
    elif name in names.GUARDED_ATTRIBUTES:
        return _guarded_name(obj, name, default)
    elif name.startswith("_") and name not in names.PRIVATE_READABLE and not _may_read_private(obj, name):
        if default:
            return default[0]
        raise AttributeError(f"{type(obj).__name__!r} object: the private attribute {name!r} is not allowed")
    return getattr(obj, name, *default)


def _may_read_private(obj: Any, name: str) -> bool:
    """Whether a private name of an own object is the source's own too, and not inherited from a library class."""
    real = _self_of(obj)
    if isinstance(real, types.MethodType):
        real = real.__func__
    if not is_own(real):
        return False
    if isinstance(real, _FUNCTIONS):
        return True  # marks that decorators put on functions
    if not isinstance(real, type) and name in getattr(real, "__dict__", ()):
        return True
    lineage = real.__mro__ if isinstance(real, type) else type(real).__mro__
    for base in lineage:
        if name in vars(base):
            return base.__module__ == names.SANDBOX_MODULE
    return True  # absent, or the source's own __getattr__ answers


def _dunder(obj: Any, name: str, default: tuple[Any, ...]) -> Any:
    if name == "__class__":
        return safe_type(obj)
    if name == "__dict__":
        try:
            return vars_of(obj)
        except TypeError:
            if default:
                return default[0]
            raise AttributeError("__dict__ is readable on the source's own objects only") from None
    if name == "__setattr__":
        return (
            _object_setattr if isinstance(obj, type) else lambda key, value: _object_setattr(_self_of(obj), key, value)
        )
    if name == "__delattr__":
        return guarded_delattr if isinstance(obj, type) else lambda key: guarded_delattr(_self_of(obj), key)
    if name == "__getattribute__":
        return guarded_getattr if isinstance(obj, type) else lambda key: guarded_getattr(_self_of(obj), key)
    if name == "__annotations__":
        return dict(getattr(obj, name, {})) if is_own(obj) else {}
    if name not in names.READABLE_DUNDERS and name != "__module__":
        raise AttributeError(f"the attribute {name!r} is not allowed")
    return getattr(obj, name, *default)


def _self_of(obj: Any) -> Any:
    """The instance behind a ``super()`` object, else the object itself."""
    return object.__getattribute__(obj, "__self__") if type(obj) is super else obj


def _object_setattr(obj: Any, name: str, value: Any) -> None:
    """``object.__setattr__``, which frozen dataclasses use to fill themselves."""
    object.__setattr__(guarded_write(obj), writable_name(name), value)


def _guarded_name(obj: Any, name: str, default: tuple[Any, ...]) -> Any:
    real = _self_of(obj)
    cls = real if isinstance(real, type) else type(real)
    if _defines(cls, name) and type(obj) is not super:
        return getattr(obj, name, *default)
    if name in ("format", "format_map"):
        return _guarded_format(obj, real, cls, name, default)
    if name == "register" and not is_own(real) and isinstance(getattr(real, name, None), types.MethodType):
        raise AttributeError("registering virtual subclasses is not allowed")
    if name == "register" and isinstance(real, type):
        raise AttributeError("registering virtual subclasses is not allowed")
    if name == "obj" and isinstance(real, AttributeError) and "obj" not in vars(real):
        raise AttributeError("the attribute 'obj' of an exception is not allowed")
    if name in ("today", "now", "utcnow") and cls in (datetime.date, datetime.datetime):
        raise AttributeError(f"ask {name}() of the datetime module's classes")
    if name in ("tofile", "dump", "dumps", "ctypes") and _is_numpy_class(cls):
        raise AttributeError(f"arrays have no {name!r} here: there are no files")
    return getattr(obj, name, *default)


def _guarded_format(obj: Any, real: Any, cls: type, name: str, default: tuple[Any, ...]) -> Any:
    """Decided by what the look-up gives, since several library objects forward it to a string."""
    if issubclass(cls, collections.UserString):
        return _format_method(str(real.data), name) if not isinstance(real, type) else _raise_format()
    if issubclass(cls, str):
        if isinstance(real, str):
            return _format_method(str.__str__(real), name)
        return lambda text, *args, **kwargs: _format_method(str.__str__(text), name)(*args, **kwargs)
    value = getattr(obj, name, *default)
    if isinstance(getattr(value, "__self__", None), str):
        return _format_method(str.__str__(value.__self__), name)
    return _raise_format() if value in (str.format, str.format_map) else value


def _raise_format() -> Any:
    raise AttributeError("format this as a plain str")


def _is_numpy_class(cls: type) -> bool:
    return any(base.__module__.split(".")[0] == "numpy" for base in cls.__mro__)


def _defines(cls: type, name: str) -> bool:
    return any(name in vars(base) for base in cls.__mro__ if base.__module__ == names.SANDBOX_MODULE)


class _Formatter(string.Formatter):
    """``str.format`` whose attribute look-ups are guarded."""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        first, rest = string._string.formatter_field_name_split(field_name)  # type: ignore[attr-defined]
        obj = self.get_value(first, args, kwargs)
        for is_attribute, key in rest:
            obj = guarded_getattr(obj, key) if is_attribute else obj[key]
        return obj, first


_FORMATTER = _Formatter()


def _format_method(text: str, name: str) -> Callable[..., str]:
    if name == "format_map":
        return lambda mapping: _FORMATTER.vformat(text, (), mapping)
    if "." not in text and "[" not in text:
        return text.format
    return lambda *args, **kwargs: _FORMATTER.vformat(text, args, kwargs)


def guarded_hasattr(obj: Any, name: str) -> bool:
    """``hasattr`` over :func:`guarded_getattr`."""
    try:
        guarded_getattr(obj, name)
    except AttributeError:
        return False
    return True


def guarded_setattr(obj: Any, name: str, value: Any) -> None:
    """``setattr`` on the source's own objects."""
    setattr(guarded_write(obj), writable_name(name), value)


def guarded_delattr(obj: Any, name: str) -> None:
    """``delattr`` on the source's own objects."""
    delattr(guarded_write(obj), writable_name(name))


def vars_of(*args: Any) -> Any:
    """``vars(x)`` for own objects; classes give a read-only copy without dunder names."""
    if len(args) != 1 or (not is_own(_self_of(args[0])) and not isinstance(args[0], types.SimpleNamespace)):
        raise TypeError("vars() and __dict__ are allowed on the source's own objects only")
    obj = _self_of(args[0])
    if isinstance(obj, (type, types.FunctionType)):
        return {key: value for key, value in vars(obj).items() if not is_dunder(key)}
    return InstanceDict(object.__getattribute__(obj, "__dict__"))


def safe_dir(obj: Any) -> list[str]:
    """``dir(x)`` without dunder names."""
    return [name for name in builtins.dir(obj) if not is_dunder(name)]


def safe_hash(obj: Any) -> int:
    """``hash(x)``; objects that hash by address are refused, since addresses differ in every process."""
    if getattr(type(obj), "__hash__", None) is getattr(object, "__hash__", None):
        raise TypeError(f"{type(obj).__name__} objects hash by address here; define __hash__ or use a key")
    return hash(obj)


def is_array(obj: Any) -> bool:
    """Whether ``obj`` is one of numpy's own arrays or scalars, and not of a class that only says so."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return False
    kind = type(obj)
    return kind is numpy.ndarray or (issubclass(kind, numpy.generic) and kind is getattr(numpy, kind.__name__, None))


class _TypeMeta(type):
    """Makes ``type`` usable as function, in ``isinstance`` and in annotations, but not as a metaclass."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is not SafeType:
            raise TypeError("classes are made by class statements here")
        return safe_type(*args)

    def __instancecheck__(cls, obj: Any) -> bool:
        return isinstance(obj, type)

    def __subclasscheck__(cls, sub: Any) -> bool:
        return isinstance(sub, type) and issubclass(sub, type)


class SafeType(metaclass=_TypeMeta):
    """Stands for the builtin ``type``."""

    def __class_getitem__(cls, item: Any) -> Any:
        return type[item]


def safe_type(obj: Any, *rest: Any) -> Any:
    """``type(x)``; the three-argument form is refused, and the type of a class is :class:`SafeType`."""
    if rest:
        raise TypeError("type() takes one argument here; write a class statement")
    return SafeType if isinstance(obj, type) else type(obj)


def _stand_in(name: str) -> type[Exception]:
    return type(name, (Exception,), {"__module__": "builtins"})


# A source may say ``except KeyboardInterrupt`` or raise SystemExit, but must not catch the box's own signals.
STAND_INS: dict[str, type[Exception]] = {
    "BaseException": Exception,
    **{name: _stand_in(name) for name in ("KeyboardInterrupt", "SystemExit", "GeneratorExit", "StopAsyncIteration")},
}


def no_input(*_: Any) -> None:
    """``input()``: there is nobody to ask."""
    raise EOFError("an environment has no input; actions come through step()")


def leave(*_: Any) -> None:
    """``exit()``: an ordinary exception here."""
    raise STAND_INS["SystemExit"]("an environment cannot exit the process")
