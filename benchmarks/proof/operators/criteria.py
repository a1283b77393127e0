"""Tools that do not work, schemas that do not fit, and instructions that are never, always or wrongly fulfilled."""

from __future__ import annotations

import ast
import random

from ..operator import operator
from ..trees import expression, functions, lineage, methods, swap, wrap
from .state import TEXT

TOOLS = "tools"
LOSES = "own solution loses"


def _criteria(tree: ast.Module) -> ast.List | None:
    """The list of criteria, where it is written as one."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or "_message_criteria" not in ast.unparse(node.targets[0]):
            continue
        if isinstance(node.value, ast.List) and len(node.value.elts) > 1:
            return node.value
    return None


def _replaced(tree: ast.Module, rng: random.Random, text: str) -> bool:
    found = _criteria(tree)
    if found is None:
        return False
    found.elts[rng.randrange(len(found.elts))] = expression(text)
    return True


@operator(
    "criterion true at reset",
    shows="true before its turn | step not needed | free reward",
    rules="warn tools.criterion_free | tools.criterion_free | tools.criterion_order",
    contracts=TOOLS,
)
def true_at_reset(tree: ast.Module, rng: random.Random) -> bool:
    """One instruction counts as fulfilled from the start."""
    return _replaced(tree, rng, rng.choice(("lambda s: True", "lambda s: s is not None", "lambda s: len(s) >= 0")))


@operator(
    "all criteria true at reset",
    shows="free reward | true before its turn | step not needed",
    rules="tools.criterion_free | exploits.floor | exploits.constant",
    contracts=TOOLS,
)
def all_true(tree: ast.Module, rng: random.Random) -> bool:
    """Every instruction counts as fulfilled from the start."""
    found = _criteria(tree)
    for at in range(len(found.elts) if found else 0):
        if found is not None:
            found.elts[at] = expression("lambda s: True")
    return found is not None


@operator("criterion never true", shows=LOSES, rules="tools.criterion_stuck | feasibility.witness", contracts=TOOLS)
def never_true(tree: ast.Module, rng: random.Random) -> bool:
    """An instruction asks for a state that nothing makes."""
    return _replaced(tree, rng, rng.choice(("lambda s: False", "lambda s: s.get('finished_all') is True")))


@operator(
    "criterion raises",
    shows=LOSES,
    rules="tools.criterion_raises | tools.criterion_stuck | feasibility.witness",
    contracts=TOOLS,
)
def raises(tree: ast.Module, rng: random.Random) -> bool:
    """A criterion reads a key that is never written."""
    return _replaced(tree, rng, "lambda s: s['progress_log'][-1]['ok']")


@operator(
    "criterion compares text",
    shows=LOSES + " | true before its turn | free reward | step not needed",
    rules=(
        "tools.criterion_stuck | tools.criterion_free | tools.criterion_order | feasibility.witness"
        " | tools.criterion_raises"
    ),
    contracts=TOOLS,
)
def compares_text(tree: ast.Module, rng: random.Random) -> bool:
    """One side of a criterion's equality is text."""
    found = _criteria(tree)
    nodes = [
        node
        for node in ast.walk(found or ast.Pass())
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq)
    ]
    if not nodes:
        return False
    node = rng.choice(nodes)
    node.left = ast.Call(ast.Name("str", ast.Load()), [node.left], [])
    return True


@operator(
    "criterion of another instruction",
    shows="true before its turn | step not needed | own solution loses | free reward",
    rules=(
        "tools.criterion_order | tools.criterion_stuck | tools.criterion_free"
        " | warn tools.criterion_free | feasibility.witness"
    ),
    contracts=TOOLS,
)
def swapped(tree: ast.Module, rng: random.Random) -> bool:
    """An instruction is judged by another one's criterion."""
    found = _criteria(tree)
    if found is None:
        return False
    at = rng.randrange(1, len(found.elts))
    found.elts[at] = found.elts[at - 1]
    return True


def _tool(tree: ast.Module, rng: random.Random) -> str:
    """A tool that the author's solution names."""
    text = ast.unparse(methods(tree)["solution"]) if "solution" in methods(tree) else ""
    names = [name for name in sorted(methods(tree)) if name.startswith("tool_") and name[5:] in text]
    return rng.choice(names) if names else ""


@operator("tool raises", shows=LOSES + " | tool fails", rules="tools.broken | feasibility.witness", contracts=TOOLS)
def tool_raises(tree: ast.Module, rng: random.Random) -> bool:
    """A tool always raises."""
    name = _tool(tree, rng)
    if not name:
        return False
    method = methods(tree)[name]
    method.body = [ast.parse("raise AttributeError('no such record')").body[0]]
    return True


