"""``eval`` for environments: arithmetic and comparisons over numbers, nothing else.

Countdown-like environments evaluate what the player typed. Numbers are bounded so that no expression can burn
memory; what is not arithmetic raises ``ValueError`` or ``SyntaxError`` as ``eval`` would.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

LONGEST = 1000
DEEPEST = 60
MOST_BITS = 4096
LARGEST_EXPONENT = 256

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "min": min,
    "max": max,
    "round": round,
    "int": int,
    "float": float,
}


def evaluate(expression: str, globals: Mapping[str, Any] | None = None, locals: Mapping[str, Any] | None = None) -> Any:
    """Evaluate arithmetic over numbers, booleans and the numeric names given.

    Raises:
        ValueError: for anything that is not arithmetic, or too large.
        SyntaxError: as ``eval`` does.

    >>> evaluate("(3 + 4) * 2 == n", {"n": 14})
    True
    """
    if type(expression) is not str or len(expression) > LONGEST:
        raise ValueError(f"only arithmetic text of at most {LONGEST} characters can be evaluated")
    scope = {**dict(globals or {}), **dict(locals or {})}
    return _value(ast.parse(expression.strip(), mode="eval").body, scope, 0)


def _bounded(value: Any) -> Any:
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise ValueError("the number is too large")
    return value


def _value(node: ast.expr, scope: dict[str, Any], level: int) -> Any:
    if level > DEEPEST:
        raise ValueError("the expression is nested too deeply")

    def inner(part: ast.expr) -> Any:
        return _value(part, scope, level + 1)

    match node:
        case ast.Constant(value=int() | float() as number):
            return _bounded(number)
        case ast.UnaryOp(op=op, operand=operand):
            return _UNARY[type(op)](inner(operand))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(inner(left), inner(right))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _bounded(_BINARY[type(op)](inner(left), inner(right)))
        case ast.Compare(left=left, ops=ops, comparators=comparators) if all(type(op) in _COMPARE for op in ops):
            values = [inner(left), *map(inner, comparators)]
            return all(_COMPARE[type(op)](a, b) for op, a, b in zip(ops, values, values[1:], strict=False))
        case ast.BoolOp(op=op, values=parts):
            result: Any = None
            for part in parts:
                result = inner(part)
                if bool(result) is isinstance(op, ast.Or):
                    break
            return result
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            values = [inner(part) for part in args]
            if name == "round" and len(values) > 1 and not -LARGEST_EXPONENT <= values[1] <= LARGEST_EXPONENT:
                raise ValueError("the number of digits is too large")
            return _bounded(_FUNCTIONS[name](*values))
        case ast.Name(id=name) if type(scope.get(name)) in (int, float, bool):
            return scope[name]
    raise ValueError("only arithmetic can be evaluated here")


def _power(base: Any, exponent: Any) -> Any:
    if abs(exponent) > LARGEST_EXPONENT or abs(base) > 10**9:
        raise ValueError("the power is too large")
    return _bounded(base**exponent)
