"""States after a reset, kept to begin the same episode again: for many short episodes of a few seeds.

A restored episode is a hint and no proof: modules and classes of the source stay as they are. Whoever finds a fault in
one plays it again in a new instance.
"""

from __future__ import annotations

import contextlib
import copy
import decimal
import dis
import enum
import gc
import sys
import types
from typing import Any

from . import names
from .streams import Streams
from .streams import __name__ as streams_module

_SHARED = (type, types.ModuleType, types.BuiltinFunctionType, types.CodeType)
"""Kinds that copies share in any case."""

MOST_STATES = 24
"""States kept of one instance."""
MOST_OBJECTS = 20_000
"""Objects of a state that are looked at, and copied."""
MOST_BYTES = 1 << 21
"""Size of these objects together."""


class States:
    """The states of one instance, by seed."""

    def __init__(self, scope: dict[str, Any]) -> None:
        self._scope = scope
        self._kept: dict[int, tuple[Any, tuple[Any, ...], Any, dict[str, Any]]] = {}
        self._shared = False

    def keep(self, seed: int, env: Any, streams: Streams, context: Any, answer: dict[str, Any]) -> None:
        """Keep a copy of ``env`` as it is after a reset that gave ``answer``, unless the copy would share parts."""
        if self._shared or len(self._kept) >= MOST_STATES:
            return
        self._shared = True  # until all went well: the source's own copying may fail in any way, or never end
        with contextlib.suppress(Exception):
            if is_independent(env, self._scope, streams):
                self._kept[seed] = _copied(env, streams), streams.state(), context.copy(), answer
                self._shared = False

    def take(self, seed: int, streams: Streams) -> tuple[Any, Any, dict[str, Any]] | None:
        """Environment, decimal context and answer of an episode begun again; ``None`` where no state is kept."""
        if self._shared or seed not in self._kept:
            return None
        kept, state, context, answer = self._kept[seed]
        self._shared = True
        try:
            env = _copied(kept, streams)
        except Exception:
            return None
        self._shared = False
        streams.restore(state)
        return env, context.copy(), answer


class _Held:
    """What functions hold in their closures and defaults."""

    def __init__(self) -> None:
        self.containers: set[int] = set()
        """Identities of those that can change."""
        self._looked: set[int] = set()

    def is_plain(self, value: Any, depth: int) -> bool:
        """Whether a value is plain data, or a function that holds nothing else and changes nothing it holds."""
        if value is None or isinstance(value, (bool, int, float, str, bytes, enum.Enum, *_SHARED)):
            return not isinstance(value, types.BuiltinFunctionType) or _is_free(value)
        if id(value) in self._looked:
            return True
        self._looked.add(id(value))
        parts: list[Any]
        if isinstance(value, types.FunctionType):
            if vars(value) or _stores(value.__code__):
                return False
            parts = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
            try:
                parts += [cell.cell_contents for cell in value.__closure__ or ()]
            except ValueError:  # a cell that is still empty
                return False
        elif type(value) in (tuple, frozenset, list, set):
            parts = list(value)
        elif type(value) is dict:
            parts = [*value, *value.values()]
        else:
            return False
        if type(value) in (list, set, dict):
            self.containers.add(id(value))
        return depth > 0 and len(self._looked) < MOST_OBJECTS and all(self.is_plain(part, depth - 1) for part in parts)


def _stores(code: types.CodeType) -> bool:
    """Whether a function, or one inside it, assigns to a variable of an outer one."""
    free = set(code.co_freevars)
    if any(
        step.opname in ("STORE_DEREF", "DELETE_DEREF") and step.argval in free for step in dis.get_instructions(code)
    ):
        return True
    return any(isinstance(part, types.CodeType) and _stores(part) for part in code.co_consts)


def _is_free(function: Any, rng: Any = None) -> bool:
    """Whether a built-in function is bound to nothing that can change, but for the instance's own stream."""
    owner = function.__self__
    fixed = (types.ModuleType, type, str, bytes, int, float, tuple, frozenset)
    return owner is None or owner is rng or isinstance(owner, fixed)


def is_independent(env: Any, scope: dict[str, Any], streams: Streams) -> bool:
    """Whether a deep copy of ``env`` shares nothing with it that may change, and holds nothing that ``scope`` names.

    Objects that globals name are often compared by identity, which no copy keeps. Functions are copied as they are:
    what they hold must be plain, and no part of the state. Generators cannot be copied at all.
    """
    if streams.has_named:
        return False  # numbers that id() gave are those of the originals
    seen: set[int] = set()
    held = _Held()
    stack, size = [env], 0
    while stack:
        item = stack.pop()
        if isinstance(item, types.BuiltinFunctionType) and not _is_free(item, streams.rng):
            return False
        if id(item) in seen or isinstance(item, _SHARED):
            continue
        seen.add(id(item))
        size += sys.getsizeof(item, 64)
        if len(seen) > MOST_OBJECTS or size > MOST_BYTES or not _can_be_copied(item):
            return False
        if isinstance(item, types.FunctionType):
            # Functions of the instance's own ``random`` are shared, as its stream is.
            if item.__module__ != streams_module and not held.is_plain(item, 8):
                return False
        elif isinstance(item, types.MethodType):
            stack.append(item.__self__)
        else:
            stack.extend(gc.get_referents(item))
    return seen.isdisjoint(held.containers) and seen.isdisjoint(_named(scope))


def _copied(env: Any, streams: Streams) -> Any:
    """A deep copy whose functions of ``random`` still draw from the instance's own stream."""
    return copy.deepcopy(env, {id(streams.rng): streams.rng})


def _can_be_copied(item: Any) -> bool:
    """Whether a copy of an object by itself is like it."""
    if isinstance(item, (types.GeneratorType, decimal.Context)):
        return False
    if type(item) in (set, frozenset):
        parts = list(item)
        return parts == list(set(parts))  # deletions leave gaps, which no copy has: another order
    # A copy of the source's own making may be anything, the same object too.
    return not (_is_own(type(item)) and hasattr(type(item), "__deepcopy__"))


def _is_own(kind: type) -> bool:
    return kind.__module__ == names.SANDBOX_MODULE and not issubclass(kind, enum.Enum)


def _named(scope: dict[str, Any]) -> set[int]:
    """Identities of whatever can change, or is of the source's own kinds, that its globals and classes lead to."""
    seen: set[int] = set()
    found: set[int] = set()
    stack = [value for name, value in scope.items() if name != "__builtins__"]
    while stack and len(seen) < MOST_OBJECTS:
        item = stack.pop()
        if id(item) in seen or isinstance(item, (types.ModuleType, str, int, float)):
            continue
        seen.add(id(item))
        if isinstance(item, type):
            stack.extend(vars(item).values() if _is_own(item) else ())
        elif isinstance(item, types.FunctionType):
            stack.extend((*(item.__defaults__ or ()), *(item.__kwdefaults__ or {}).values(), *(item.__closure__ or ())))
        elif not isinstance(item, _SHARED):
            if type(item) in (object, list, dict, set) or _is_own(type(item)):
                found.add(id(item))
            stack.extend(gc.get_referents(item))
    return found