@operator(
    "tool raises on its second call",
    shows=LOSES + " | tool fails | fails",
    rules=(
        "tools.broken | feasibility.witness | robustness.raises | determinism.replay"
        " | warn tools.unstable | tools.unstable | feasibility.underivable"
    ),
    contracts=TOOLS,
)
def second_call(tree: ast.Module, rng: random.Random) -> bool:
    """A tool works once."""
    name = _tool(tree, rng)
    if not name:
        return False
    body = "self.worked = getattr(self, 'worked', 0) + 1\nif self.worked > 1:\n    raise RuntimeError('session closed')"
    method = methods(tree)[name]
    method.body = [*ast.parse(body).body, *method.body]
    return True


@operator(
    "tool without a method",
    shows=LOSES + " | tool fails",
    rules="tools.schema | tools.broken | feasibility.witness",
    contracts=TOOLS,
)
def no_method(tree: ast.Module, rng: random.Random) -> bool:
    """A tool is announced under a name that no method has."""
    name = _tool(tree, rng)
    if name:
        methods(tree)[name].name = name + "s"
    return bool(name)


@operator(
    "parameter by another name",
    shows=LOSES + " | tool fails | fails",
    rules="tools.schema | tools.broken | feasibility.witness",
    contracts=TOOLS,
)
def other_parameter(tree: ast.Module, rng: random.Random) -> bool:
    """The schema and the method name a parameter differently."""
    name = _tool(tree, rng)
    method = methods(tree).get(name)
    if method is None or len(method.args.args) < 2:
        return False
    argument = rng.choice(method.args.args[1:])
    new = argument.arg + "_value"
    for node in ast.walk(method):
        if isinstance(node, ast.Name) and node.id == argument.arg:
            node.id = new
    argument.arg = new
    return True


@operator("schema of no known type", shows="bad schema", rules="tools.schema", contracts=TOOLS)
def bad_type(tree: ast.Module, rng: random.Random) -> bool:
    """A type that JSON Schema does not have."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value == "string"]
    for node in nodes:
        node.value = rng.choice(("str", "text", "int"))
    return bool(nodes)


@operator("ids are hidden", shows="unseen id", rules="feasibility.underivable", contracts=TOOLS)
def hidden_ids(tree: ast.Module, rng: random.Random) -> bool:
    """No tool and no instruction tells the ids that have to be named."""
    hide = "re.sub(r'[A-Za-z]*[-_#]?\\d[\\w-]*', '(withheld)', {0})"
    tree.body[0:0] = ast.parse('"""A desk."""').body
    at = next((i for i, node in enumerate(tree.body) if isinstance(node, ast.ClassDef)), 0)
    tree.body[at:at] = ast.parse("import re").body
    first = f"first = self.first_reset(ACTION)\n{TEXT}return {hide.format('text')}, info"
    turn = f"text, reward, *flags, info = self.first_step(ACTION)\nreturn ({hide.format('text')}, reward, *flags, info)"
    return wrap(tree, "reset", first) and wrap(tree, "step", turn)


@operator(
    "done is always right",
    shows="free reward | mindless win",
    rules="exploits.floor | exploits.constant | exploits.blind | tools.criterion_free",
    contracts=TOOLS,
)
def done_is_right(tree: ast.Module, rng: random.Random) -> bool:
    """The last answer is not held against what was asked."""
    chain = lineage(tree)
    if not chain:
        return False
    chain[0].body += ast.parse("def _check_answer(self, answer):\n    return bool(answer)").body
    return not any(node.name == "_check_answer" for node in functions(tree)[:-1])


@operator(
    "instruction lost",
    shows="true before its turn | step not needed",
    rules="tools.criterion_order | warn tools.criterion_free | feasibility.witness",
    contracts=TOOLS,
)
def instruction_lost(tree: ast.Module, rng: random.Random) -> bool:
    """A criterion joins what two instructions ask with ``or``."""
    found = _criteria(tree)
    if found is None:
        return False
    at = rng.randrange(len(found.elts))
    other = found.elts[at - 1]
    joined = expression("lambda s: (A)(s) or (B)(s)")
    for node in list(ast.walk(joined)):
        if isinstance(node, ast.Name) and node.id in ("A", "B"):
            swap(joined, node, found.elts[at] if node.id == "A" else other)
    found.elts[at] = joined
    return True
