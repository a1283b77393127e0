"""What a source does, regardless of how it is written down: the hash of its syntax tree."""

from __future__ import annotations

import ast
import hashlib

from .sandbox.source import parse

NESTING = 200
"""Deeper sources have no fingerprint; the gate refuses them anyway."""


def fingerprint(text: str) -> str:
    """sha256 of the syntax tree without comments, docstrings, annotations and layout; empty for what does not parse.

    >>> fingerprint("x = 1  # one") == fingerprint("x: int = (1)")
    True
    """
    tree, _ = parse(text, nesting=NESTING)
    if tree is None:
        return ""
    plain = _Plain().visit(tree)
    return hashlib.sha256(ast.dump(plain).encode("utf-8", "surrogatepass")).hexdigest()


class _Plain(ast.NodeTransformer):
    """Drops what changes nothing when the source runs."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        body = getattr(node, "body", None)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and body:
            first = body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(body) > 1:
                del body[0]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value) if node.value is not None else node
