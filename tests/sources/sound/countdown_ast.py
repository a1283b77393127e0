"""Countdown numbers round with a safe evaluator built on the ast module."""
import ast
import itertools
import operator
import random
import re
from fractions import Fraction
from typing import Dict, List, Tuple

_OPS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def safe_eval(expr: str) -> Tuple[Fraction, List[int]]:
    used: List[int] = []

    def walk(node):
        if isinstance(node, ast.Expression):
            return walk(node.body)
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
            used.append(node.value)
            return Fraction(node.value)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPS:
            return _OPS[type(node.op)](walk(node.left), walk(node.right))
        raise ValueError("unsupported expression")

    return walk(ast.parse(expr, mode="eval")), used


class CountdownEnv:
    def __init__(self, max_turns: int = 6, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.numbers = sorted(rng.sample(range(1, 13), 4))
        a, b, c, d = rng.sample(self.numbers, 4)
        self.expr = rng.choice([f"({a}+{b})*{c}-{d}", f"{a}*{b}+{c}*{d}", f"({a}+{b}+{c})*{d}"])
        self.target = safe_eval(self.expr)[0]
        self.turns = 0
        return f"Use {self.numbers} once each with + - * / to make {self.target}. \\boxed{{expression}}", {}

    def step(self, action):
        self.turns += 1
        tr = self.turns >= self.max_turns
        m = re.search(r"\\boxed\{(.{1,200})\}", action)
        if not m:
            return "Use \\boxed{}.", 0.0, False, tr, {}
        try:
            value, used = safe_eval(m.group(1).strip())
        except (ValueError, SyntaxError, ZeroDivisionError, RecursionError, MemoryError, TypeError) as e:
            return f"Invalid expression: {type(e).__name__}", 0.0, False, tr, {}
        ok = value == self.target and sorted(used) == self.numbers
        return ("Correct" if ok else f"That gives {value}."), float(ok), ok, tr and not ok, {}

    def solution(self):
        return f"\\boxed{{{self.expr}}}"
