"""Finding one's way in the syntax tree of a source, and changing it."""

from __future__ import annotations

import ast
import random
import textwrap
from collections.abc import Callable, Iterator, Sequence

Method = ast.FunctionDef


def classes(tree: ast.Module) -> dict[str, ast.ClassDef]:
    """Classes of the module by name."""
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def lineage(tree: ast.Module) -> list[ast.ClassDef]:
    """The environment's class and its bases in this module, the most derived first."""
    known = classes(tree)
    bases = {base.id for node in known.values() for base in node.bases if isinstance(base, ast.Name)}
    found = []
    for node in known.values():
        chain = [node]
        for at in chain:
            chain += [known[base.id] for base in at.bases if isinstance(base, ast.Name) and base.id in known]
        names = {part.name for at in chain for part in at.body if isinstance(part, ast.FunctionDef)}
        plays = {"reset", "step"} <= names or any("ToolUseBaseEnv" in ast.unparse(b) for at in chain for b in at.bases)
        if plays and node.name not in bases:
            found.append(chain)
    found.sort(key=lambda chain: chain[0].name.endswith("Env"))
    return found[-1] if found else []


def methods(tree: ast.Module) -> dict[str, Method]:
    """Methods of the environment by name; a derived class's own win."""
    found: dict[str, Method] = {}
    for node in lineage(tree):
        for part in node.body:
            if isinstance(part, ast.FunctionDef):
                found.setdefault(part.name, part)
    return found


def functions(tree: ast.Module) -> list[Method]:
    """Every function of the module, nested ones too."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


SETUP = ("__init__", "reset", "solution", "hint", "get_tools", "render", "close", "__repr__", "__str__")
"""Methods that take no part in a turn."""


def playing(tree: ast.Module) -> list[Method]:
    """Functions that take part in a turn: all methods but those of :data:`SETUP` and what looks like setting up."""
    quiet = ("_make", "_gen", "_build", "_draw", "_new", "_prompt", "_describe", "_setup", "_render", "_intro")
    found = [
        method
        for name, method in methods(tree).items()
        if name not in SETUP and not name.startswith(quiet) and "solution" not in name
    ]
    return found or [method for name, method in methods(tree).items() if name == "step"]


def parents(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """The parent of every node."""
    return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


def swap(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Put a node in another's place."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if value is old:
                setattr(node, field, new)
                return
            if isinstance(value, list):
                for at, item in enumerate(value):
                    if item is old:
                        value[at] = new
                        return


def statements(text: str) -> list[ast.stmt]:
    """Statements from text, which may be indented as a whole."""
    return ast.parse(textwrap.dedent(text)).body


def expression(text: str) -> ast.expr:
    """An expression from text."""
    return ast.parse(text, mode="eval").body


def before(method: Method, text: str) -> None:
    """Put statements at the beginning of a method, after its docstring."""
    at = 1 if ast.get_docstring(method) is not None and len(method.body) > 1 else 0
    method.body[at:at] = statements(text)


def action_of(method: Method) -> str:
    """Name of a method's first parameter after ``self``."""
    names = [argument.arg for argument in method.args.args]
    return names[1] if len(names) > 1 else "action"


def wrap(tree: ast.Module, name: str, text: str) -> bool:
    """Put a method around another of the environment.

    Args:
        tree: the module.
        name: method to wrap; it goes on as ``first_NAME``.
        text: body of the new method, which calls ``self.first_NAME(...)``; ``ACTION`` is its parameter.

    Returns:
        Whether it could be done. A ``step`` that is inherited from the library's base class is overridden.
    """
    chain = lineage(tree)
    method = methods(tree).get(name)
    if not chain:
        return False
    if method is None:
        if name != "step":
            return False
        inherited = text.replace("self.first_step(", "super().step(").replace("ACTION", "action")
        chain[0].body += statements(f"def step(self, action):\n{textwrap.indent(textwrap.dedent(inherited), '    ')}")
        return True
    taken = {part.name for node in chain for part in node.body if isinstance(part, ast.FunctionDef)}
    if f"first_{name}" in taken:
        return False
    owner = next(node for node in chain if method in node.body)
    body = textwrap.indent(textwrap.dedent(text.replace("ACTION", action_of(method))), "    ")
    owner.body += statements(f"def {name}({ast.unparse(method.args)}):\n{body}")
    method.name = f"first_{name}"
    return True


def pick(nodes: Sequence[ast.AST], rng: random.Random) -> ast.AST | None:
    """One of the nodes, or ``None``."""
    return rng.choice(nodes) if nodes else None


def find(roots: list[Method], wanted: Callable[[ast.AST], bool]) -> list[ast.AST]:
    """Nodes below some functions."""
    return [node for root in roots for node in ast.walk(root) if wanted(node)]


def blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Every list of statements below a node."""
    for part in ast.walk(node):
        for field in ("body", "orelse", "finalbody"):
            value = getattr(part, field, None)
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield value
