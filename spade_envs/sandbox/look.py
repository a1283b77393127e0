"""A look into an instance, as no player has it: its state, its criteria, and what its tools take."""

from __future__ import annotations

import collections
import copy
import hashlib
from typing import Any

from .instance import Instance, function_of
from .mentions import scalars

MOST_SCALARS = 600
MOST_CRITERIA = 50
MOST_TOOLS = 64
MOST_NODES = 20_000
DEEPEST = 24


def look(instance: Instance) -> dict[str, Any]:
    """What the instance holds now. Criteria are asked about a copy of the state; look at instances of no other use,
    since one may change what it closes over.
    """
    instance.enter()
    env = instance.env
    state = getattr(env, "_state", None)
    kept = state if state else _attributes(env)
    criteria = _criteria(env)
    asked = _copied(state) if criteria else None
    pointer = getattr(env, "_current_msg", None)
    return {
        "scalars": [_shown(item) for item in scalars(_attributes(env), depth=6, most=MOST_SCALARS)],
        "digest": hashlib.sha256(_canonical(kept).encode("utf-8", "replace")).hexdigest(),
        "pointer": pointer if type(pointer) is int and 0 <= pointer < 10_000 else None,
        "criteria": [_ask(criterion, asked) for criterion in criteria],
        "tools": _tools(env) if instance.is_tool_base else {},
    }


def _shown(item: Any) -> str:
    text = item if type(item) is str else str(item)
    return text.encode("utf-8", "replace").decode("utf-8")[:120]


def _attributes(env: Any) -> Any:
    values = getattr(env, "__dict__", {})
    return dict(values) if type(values) is dict else {}


def _canonical(value: Any) -> str:
    """Text of a state that is the same for equal plain states, whatever the order of dicts and sets."""
    left = [MOST_NODES]

    def text(item: Any, depth: int) -> str:
        left[0] -= 1
        if left[0] < 0 or depth > DEEPEST:
            return "..."
        if isinstance(item, dict):
            pairs = [(text(key, depth + 1), text(part, depth + 1)) for key, part in dict.items(item)]
            return "{" + ",".join(f"{key}:{part}" for key, part in sorted(pairs)) + "}"
        if isinstance(item, (set, frozenset)):
            return "{" + ",".join(sorted(text(part, depth + 1) for part in item)) + "}"
        if isinstance(item, (list, tuple, collections.deque)):
            return "[" + ",".join(text(part, depth + 1) for part in item) + "]"
        if type(item) is int:
            return hex(item)
        if type(item) in (str, float, bool, type(None)):
            return repr(item)
        inner = getattr(item, "__dict__", None)
        return f"<{type(item).__name__} {text(inner, depth + 1) if isinstance(inner, dict) else ''}>"

    return text(value, 0)


def _criteria(env: Any) -> list[Any]:
    found = getattr(env, "_message_criteria", ())
    return list(found)[:MOST_CRITERIA] if type(found) in (list, tuple) else []


def _copied(state: Any) -> Any:
    """A copy of a state, or the state itself where there can be none."""
    try:
        return copy.deepcopy(state)
    except Exception:  # the source's own copying may fail in any way
        return state


def _ask(criterion: Any, asked: Any) -> str:
    """``true``, ``false``, ``unknown``, or ``raises`` and what."""
    function = function_of(criterion)
    takes = 1
    if function is not None:
        code = function.__code__
        bound = int(hasattr(criterion, "__self__"))
        takes = code.co_argcount - bound - len(function.__defaults__ or ())
        takes = max(takes, 1 if code.co_argcount - bound > 0 or code.co_flags & 0x04 else 0)
    if takes > 1 or not callable(criterion):
        return "unknown"
    try:
        return "true" if (criterion(asked) if takes else criterion()) else "false"
    except Exception as error:  # whatever the author's criterion may raise is the answer here
        return f"raises {type(error).__name__}: {error}"[:300].encode("utf-8", "replace").decode("utf-8")


def _tools(env: Any) -> dict[str, Any]:
    """Per tool the parameters of its method, or ``None`` where there is no method."""
    declared = getattr(env, "_tools", {})
    found: dict[str, Any] = {}
    for name in list(declared)[:MOST_TOOLS] if type(declared) is dict else ():
        if type(name) is not str:
            continue
        method = getattr(env, "tool_" + name, None)
        function = function_of(method)
        if method is None or (function is None and not callable(method)):
            found[name] = None
        elif function is not None:
            found[name] = _parameters(function, bound=hasattr(method, "__self__"))
    return found


def _parameters(function: Any, *, bound: bool) -> dict[str, Any]:
    code = function.__code__
    positional = list(code.co_varnames[int(bound) : code.co_argcount])
    only = list(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])
    defaults = len(function.__defaults__ or ())
    required = positional[: max(0, len(positional) - defaults)]
    required += [name for name in only if name not in (function.__kwdefaults__ or {})]
    return {"names": positional + only, "required": required, "any": bool(code.co_flags & 0x08)}
