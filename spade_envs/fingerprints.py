"""What a source does, regardless of how it is written down: the hash of its syntax tree."""

from __future__ import annotations

import ast
import hashlib

from .sandbox.source import parse

NESTING = 200
"""Deeper sources have no fingerprint; the gate refuses them anyway."""


def fingerprint(text: str) -> str:
    """sha256 of the syntax tree without comments, docstrings, layout and idle annotations; empty if it does not parse.

    >>> fingerprint("x = 1  # one") == fingerprint("x: int = (1)")
    True
    """
    tree, _ = parse(text, nesting=NESTING)
    if tree is None:
        return ""
    plain = _Plain().visit(tree)
    return hashlib.sha256(ast.dump(plain).encode("utf-8", "surrogatepass")).hexdigest()


class _Plain(ast.NodeTransformer):
    """Drops what changes nothing when the source runs. Annotations in a class body stay: a dataclass reads them."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        body = getattr(node, "body", None)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and body:
            if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
                body[:1] = [] if len(body) > 1 else [ast.Pass()]
            if not isinstance(node, ast.ClassDef):
                body[:] = [_assigned(statement) for statement in body]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
        return node


def _assigned(statement: ast.stmt) -> ast.stmt:
    """A plain assignment instead of an annotated one."""
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        return ast.Assign([statement.target], statement.value)
    return statement
