"""What can be said about a source from its syntax tree alone.

The text is hostile even to the parser: it is parsed in the worker first, and elsewhere only after that worked.
"""

from __future__ import annotations

import ast
import re
import threading
import warnings
from typing import NamedTuple

from . import names


class Problem(NamedTuple):
    """One reason why a source cannot run."""

    kind: str
    """``syntax`` or ``restricted``."""
    line: int | None
    message: str


class Candidate(NamedTuple):
    """A class that might be the environment."""

    name: str
    line: int
    bases: tuple[str, ...]
    """Names of its bases, as written."""
    methods: frozenset[str]


TOOL_BASE = "ToolUseBaseEnv"

PARSING = threading.Lock()
"""Held while a text is parsed: warnings are filtered for all threads, and Python 3.11 counts the depth of syntax trees
for all threads together, so that two at a time may fail (python/cpython#106905)."""


def parse(text: str, *, nesting: int) -> tuple[ast.Module | None, Problem | None]:
    """Parse ``text`` and drop its ``__main__`` block, with what only that uses.

    Args:
        text: the source.
        nesting: deepest nesting of the syntax tree.

    Returns:
        The tree and ``None``, or ``None`` and the problem found.
    """
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        return None, Problem("syntax", line, "the source contains a null byte; remove it")
    try:
        with PARSING, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.removeprefix("\ufeff"), names.FILENAME)
    except SyntaxError as error:
        return None, Problem("syntax", error.lineno, f"does not parse: {error.msg}")
    except (RecursionError, MemoryError):
        return None, Problem("syntax", None, f"nested too deeply to parse; at most {nesting} levels are allowed")
    except (ValueError, OverflowError) as error:
        return None, Problem("syntax", None, f"does not parse: {error}")
    deepest, line_no = depth(tree)
    if deepest > nesting:
        return None, Problem(
            "syntax", line_no, f"nested {deepest} levels deep; at most {nesting} are allowed: split it up"
        )
    _drop_idle(tree)
    return tree, None


def _drop_idle(tree: ast.Module) -> None:
    """Drop what an environment never runs: the ``__main__`` block and the functions that only it uses.

    Models write command-line wrappers; only what can run has to be what may run.
    """
    blocks = [statement for statement in tree.body if _is_main_block(statement)]
    tree.body = [statement for statement in tree.body if not _is_main_block(statement)]
    wanted = {name for block in blocks for name in _loaded(block)}
    while wanted:
        mine = [s for s in tree.body if isinstance(s, ast.FunctionDef) and s.name in wanted and not s.decorator_list]
        idle = [s for s in mine if not any(s.name in _loaded(other) for other in tree.body if other is not s)]
        if not idle:
            break
        tree.body = [statement for statement in tree.body if statement not in idle]
        wanted = {name for statement in idle for name in _loaded(statement)}


def _loaded(node: ast.AST) -> set[str]:
    """Every name that is read, or written as text, below a node."""
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            found.add(part.id)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.isidentifier():
            found.add(part.value)
        elif isinstance(part, (ast.Global, ast.Nonlocal)):
            found.update(part.names)
    return found


def depth(tree: ast.AST) -> tuple[int, int | None]:
    """Deepest nesting of the tree and the line where it is reached. Iterative, so that depth cannot hurt.

    >>> depth(ast.parse("x = -1"))[0]
    3
    """
    deepest, line = 0, None
    stack: list[tuple[ast.AST, int]] = [(tree, 0)]
    while stack:
        node, level = stack.pop()
        if level > deepest:
            deepest, line = level, getattr(node, "lineno", line)
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr_context):
                stack.append((child, level + 1))
    return deepest, line


def _is_main_block(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.If) or not isinstance(statement.test, ast.Compare) or statement.orelse:
        return False
    sides = [statement.test.left, *statement.test.comparators]
    names_main = any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)
    return names_main and any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)


def classes(tree: ast.Module) -> dict[str, Candidate]:
    """Every class of the source by name, wherever it is defined."""
    found: dict[str, Candidate] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            bases = tuple(_last_name(base) for base in node.bases)
            found[node.name] = Candidate(node.name, node.lineno, bases, frozenset(_defined(node)))
    return found


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript):
        return _last_name(node.value)
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _defined(node: ast.ClassDef) -> set[str]:
    defined: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
            defined.add(part.name)
        elif isinstance(part, ast.Assign):
            defined.update(target.id for target in part.targets if isinstance(target, ast.Name))
    return defined


def ancestors(name: str, known: dict[str, Candidate]) -> list[str]:
    """Names of ``name`` and its bases, nearest first, as far as the source defines them."""
    order: list[str] = []
    queue = [name]
    while queue:
        current = queue.pop(0)
        if current in order:
            continue
        order.append(current)
        if current in known:
            queue.extend(known[current].bases)
    return order


def environments(tree: ast.Module) -> list[str]:
    """Names of the classes that could be the environment, best reading first; more than one is ambiguous.

    A candidate defines or inherits (inside the source, or from ``ToolUseBaseEnv``) both ``reset`` and ``step``.
    The most derived ones count; of several, those whose name ends in ``Env``.
    """
    known = classes(tree)
    chains = {name: ancestors(name, known) for name in known}
    wanted = {"reset", "step"}
    complete: dict[str, list[str]] = {}
    solved: set[str] = set()
    for name, chain in chains.items():
        methods = frozenset().union(*(known[base].methods for base in chain if base in known))
        if wanted <= methods or ("reset" in methods and TOOL_BASE in chain):
            complete[name] = chain
            if "solution" in methods:
                solved.add(name)
    return choose(complete, solved)


def choose(chains: dict[str, list[str]], solved: set[str] | None = None) -> list[str]:
    """Of classes with their ancestor names (themselves first), keep the leaves; of several, the ``...Env`` ones.

    Of still several, those with a ``solution`` (``solved``): helpers have none.

    >>> choose({"BaseEnv": ["BaseEnv"], "Maze": ["Maze", "BaseEnv"]})
    ['Maze']
    >>> choose({"World": ["World"], "MazeEnv": ["MazeEnv"]})
    ['MazeEnv']
    """
    inherited = {base for name, chain in chains.items() for base in chain if base != name}
    leaves = [name for name in chains if name not in inherited]
    named = [name for name in leaves if name.endswith("Env")]
    found = named if len(leaves) > 1 and named else leaves
    with_solution = [name for name in found if name in (solved or ())]
    return with_solution if len(found) > 1 and with_solution else found


def reads_several_calls(text: str) -> bool:
    """Whether a class that reads ``<tool_call>`` tags itself looks for all of them, and not for the first only."""
    return "tool_call" in text and re.search(r"\bfind(?:all|iter)\s*\(", text) is not None


def mentions(text: str) -> tuple[bool, bool]:
    """Whether the text speaks of numpy and of math_verify: those load only for sources that use them.

    A false yes costs a slower start; a false no is impossible, since both can only be reached by name.
    """
    words = set(re.findall(r"\b(?:np|np_random|numpy|math_verify)\b", text))
    return bool(words & {"np", "np_random", "numpy"}), "math_verify" in words
