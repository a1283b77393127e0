"""The globals of one environment instance: guarded builtins, injected names, facades of its own."""

from __future__ import annotations

import abc
import builtins
import copy
import copyreg
import enum
import functools
import sys
import types
from pathlib import Path
from types import CodeType
from typing import Any

from . import arithmetic, facades, guards, names
from .source import TOOL_BASE
from .streams import Streams

_TOOL_BASE_CODE = compile(
    Path(__file__).with_name("tool_use_base_env.py").read_text("utf-8"),
    "<tool_use_base_env>",
    "exec",
    dont_inherit=True,
)


def install_module() -> None:
    """dataclasses and typing look classes' modules up in ``sys.modules``: give them an empty one."""
    sys.modules.setdefault(names.SANDBOX_MODULE, types.ModuleType(names.SANDBOX_MODULE))
    _guard_copy()
    _guard_enum()


def _guard_copy() -> None:
    """``copy`` rebuilds objects as their ``__reduce_ex__`` says, writing any attribute of any object."""
    original = copy._reconstruct  # type: ignore[attr-defined]
    makers = (copyreg.__newobj__, copyreg.__newobj_ex__)  # type: ignore[attr-defined]

    def reconstruct(x: Any, memo: Any, func: Any, args: Any, state: Any = None, *rest: Any, **options: Any) -> Any:
        parts = tuple(state) if type(state) is tuple and len(state) == 2 else (state,)
        random = type(x).__module__.startswith("numpy.random") and not guards.is_own(x)
        for part in parts if not random else ():
            if type(part) is dict:
                if any(type(key) is not str or names.is_dunder(key) for key in part):
                    raise TypeError("an object with such attributes cannot be copied here")
            elif part is not None and not (len(parts) == 1 and hasattr(type(x), "__setstate__")):
                raise TypeError("an object with such a state cannot be copied here")
        if isinstance(func, types.FunctionType) and guards.is_own(func):
            raise TypeError("copying through a function of the source is not allowed")
        if state is not None and not random and func not in (*makers, type(x)):
            raise TypeError(f"{type(x).__name__} objects cannot be copied here; define __deepcopy__")
        return original(x, memo, func, args, state, *rest, **options)

    copy._reconstruct = reconstruct  # type: ignore[attr-defined]


def _guard_enum() -> None:
    """``Enum("X", names, module=...)`` may neither bring dunder names nor pretend to come from elsewhere."""
    original = enum.EnumType._create_  # type: ignore[attr-defined]

    def create(cls: Any, class_name: str, *args: Any, **options: Any) -> Any:
        # Python 3.13 passes the names by keyword. They are read once into plain objects, and exactly what was checked
        # is passed on: containers may answer differently twice.
        given = args[0] if args else options.pop("names")
        options["module"] = names.SANDBOX_MODULE
        listed = given.replace(",", " ").split() if isinstance(given, str) else given
        listed = list(dict.items(listed)) if isinstance(listed, dict) else list(listed)
        plain = [item if type(item) is str else tuple(item) for item in listed]
        keys = [item if type(item) is str else item[0] for item in plain]
        if any(type(key) is not str or names.is_dunder(key) for key in keys):
            raise TypeError("such names cannot be members")
        return original(cls, class_name, plain, **options)

    enum.EnumType._create_ = create  # type: ignore[attr-defined]


