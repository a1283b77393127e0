"""Facade modules: what ``import x`` gives a source. Never the real module, only chosen names of it.

A real module leads to ``sys.modules`` in a step or two (``json.codecs.builtins``); a facade holds nothing but the
functions and classes that :mod:`names` lists.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
import importlib
import keyword
import sys
import types
import typing
from collections.abc import Callable
from typing import Any

from . import guards, gym_facade, names, numpy_facade, objects, streams


@functools.cache
def _public(module_name: str) -> dict[str, Any]:
    """Chosen names of a real module, gathered once per process."""
    module = importlib.import_module(module_name)
    chosen = names.MODULES[module_name] or [name for name in dir(module) if not name.startswith("_")]
    found = {name: getattr(module, name) for name in chosen if hasattr(module, name) and name != "main"}
    return {name: value for name, value in found.items() if not isinstance(value, types.ModuleType)}


def preload() -> None:
    """Import every module a facade may need, before the lock closes the file system."""
    for name in names.MODULES:
        _public(name)
    encodings = ("ascii", "latin_1", "idna", "punycode", "utf_8_sig", "utf_16", "utf_16_le", "utf_16_be", "utf_32",
                 "unicode_escape", "raw_unicode_escape", "cp1252", "cp437", "iso8859_1", "iso8859_15", "rot_13",
                 "hex_codec", "base64_codec")  # fmt: skip
    for name in ("_strptime", "_pydatetime", "stringprep", *(f"encodings.{name}" for name in encodings)):
        try:
            importlib.import_module(name)
        except ImportError:
            continue


@functools.cache
def private_names() -> frozenset[str]:
    """Private names that classes handed out have, base classes included."""
    found: set[str] = set()
    for name in names.MODULES:
        for value in _public(name).values():
            for base in value.__mro__ if isinstance(value, type) else ():
                found.update(key for key in vars(base) if key.startswith("_") and not names.is_dunder(key))
    return frozenset(found) - names.PRIVATE_READABLE


def _module(name: str, values: dict[str, Any]) -> types.ModuleType:
    module = types.ModuleType(name)
    vars(module).update(values, __all__=[key for key in values if not key.startswith("_")])
    return module


_INERT = objects.Inert()


class _Stream:
    """``sys.stdout`` and ``sys.stderr`` of an instance."""

    def __init__(self, write: Callable[[str], int]) -> None:
        self.write = write

    def flush(self) -> None:
        """Nothing to flush."""


def _sys(own: streams.Streams) -> types.ModuleType:
    stream = _Stream(own.write)
    return _module(
        "sys",
        {
            "maxsize": sys.maxsize,
            "version": sys.version,
            "version_info": sys.version_info,
            "float_info": sys.float_info,
            "byteorder": sys.byteorder,
            "platform": "linux",
            "argv": [""],
            "stdout": stream,
            "stderr": stream,
            "getsizeof": lambda obj, default=0: 64,
            "getrecursionlimit": sys.getrecursionlimit,
            "setrecursionlimit": lambda limit: None,
            "exit": guards.leave,
            "intern": lambda text: text,
        },
    )


def _logging(own: streams.Streams) -> types.ModuleType:
    levels = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "ERROR": 40, "CRITICAL": 50, "NOTSET": 0}
    made = ("Handler", "StreamHandler", "NullHandler", "FileHandler", "Formatter", "Filter", "Logger", "LoggerAdapter")
    classes = {name: type(name, (objects.Inert,), {"__module__": "logging"}) for name in made}
    return _module("logging", {**levels, **classes, "__getattr__": lambda name: _INERT})


def _warnings(own: streams.Streams) -> types.ModuleType:
    inert = ("warn", "simplefilter", "filterwarnings", "resetwarnings", "catch_warnings")
    return _module("warnings", dict.fromkeys(inert, _INERT))


def _traceback(own: streams.Streams) -> types.ModuleType:
    def format_exc(limit: Any = None, chain: bool = True) -> str:
        error = sys.exc_info()[1]
        return "NoneType: None\n" if error is None else f"{type(error).__name__}: {error}\n"

    return _module("traceback", {"format_exc": format_exc, "print_exc": _INERT})


def _math_verify(own: streams.Streams) -> types.ModuleType:
    if "math_verify" not in sys.modules:
        raise ImportError("math_verify is not installed; install spade-envs[math]")
    real = sys.modules["math_verify"]
    # Its own timeouts disarm the worker's timer; the box's limits cover it.
    extras = ("LatexExtractionConfig", "ExprExtractionConfig", "StringExtractionConfig", "LatexNormalizationConfig")
    values = {name: getattr(real, name) for name in extras if hasattr(real, name)}

    def parse(pred: Any, *args: Any, **kwargs: Any) -> Any:
        return real.parse(pred, *args, **{**kwargs, "parsing_timeout": None})

    def verify(gold: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
        return real.verify(gold, target, *args, **{**kwargs, "timeout_seconds": None})

    return _module("math_verify", {**values, "parse": parse, "verify": verify})


def _gymnasium(name: str) -> Callable[[streams.Streams], types.ModuleType]:
    return lambda own: gym_facade.module(name, own)


_SPECIAL: dict[str, Callable[[streams.Streams], types.ModuleType]] = {
    "random": streams.random_module,
    "time": streams.time_module,
    "datetime": streams.datetime_module,
    "uuid": streams.uuid_module,
    "secrets": streams.secrets_module,
    "sys": _sys,
    "logging": _logging,
    "warnings": _warnings,
    "traceback": _traceback,
    "math_verify": _math_verify,
    "numpy": numpy_facade.module,
    "typing_extensions": lambda own: build("typing", own),
    **{name: _gymnasium(name) for name in names.SPECIAL_MODULES if name.split(".")[0] in ("gym", "gymnasium")},
}


def _update_wrapper(wrapper: Any, wrapped: Any, *_: Any, **__: Any) -> Any:
    """``functools.update_wrapper`` between functions of the source: name, docstring and marks."""
    if guards.is_own(wrapper) and not isinstance(wrapper, type):
        wrapper.__name__ = str(getattr(wrapped, "__name__", "wrapped"))
        wrapper.__doc__ = getattr(wrapped, "__doc__", None)
        marks = vars(wrapped) if guards.is_own(wrapped) and not isinstance(wrapped, type) else {}
        vars(wrapper).update({key: value for key, value in marks.items() if not names.is_dunder(key)})
    return wrapper


def _wraps(wrapped: Any, *_: Any, **__: Any) -> Callable[[Any], Any]:
    """``functools.wraps`` over :func:`_update_wrapper`."""
    return lambda wrapper: _update_wrapper(wrapper, wrapped)


def _attrgetter(*paths: str) -> Callable[[Any], Any]:
    def one(obj: Any, path: str) -> Any:
        for name in path.split("."):
            obj = guards.guarded_getattr(obj, name)
        return obj

    return (lambda obj: one(obj, paths[0])) if len(paths) == 1 else (lambda obj: tuple(one(obj, p) for p in paths))


def _methodcaller(name: str, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    return lambda obj: guards.guarded_getattr(obj, name)(*args, **kwargs)


def _own_only(decorator: Callable[..., Any]) -> Callable[..., Any]:
    """A class decorator of the library that changes the class: the source's own classes only."""

    def checked(cls: Any = None, /, **kwargs: Any) -> Any:
        if cls is None:
            return lambda later: checked(later, **kwargs)
        if not isinstance(cls, type) or not guards.is_own(cls):
            raise TypeError("only classes of this source can be decorated")
        return decorator(cls, **kwargs)

    return checked


