"""Does it import only what computes?"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator

from spade_envs.rules import Complaint, rule
from spade_envs.sandbox import names
from spade_envs.types import RuleContext, Severity

_TOOL_BASE = "tool_use_base_env"


@rule("static.import", "static", Severity.ERROR)
def imports(ctx: RuleContext) -> Iterator[Complaint]:
    """Only modules that compute may be imported.

    What touches files, the network, threads or the real clock plays differently on every machine, and may reach the
    trainer itself. No file, network, process, thread or frame is reachable from what a source may import.

    Every import outside ``if TYPE_CHECKING`` is looked at, nothing is run. A source gets facades of the standard
    library's pure modules, of numpy without file access, of gymnasium's ``Env`` and of math_verify's ``parse`` and
    ``verify``. Other modules, and names that a facade lacks, are errors. Under ``try ... except ImportError`` they are
    a warning: that import fails. ``math_verify`` without the extra installed is undecided.

    Keep data in the source, time in the turn counter, and paths in dicts. The finding names a substitute where one is
    known.

    Accepted::

        import numpy as np
        from collections import deque

    Refused::

        import os
    """
    guarded = _guarded(ctx.tree)
    idle = _under_type_checking(ctx.tree)
    for node in ast.walk(ctx.tree):
        if id(node) in idle:
            continue
        for module, wanted in _imported(node):
            complaint = _judge(module, wanted, getattr(node, "lineno", None))
            if complaint is None:
                continue
            if id(node) in guarded:
                message = f"The import of {module!r} always fails here, and its except branch is taken."
                complaint = Complaint(message, complaint.line, severity=Severity.WARNING)
            yield complaint


def _imported(node: ast.AST) -> list[tuple[str, tuple[str, ...]]]:
    if isinstance(node, ast.Import):
        return [(alias.name, ()) for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [(node.module, tuple(alias.name for alias in node.names))]
    return []


def _judge(module: str, wanted: tuple[str, ...], line: int | None) -> Complaint | None:
    if module == "math_verify" and importlib.util.find_spec("math_verify") is None:
        return Complaint("math_verify is not installed: install spade-envs[math] and check again.", line,
                         severity=Severity.UNDECIDED)  # fmt: skip
    if module in names.SPECIAL_MODULES or _is_tool_base(module, wanted):
        return None
    if module in names.MODULES:
        from spade_envs.sandbox.facades import exported

        known = exported(module) or frozenset()
        for name in wanted:
            if name != "*" and name not in known and f"{module}.{name}" not in names.MODULES:
                return Complaint(f"{module}.{name} is not available to environments; {_offered(module, known)}", line)
        return None
    if "TerminalBaseEnv" in wanted:
        return Complaint("TerminalBaseEnv is not provided; write the class with reset() and step() out.", line)
    advice = names.INSTEAD.get(module.split(".")[0])
    instead = advice[0].upper() + advice[1:] if advice else "Only modules that compute are available"
    return Complaint(f"The module {module!r} is not available to environments. {instead}; `spade-envs explain"
                     " static.import` tells more.", line)  # fmt: skip


def _is_tool_base(module: str, wanted: tuple[str, ...]) -> bool:
    parent, _, last = module.rpartition(".")
    if last == _TOOL_BASE and (not parent or parent in names.TOOL_BASE_PACKAGES):
        return True
    return module in names.TOOL_BASE_PACKAGES and set(wanted) == {"ToolUseBaseEnv"}


def _offered(module: str, known: frozenset[str]) -> str:
    some = sorted(known)
    listed = ", ".join(some[:12]) + (", ..." if len(some) > 12 else "")
    return f"{module} offers {listed}."


def _guarded(tree: ast.Module) -> set[int]:
    """Import nodes inside a ``try`` whose handlers catch ImportError."""
    caught = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try):
            kinds = [handler.type for handler in node.handlers]
            names_caught = {part.id for kind in kinds if kind for part in ast.walk(kind) if isinstance(part, ast.Name)}
            if None in kinds or names_caught & caught:
                found.update(id(part) for statement in node.body for part in ast.walk(statement))
    return found


def _under_type_checking(tree: ast.Module) -> set[int]:
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            found.update(id(part) for statement in node.body for part in ast.walk(statement))
    return found