class Namespace:
    """Where one instance's code runs. ``globals`` is what the code sees; ``streams`` what is restarted at reset."""

    def __init__(self, output_limit: int, *, language: bool = True) -> None:
        self.streams = Streams(output_limit)
        self.language = language
        self._modules: dict[str, types.ModuleType] = {}
        self._tool_base: Any = None
        self.globals: dict[str, Any] = {"__name__": names.SANDBOX_MODULE, "__doc__": None}
        if language:
            self._fill()
        else:
            # The language layer off: the kernel layers must hold alone. For tests of exactly that.
            self.globals["__builtins__"] = builtins
            self.globals[TOOL_BASE] = self.tool_base()

    def run(self, code: CodeType) -> None:
        """Execute a source's module body."""
        exec(code, self.globals)  # noqa: S102  # this process exists for it

    def _fill(self) -> None:
        scope = self.globals
        scope["__builtins__"] = self._builtins()
        scope.update(
            _getattr_=guards.guarded_getattr,
            _write_=guards.guarded_write,
            _type_=guards.safe_type,
            _abc_=abc.ABC,
            _own_=guards.own_receiver,
            _plain_=guards.plain_name,
        )
        for module_name in names.INJECTED_MODULES:
            scope[module_name] = self.load(module_name)
        for name, module_name in names.INJECTED_NAMES.items():
            scope[name] = getattr(self.load(module_name), name)
        if "numpy" in sys.modules:
            scope["np"] = scope["numpy"] = self.load("numpy")
        scope[TOOL_BASE] = self.tool_base()

    def _builtins(self) -> dict[str, Any]:
        return {
            **_available(),
            **guards.STAND_INS,
            "__build_class__": builtins.__build_class__,
            "__import__": self.importer,
            "__debug__": True,
            "type": guards.SafeType,
            "getattr": guards.guarded_getattr,
            "hasattr": guards.guarded_hasattr,
            "setattr": guards.guarded_setattr,
            "delattr": guards.guarded_delattr,
            "dir": guards.safe_dir,
            "vars": guards.vars_of,
            "eval": arithmetic.evaluate,
            "print": self.streams.print,
            "id": self.streams.identity,
            "hash": guards.safe_hash,
            "exit": guards.leave,
            "quit": guards.leave,
            "input": guards.no_input,
        }

    def tool_base(self) -> Any:
        """This instance's ``ToolUseBaseEnv``: patches to it stay with it."""
        if self._tool_base is None:
            scope: dict[str, Any] = {"__name__": names.SANDBOX_MODULE}
            # Trusted code: real builtins and modules, but a class that counts as the source's own.
            scope["__builtins__"] = builtins
            exec(_TOOL_BASE_CODE, scope)  # noqa: S102
            self._tool_base = scope[TOOL_BASE]
        return self._tool_base

    def load(self, name: str) -> types.ModuleType:
        """The facade of ``name``, made once per instance. Raises ``ImportError`` when there is none."""
        if name not in self._modules:
            self._modules[name] = _nameless(self._make(name))
        return self._modules[name]

    def _make(self, name: str) -> types.ModuleType:
        if name.startswith(("numpy.", "collections.", "json.")):
            parent, _, child = name.partition(".")
            module = getattr(self.load(parent), child, None)
            if isinstance(module, types.ModuleType):
                return module
        if name == "tool_use_base_env" or name in names.TOOL_BASE_PACKAGES or is_tool_base(name):
            module = types.ModuleType(name)
            setattr(module, TOOL_BASE, self.tool_base())
            return module
        module = facades.build(name, self.streams)
        for parent, child in (("collections", "abc"), ("json", "decoder")):
            if name == parent:
                vars(module)[child] = facades.build(f"{parent}.{child}", self.streams)
        return module

    def importer(
        self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> types.ModuleType:
        """``__import__`` for the source."""
        if type(name) is not str or level:
            raise ImportError("relative imports are not allowed: a source is one file")
        if type(fromlist) is list and name in sys.modules:
            # C code (PyImport_Import in datetime, numpy) comes through the caller's __import__ with a list, as no
            # statement does, and then takes the real module from sys.modules itself: an empty one will do here.
            return types.ModuleType(name)
        module = self.load(name)
        if fromlist or "." not in name:
            return module
        root, _, rest = name.partition(".")
        top = self._modules.get(root) or self._top_for(root)
        parent = top
        for part in rest.split("."):
            child = getattr(parent, part, None)
            if child is None:
                setattr(parent, part, module)
                child = module
            parent = child
        return top

    def _top_for(self, root: str) -> types.ModuleType:
        try:
            return self.load(root)
        except ImportError:
            self._modules[root] = types.ModuleType(root)
            return self._modules[root]


def _nameless(module: types.ModuleType) -> types.ModuleType:
    """Rename a facade: ``from json import decoder`` would fall back to ``sys.modules``, under the real one's name."""
    module.__name__ = "facade"
    kind = types.ModuleType
    for child in [value for value in vars(module).values() if type(value) is kind]:
        if child.__name__ != "facade":
            _nameless(child)
    return module


@functools.cache
def _available() -> dict[str, Any]:
    """The real builtins that a source gets."""
    return {name: getattr(builtins, name) for name in names.BUILTINS if hasattr(builtins, name)}


def is_tool_base(module_name: str) -> bool:
    """Whether released sources import the tool-use base class from this module path."""
    parent, _, last = module_name.rpartition(".")
    return last == "tool_use_base_env" and parent in names.TOOL_BASE_PACKAGES