def _dataclass(cls: type, **options: Any) -> Any:
    """``dataclasses.dataclass``, which writes field names into program text and methods that trust any receiver."""
    if issubclass(cls, dict):
        raise TypeError("a dict class cannot be a dataclass")
    for base in cls.__mro__:
        for name in vars(base).get("__annotations__", {}):
            if type(name) is not str or not name.isidentifier() or keyword.iskeyword(name) or names.is_dunder(name):
                raise TypeError(f"{name!r} cannot be a field")
        for field in vars(base).get("__dataclass_fields__", {}).values():
            if type(field) is not dataclasses.Field or not str(field.name).isidentifier():
                raise TypeError("a base class has fields that are none")
    before = dict(vars(cls))
    made = dataclasses.dataclass(**options)(cls)
    for name, method in list(vars(made).items()):
        if isinstance(method, types.FunctionType) and before.get(name) is not method and names.is_dunder(name):
            setattr(made, name, _checking(method))
    return made


def _checking(method: types.FunctionType) -> Any:
    """A generated method that looks at its receiver first, as written methods do."""

    def checked(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        guards.own_receiver(self)
        return method(self, *args, **kwargs)

    checked.__name__, checked.__qualname__, checked.__doc__ = method.__name__, method.__qualname__, method.__doc__
    checked.__module__ = names.SANDBOX_MODULE
    checked.__wrapped__ = method  # type: ignore[attr-defined]
    return checked


def _abstractmethod(function: Any) -> Any:
    """``abc.abstractmethod`` marks functions of the source only."""
    library = isinstance(function, types.FunctionType) and not guards.is_own(function)
    return function if library or isinstance(function, types.BuiltinFunctionType) else abc.abstractmethod(function)


def _unchanged(obj: Any) -> Any:
    """A decorator that only marks: it marks nothing here."""
    return obj


_ADDED: dict[str, dict[str, Any]] = {
    "functools": {
        "wraps": _wraps,
        "update_wrapper": _update_wrapper,
        "total_ordering": _own_only(functools.total_ordering),
    },
    "dataclasses": {"dataclass": _own_only(_dataclass)},
    "typing": {
        "runtime_checkable": _own_only(typing.runtime_checkable),
        **dict.fromkeys(("no_type_check", "final", "override"), _unchanged),
    },
    "types": {"SimpleNamespace": objects.PlainNamespace},
    "pprint": {"pprint": objects.Inert(), "pp": objects.Inert()},
    "operator": {"attrgetter": _attrgetter, "methodcaller": _methodcaller},
    "abc": {"ABCMeta": type("ABCMeta", (), {}), "abstractmethod": _abstractmethod},
    "enum": {name: type(name, (), {}) for name in ("EnumMeta", "EnumType")},
}
"""Safe versions of names whose originals reach too far. The metaclasses are only names: the policy handles them."""


@functools.cache
def _template(name: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What a facade without state of its own holds, and which names of it are public."""
    values = {**_public(name), **_ADDED.get(name, {})}
    return values, tuple(key for key in values if not key.startswith("_"))


def build(name: str, own: streams.Streams) -> types.ModuleType:
    """Make the facade of ``name`` for one instance.

    Raises:
        ImportError: when there is none.
    """
    if name in _SPECIAL:
        return _SPECIAL[name](own)
    if name in names.MODULES:
        module = types.ModuleType(name)
        values, public = _template(name)
        vars(module).update(values, __all__=list(public))
        return module
    raise ImportError(f"the module {name!r} is not available to environments")


def exported(name: str) -> frozenset[str] | None:
    """Names that ``from name import x`` may ask for, or ``None`` where that is known only at run time."""
    if name in names.MODULES:
        return frozenset(_public(name)) | frozenset(_ADDED.get(name, {}))
    return None


def try_import(name: str) -> bool:
    """Import a module, if it is there; whether it is."""
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True
