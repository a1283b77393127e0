"""Receivers: the ``self`` or ``cls`` of a method, whose attributes are loaded natively.

That is safe only while the name means an object of the source's own making. So a method checks it on entry (somebody
may call ``Cls.method(library_object)``), and a name that the method binds again anywhere is no receiver at all.
"""

from __future__ import annotations

import ast

from .names import is_dunder


def parameters(args: ast.arguments) -> frozenset[str]:
    """Names of every parameter."""
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    return frozenset(arg.arg for arg in every if arg is not None)


def of(method: ast.FunctionDef) -> str | None:
    """The receiver's name of a function defined in a class body, or ``None`` when there is none to rely on."""
    if any(isinstance(node, ast.Name) and node.id == "staticmethod" for node in method.decorator_list):
        return None
    if method.name == "_generate_next_value_":  # an Enum calls it with a name
        return None
    positional = method.args.posonlyargs + method.args.args
    if not positional or positional[0].arg in _bound_inside(method) or not _relies_on(method, positional[0].arg):
        return None
    return positional[0].arg


def _relies_on(method: ast.FunctionDef, name: str) -> bool:
    """Whether the method writes attributes of the name or reads private ones: only then is there a check to make.

    Class bodies also hold plain functions, called as such while the class is made.
    """
    for node in ast.walk(method):
        match node:
            case ast.Attribute(value=ast.Name(id=found), ctx=ctx, attr=attr) if found == name:
                if not isinstance(ctx, ast.Load) or (attr.startswith("_") and not is_dunder(attr)):
                    return True
    return False


def second(method: ast.FunctionDef) -> str | None:
    """Name of the second positional parameter."""
    positional = method.args.posonlyargs + method.args.args
    return positional[1].arg if len(positional) > 1 else None


def _bound_inside(method: ast.FunctionDef) -> set[str]:
    """Every name bound in the body, nested scopes included."""
    bound: set[str] = set()
    for statement in method.body:
        for node in ast.walk(statement):
            match node:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    bound.add(name)
                case ast.FunctionDef(name=name, args=args):
                    bound |= {name} | parameters(args)
                case ast.Lambda(args=args):
                    bound |= parameters(args)
                case ast.ClassDef(name=name) | ast.MatchStar(name=str(name)) | ast.MatchAs(name=str(name)):
                    bound.add(name)
                case ast.ExceptHandler(name=str(name)) | ast.MatchMapping(rest=str(name)):
                    bound.add(name)
                case ast.Global(names=several) | ast.Nonlocal(names=several):
                    bound.update(several)
                case ast.alias(name=name, asname=asname):
                    bound.add(asname or name.split(".")[0])
    return bound


def check_on_entry(method: ast.FunctionDef, checks: list[tuple[str, str | None]]) -> None:
    """Put calls such as ``_own_(self)`` before the first statement, after the docstring."""
    at = 1 if method.body and ast.get_docstring(method, clean=False) is not None else 0
    where = method.body[min(at, len(method.body) - 1)]
    for hook, name in checks:
        if name is None:
            continue
        call = ast.Expr(ast.Call(ast.Name(hook, ast.Load()), [ast.Name(name, ast.Load())], []))
        for node in ast.walk(call):
            ast.copy_location(node, where)
        method.body.insert(at, call)
        at += 1
