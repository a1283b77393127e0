"""Slips inside the code that plays a turn: a comparison, a variable, a constant, a statement, a guard."""

from __future__ import annotations

import ast
import random

from ..operator import operator
from ..trees import blocks, expression, find, methods, parents, pick, playing, swap

LOST = "own solution loses | fails | mindless win | lax grader | constant wins | pays twice | runs on | differs"
"""What a slip may lead to."""
ANY = (
    "feasibility.witness | feasibility.budget | feasibility.no_witness | feasibility.underivable | robustness.raises"
    " | robustness.hangs | exploits.floor | exploits.blind | exploits.constant | contract.turns | contract.reward"
    " | contract.observation | contract.step | contract.flags | determinism.replay | determinism.worn | load.error"
    " | leak.feedback | interactive.static | tools.broken | tools.criterion_free | tools.criterion_stuck"
    " | tools.criterion_order | tools.criterion_raises | warn exploits.farming | warn contract.turns"
    " | warn contract.reward"
)
"""Rules that may see it: which, depends on where the slip is."""


def _comparisons(tree: ast.Module, kinds: tuple[type[ast.cmpop], ...]) -> list[ast.AST]:
    return find(
        playing(tree),
        lambda node: isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], kinds),
    )


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | None))


@operator("grader off by one", shows=LOST, rules=ANY)
def off_by_one(tree: ast.Module, rng: random.Random) -> bool:
    """``a == b`` becomes ``a == b + 1``."""
    nodes = [node for node in _comparisons(tree, (ast.Eq,)) if not any(map(_is_text, ast.iter_child_nodes(node)))]
    node = pick(nodes, rng)
    if not isinstance(node, ast.Compare):
        return False
    node.comparators[0] = ast.BinOp(node.comparators[0], ast.Add(), ast.Constant(rng.choice((1, -1))))
    return True


@operator("comparison inverted", shows=LOST, rules=ANY)
def inverted(tree: ast.Module, rng: random.Random) -> bool:
    """Equal becomes unequal, less becomes not less, in becomes not in."""
    turned: dict[type[ast.cmpop], ast.cmpop] = {
        ast.Eq: ast.NotEq(),
        ast.NotEq: ast.Eq(),
        ast.Lt: ast.GtE(),
        ast.LtE: ast.Gt(),
        ast.Gt: ast.LtE(),
        ast.GtE: ast.Lt(),
        ast.In: ast.NotIn(),
        ast.NotIn: ast.In(),
        ast.Is: ast.IsNot(),
        ast.IsNot: ast.Is(),
    }
    node = pick(_comparisons(tree, tuple(turned)), rng)
    if not isinstance(node, ast.Compare):
        return False
    node.ops[0] = turned[type(node.ops[0])]
    return True


@operator("boundary moved", shows=LOST, rules=ANY)
def boundary(tree: ast.Module, rng: random.Random) -> bool:
    """Less becomes less or equal, and so on."""
    moved: dict[type[ast.cmpop], ast.cmpop] = {
        ast.Lt: ast.LtE(),
        ast.LtE: ast.Lt(),
        ast.Gt: ast.GtE(),
        ast.GtE: ast.Gt(),
    }
    node = pick(_comparisons(tree, tuple(moved)), rng)
    if not isinstance(node, ast.Compare):
        return False
    node.ops[0] = moved[type(node.ops[0])]
    return True


@operator("condition negated", shows=LOST, rules=ANY)
def negated(tree: ast.Module, rng: random.Random) -> bool:
    """``if x`` becomes ``if not x``."""
    node = pick(find(playing(tree), lambda at: isinstance(at, ast.If | ast.IfExp)), rng)
    if not isinstance(node, ast.If | ast.IfExp):
        return False
    node.test = ast.UnaryOp(ast.Not(), node.test)
    return True


@operator("and for or", shows=LOST, rules=ANY)
def connective(tree: ast.Module, rng: random.Random) -> bool:
    """``and`` becomes ``or`` and the other way round."""
    node = pick(find(playing(tree), lambda at: isinstance(at, ast.BoolOp)), rng)
    if not isinstance(node, ast.BoolOp):
        return False
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    return True


@operator("wrong attribute", shows=LOST, rules=ANY)
def wrong_attribute(tree: ast.Module, rng: random.Random) -> bool:
    """``self.a`` is read where ``self.b`` was meant."""
    reads = [
        node
        for node in find(playing(tree), lambda at: isinstance(at, ast.Attribute) and isinstance(at.ctx, ast.Load))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self" and node.attr not in methods(tree)
    ]
    names = sorted({node.attr for node in reads if isinstance(node, ast.Attribute)})
    node = pick(reads, rng)
    if not isinstance(node, ast.Attribute) or len(names) < 2:
        return False
    node.attr = rng.choice([name for name in names if name != node.attr])
    return True


