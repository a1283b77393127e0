"""How a rule is written: a generator of complaints with a name, a severity and a page that its examples prove.

The docstring of a rule is its page in ``spade-envs explain``. It holds an ``Accepted::`` and a ``Refused::`` example,
which the tests run. An example is a whole source, or methods (and imports) that replace those of :data:`EXAMPLE`.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator

from .types import Finding, Repro, RuleContext, Severity

EXAMPLE = """\
class AddEnv:
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.a, self.b = rng.randint(1000, 9999), rng.randint(1000, 9999)
        self.tries = 0
        return f"What is {self.a} + {self.b}? Answer as \\\\boxed{{N}}; three tries.", {}

    def step(self, action):
        self.tries += 1
        won = action == f"\\\\boxed{{{self.a + self.b}}}"
        return "Right." if won else "Wrong.", float(won), won, not won and self.tries >= 3, {}

    def solution(self):
        return [f"\\\\boxed{{{self.a + self.b}}}"]
"""
"""The environment that rule examples vary."""


@dataclasses.dataclass(frozen=True)
class Complaint:
    """What a rule's function yields; the rule adds its name and severity."""

    message: str
    line: int | None = None
    repro: Repro | None = None
    severity: Severity | None = None
    """Another severity than the rule's own."""


@dataclasses.dataclass(frozen=True)
class GateRule:
    """A named check. Implements ``spade_envs.types.Rule``."""

    name: str
    stage: str
    severity: Severity
    check: Callable[[RuleContext], Iterable[Complaint]]
    core: bool = True
    """Whether a source can only be admitted when this rule has run; else it runs as far as the budget allows."""

    def __call__(self, ctx: RuleContext) -> Iterator[Finding]:
        for found in self.check(ctx):
            yield Finding(self.name, found.severity or self.severity, found.message, found.line, found.repro)

    @property
    def page(self) -> str:
        """The explanation, without the examples."""
        text = inspect.cleandoc(self.check.__doc__ or "")
        return re.split(r"^(?:Accepted|Refused)::$", text, flags=re.MULTILINE)[0].strip()

    def example(self, label: str) -> str:
        """The ``Accepted`` or ``Refused`` example as written; empty when there is none."""
        text = inspect.cleandoc(self.check.__doc__ or "")
        match = re.search(rf"^{label}::\n\n((?:[ ]{{4}}.*\n|\n)+)", text + "\n\n", flags=re.MULTILINE)
        return textwrap.dedent(match.group(1)).strip("\n") + "\n" if match else ""


def rule(
    name: str, stage: str, severity: Severity, *, core: bool = True
) -> Callable[[Callable[[RuleContext], Iterable[Complaint]]], GateRule]:
    """Decorate a rule's function."""
    return lambda check: GateRule(name, stage, severity, check, core)


def assemble(example: str) -> str:
    """A whole source from an example: methods replace those of :data:`EXAMPLE`, anything else goes before it.

    >>> "NaN" in assemble("def solution(self):\\n    return ['NaN']\\n")
    True
    """
    tree = _parse(example)
    if tree is None or any(isinstance(node, ast.ClassDef) for node in tree.body):
        return example
    lines = example.splitlines()
    before, replaced = [], {}
    for node in tree.body:
        text = "\n".join(lines[_first_line(node) - 1 : node.end_lineno])
        if isinstance(node, ast.FunctionDef):
            replaced[node.name] = text
        else:
            before.append(text)
    base = EXAMPLE.splitlines()
    (cls,) = ast.parse(EXAMPLE).body
    assert isinstance(cls, ast.ClassDef)
    methods = {
        node.name: "\n".join(base[node.lineno - 1 : node.end_lineno])
        for node in cls.body
        if isinstance(node, ast.FunctionDef)
    }
    methods |= {name: textwrap.indent(text, "    ") for name, text in replaced.items()}
    return "\n".join([*before, base[0], "\n\n".join(methods.values()), ""])


def _parse(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except SyntaxError:
        return None


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])