@operator("text against number", shows=LOST, rules=ANY)
def type_mismatch(tree: ast.Module, rng: random.Random) -> bool:
    """One side of an equality becomes text."""
    node = pick([at for at in _comparisons(tree, (ast.Eq,)) if not any(map(_is_text, ast.iter_child_nodes(at)))], rng)
    if not isinstance(node, ast.Compare):
        return False
    node.left = ast.Call(ast.Name("str", ast.Load()), [node.left], [])
    return True


@operator("constant changed", shows=LOST, rules=ANY)
def constant_changed(tree: ast.Module, rng: random.Random) -> bool:
    """A number in the code is one more than it should be."""
    numbers = find(
        playing(tree), lambda at: isinstance(at, ast.Constant) and type(at.value) in (int, float) and at.value != 0
    )
    node = pick(numbers, rng)
    if not isinstance(node, ast.Constant):
        return False
    node.value = node.value + rng.choice((1, -1))  # type: ignore[operator]  # chosen to be a number
    return True


@operator("plus for minus", shows=LOST, rules=ANY)
def arithmetic(tree: ast.Module, rng: random.Random) -> bool:
    """Addition becomes subtraction, multiplication becomes addition."""
    turned: dict[type[ast.operator], ast.operator] = {
        ast.Add: ast.Sub(),
        ast.Sub: ast.Add(),
        ast.Mult: ast.Add(),
        ast.FloorDiv: ast.Mult(),
        ast.Mod: ast.FloorDiv(),
    }
    nodes = [
        node
        for node in find(playing(tree), lambda at: isinstance(at, ast.BinOp | ast.AugAssign) and type(at.op) in turned)
        if not any(map(_is_text, ast.walk(node)))
    ]
    node = pick(nodes, rng)
    if not isinstance(node, ast.BinOp | ast.AugAssign):
        return False
    node.op = turned[type(node.op)]
    return True


@operator("statement lost", shows=LOST, rules=ANY)
def statement_lost(tree: ast.Module, rng: random.Random) -> bool:
    """An assignment or a call is missing."""
    places = [
        (block, at)
        for method in playing(tree)
        for block in blocks(method)
        for at, node in enumerate(block)
        if isinstance(node, ast.Assign | ast.AugAssign)
        or (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant))
    ]
    if not places:
        return False
    block, at = rng.choice(places)
    block[at] = ast.Pass()
    return True


@operator("branch lost", shows=LOST, rules=ANY)
def branch_lost(tree: ast.Module, rng: random.Random) -> bool:
    """A case is not treated on its own any more."""
    node = pick(find(playing(tree), lambda at: isinstance(at, ast.If)), rng)
    if not isinstance(node, ast.If):
        return False
    node.test = ast.BoolOp(ast.And(), [node.test, ast.Constant(False)])
    return True


@operator("guard lost", shows=LOST, rules=ANY)
def guard_lost(tree: ast.Module, rng: random.Random) -> bool:
    """A ``try`` is gone: what it caught is raised."""
    handled = find(playing(tree), lambda at: isinstance(at, ast.Try) and bool(at.handlers))
    node = pick(handled, rng)
    if not isinstance(node, ast.Try):
        return False
    node.handlers[0].body = [ast.Raise()]
    return True


@operator("default lost", shows=LOST, rules=ANY)
def default_lost(tree: ast.Module, rng: random.Random) -> bool:
    """``d.get(k)`` becomes ``d[k]``."""
    calls = [
        node
        for node in find(playing(tree), lambda at: isinstance(at, ast.Call) and isinstance(at.func, ast.Attribute))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args
    ]
    node = pick(list(calls), rng)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    swap(tree, node, ast.Subscript(node.func.value, node.args[0], ast.Load()))
    return True


@operator("range check lost", shows=LOST, rules=ANY)
def range_check_lost(tree: ast.Module, rng: random.Random) -> bool:
    """A test whether something is there, or within bounds, always passes."""
    above = parents(tree)
    tests = [
        node
        for node in _comparisons(tree, (ast.In, ast.NotIn, ast.Lt, ast.LtE, ast.Gt, ast.GtE))
        if isinstance(above.get(node), ast.If | ast.BoolOp | ast.UnaryOp | ast.IfExp)
    ]
    node = pick(tests, rng)
    if not isinstance(node, ast.Compare):
        return False
    swap(tree, node, expression("False" if isinstance(node.ops[0], ast.NotIn) else "True"))
    return True


@operator(
    "turn limit dropped", shows="runs on | fails", rules="warn contract.turns | contract.turns | robustness.raises"
)
def limit_dropped(tree: ast.Module, rng: random.Random) -> bool:
    """Nothing ends an episode that is not won."""
    limits = [
        node
        for node in find(playing(tree), lambda at: isinstance(at, ast.Compare))
        if "max_turns" in ast.unparse(node) or "limit" in ast.unparse(node)
    ]
    for node in limits:
        swap(tree, node, ast.Constant(False))
    return bool(limits)
